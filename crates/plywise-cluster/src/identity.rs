//! Who says something. Everybody who may publish on the server can write any name into a message, so coordinators and
//! workers sign what they send, and are known by their keys.

use nkeys::KeyPair;
use std::fmt;

/// A key that lives as long as a worker, or as a session of a coordinator.
pub(crate) struct Key(KeyPair);

/// The bytes of a signature.
const SIGNATURE: usize = 64;

impl Key {
    pub(crate) fn new() -> Key {
        Key(KeyPair::new_user())
    }

    /// What others know it by. It can be part of a subject.
    pub(crate) fn public(&self) -> String {
        self.0.public_key()
    }

    /// A message with its signature in front.
    pub(crate) fn seal(&self, message: &[u8]) -> Vec<u8> {
        // Only a key without its secret half cannot sign; the message is worth nothing then.
        let mut sealed = self.0.sign(message).unwrap_or_default();
        sealed.extend(message);
        sealed
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.public())
    }
}

/// A message and its signature, which may be anybody's.
pub(crate) struct Sealed<'m> {
    signature: &'m [u8],
    pub(crate) message: &'m [u8],
}

impl<'m> Sealed<'m> {
    pub(crate) fn read(bytes: &'m [u8]) -> Option<Sealed<'m>> {
        let (signature, message) = bytes.split_at_checked(SIGNATURE)?;
        Some(Sealed { signature, message })
    }

    /// Whether the owner of this key has signed it.
    pub(crate) fn is_by(&self, public: &str) -> bool {
        KeyPair::from_public_key(public).is_ok_and(|key| key.verify(self.message, self.signature).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_owner_of_a_key_can_sign() {
        let (key, other) = (Key::new(), Key::new());
        let mut bytes = key.seal(b"message");
        let sealed = Sealed::read(&bytes).unwrap();
        assert_eq!(sealed.message, b"message");
        assert!(sealed.is_by(&key.public()) && !sealed.is_by(&other.public()) && !sealed.is_by("no key"));
        *bytes.last_mut().unwrap() ^= 1;
        assert!(!Sealed::read(&bytes).unwrap().is_by(&key.public()));
        assert!(Sealed::read(b"short").is_none());
    }
}
