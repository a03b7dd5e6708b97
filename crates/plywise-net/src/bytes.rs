//! Numbers and texts in bytes, little-endian, and a reader that survives whatever it is given.

/// Writes a number in as few bytes as it needs, seven bits each.
pub fn write_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Writes a text and, before it, how long it is.
pub fn write_text(bytes: &mut Vec<u8>, text: &str) {
    write_number(bytes, text.len() as u64);
    bytes.extend_from_slice(text.as_bytes());
}

/// The bytes that are not read yet. Every method returns `None` if they end too early.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    /// The next `count` bytes.
    pub fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    /// A byte.
    pub fn u8(&mut self) -> Option<u8> {
        self.array().map(u8::from_le_bytes)
    }

    /// A number of two bytes.
    pub fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    /// A number of two bytes with its sign.
    pub fn i16(&mut self) -> Option<i16> {
        self.array().map(i16::from_le_bytes)
    }

    /// A number of four bytes.
    pub fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    /// A number of four bytes with its sign.
    pub fn i32(&mut self) -> Option<i32> {
        self.array().map(i32::from_le_bytes)
    }

    /// A number of eight bytes.
    pub fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// The next `count` fractions.
    pub fn floats(&mut self, count: usize) -> Option<Vec<f32>> {
        let (numbers, _) = self.take(count.checked_mul(4)?)?.as_chunks();
        Some(numbers.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect())
    }

    /// A number as [`write_number`] writes it.
    pub fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.u8()?;
            let bits = u64::from(byte & 0x7f);
            number |= bits << shift;
            if byte < 0x80 {
                return (number >> shift == bits).then_some(number);
            }
        }
        None
    }

    /// A text as [`write_text`] writes it.
    pub fn text(&mut self) -> Option<&'a str> {
        let length = usize::try_from(self.number()?).ok()?;
        std::str::from_utf8(self.take(length)?).ok()
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Adds a checksum of all that was written.
pub fn seal(mut bytes: Vec<u8>) -> Vec<u8> {
    let sum = crc32fast::hash(&bytes);
    bytes.extend_from_slice(&sum.to_le_bytes());
    bytes
}

/// The bytes before the checksum at the end, if that is right.
pub fn unseal(bytes: &[u8]) -> Option<&[u8]> {
    let (content, sum) = bytes.split_last_chunk::<4>()?;
    (crc32fast::hash(content) == u32::from_le_bytes(*sum)).then_some(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_texts_are_read_back() {
        for number in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            let mut bytes = Vec::new();
            write_number(&mut bytes, number);
            assert_eq!(Reader(&bytes).number(), Some(number));
            assert_eq!(Reader(&bytes[1..]).number().filter(|read| *read == number && number > 127), None);
        }
        assert_eq!(Reader(&[0xff; 12]).number(), None);
        let mut bytes = Vec::new();
        write_text(&mut bytes, "Zürich");
        assert_eq!(Reader(&bytes).text(), Some("Zürich"));
        assert_eq!(Reader(&bytes[..4]).text(), None);
    }

    #[test]
    fn a_seal_shows_every_change() {
        let sealed = seal(b"abc".to_vec());
        assert_eq!(unseal(&sealed), Some(&b"abc"[..]));
        for i in 0..sealed.len() {
            let mut broken = sealed.clone();
            broken[i] ^= 1;
            assert_eq!(unseal(&broken), None);
        }
        assert_eq!(unseal(b"ab"), None);
    }
}
