use async_nats::connection::State;
use async_nats::jetstream::{self, context::Context};
use async_nats::{Client, ConnectErrorKind, ConnectOptions};
use serde::Deserialize;
use serde_json::Value;
use std::env;
use std::fmt::Display;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Runtime;

/// Why the cluster cannot be used. Each is one sentence.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// The address is none.
    #[error("'{0}' is not the address of a NATS server, such as nats://HOST:4222 or tls://HOST:4222")]
    Address(String),
    /// The address has a password in it.
    #[error(
        "a password in an address is seen by everybody who lists processes; leave it out of the address and set \
         PLYWISE_NATS_USER and PLYWISE_NATS_PASSWORD instead"
    )]
    PasswordInAddress,
    /// What the environment says about credentials cannot be used.
    #[error("{0}")]
    Credentials(String),
    /// There is no answer.
    #[error("no NATS server answers at {address}: {reason}")]
    NoServer {
        /// Where.
        address: String,
        /// What the system said.
        reason: String,
    },
    /// The server does not know us.
    #[error(
        "the NATS server at {0} refuses us: set PLYWISE_NATS_USER and PLYWISE_NATS_PASSWORD, PLYWISE_NATS_TOKEN or \
         PLYWISE_NATS_NKEY, or name a file with them in PLYWISE_NATS_CREDENTIALS"
    )]
    Refused(String),
    /// The server has no queues.
    #[error(
        "the NATS server at {0} runs without JetStream: start it with --jetstream, or write 'jetstream {{}}' into its configuration"
    )]
    NoJetStream(String),
    /// A worker is not equal to the runs that are there.
    #[error("{0}")]
    NotEqual(String),
    /// Something else went wrong on the way.
    #[error("the cluster cannot {action}: {reason}")]
    Failed {
        /// What was to be done.
        action: &'static str,
        /// What went wrong.
        reason: String,
    },
}

/// Says that something could not be done.
pub(crate) fn failed<E: Display>(action: &'static str) -> impl Fn(E) -> ClusterError {
    move |error| ClusterError::Failed { action, reason: error.to_string() }
}

/// A connection to a NATS server with JetStream. Copies share it.
#[derive(Clone, Debug)]
pub struct Server {
    pub(crate) client: Client,
    pub(crate) context: Context,
    pub(crate) runtime: Arc<Threads>,
    /// As the user wrote it.
    pub(crate) address: String,
}

/// The threads that move messages. The last owner may be one of them, so their end is not waited for.
#[derive(Debug)]
pub(crate) struct Threads(Option<Runtime>);

impl Threads {
    /// One thread moves messages; waiting is done on the callers' threads.
    fn start() -> Result<Threads, ClusterError> {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        let runtime = builder.worker_threads(1).thread_name("cluster").enable_all().build();
        Ok(Threads(Some(runtime.map_err(failed("start a thread"))?)))
    }
}

impl Deref for Threads {
    type Target = Runtime;

    fn deref(&self) -> &Runtime {
        // It is only taken when it is dropped.
        self.0.as_ref().unwrap_or_else(|| unreachable!())
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

/// How long a server may take to answer the first time.
const PATIENCE: Duration = Duration::from_secs(5);

impl Server {
    /// Connects to a server, with the credentials that the environment names. Later the connection mends itself.
    pub fn connect(address: &str) -> Result<Server, ClusterError> {
        check_address(address)?;
        let options = credentials()?
            .name("plywise")
            .connection_timeout(PATIENCE)
            .reconnect_delay_callback(|tries| Duration::from_millis(200 * tries.min(10) as u64))
            .max_reconnects(None);
        let runtime = Arc::new(Threads::start()?);
        let client = runtime.block_on(connect(address, options))?;
        let mut context = {
            let _within = runtime.enter();
            jetstream::new(client.clone())
        };
        context.set_timeout(PATIENCE);
        let server = Server { client, context, runtime, address: address.to_owned() };
        server.check_jetstream()?;
        Ok(server)
    }

    /// Asks for JetStream. A server that was just started may not have it yet.
    fn check_jetstream(&self) -> Result<(), ClusterError> {
        const TRIES: u32 = 5;
        for _ in 0..TRIES {
            let answer = self.runtime.block_on(self.client.request("$JS.API.INFO", "".into()));
            let answer = answer.ok().and_then(|answer| serde_json::from_slice::<Value>(&answer.payload).ok());
            if answer.is_some_and(|answer| answer.get("error").is_none()) {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        Err(ClusterError::NoJetStream(self.address.clone()))
    }

    /// Whether messages can be sent at the moment.
    pub(crate) fn is_connected(&self) -> bool {
        self.client.connection_state() == State::Connected
    }
}

async fn connect(address: &str, options: ConnectOptions) -> Result<Client, ClusterError> {
    let no_server = |reason: String| ClusterError::NoServer { address: address.to_owned(), reason };
    match tokio::time::timeout(PATIENCE, options.connect(address)).await {
        Ok(Ok(client)) => Ok(client),
        Ok(Err(error)) => Err(match error.kind() {
            ConnectErrorKind::ServerParse => ClusterError::Address(address.to_owned()),
            ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
                ClusterError::Refused(address.to_owned())
            }
            _ => no_server(error.to_string()),
        }),
        Err(_) => Err(no_server(format!("nothing within {} seconds", PATIENCE.as_secs()))),
    }
}

fn check_address(address: &str) -> Result<(), ClusterError> {
    let host = ["nats://", "tls://"].iter().find_map(|scheme| address.strip_prefix(scheme));
    match host {
        Some(host) if host.contains('@') => Err(ClusterError::PasswordInAddress),
        Some(host) if !host.is_empty() && !host.contains(char::is_whitespace) => Ok(()),
        _ => Err(ClusterError::Address(address.to_owned())),
    }
}

/// Who we are to the server.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Credentials {
    user: Option<String>,
    password: Option<String>,
    token: Option<String>,
    /// The seed of an NKey.
    nkey: Option<String>,
    /// The certificate of who signed that of the server, where the system does not know it.
    authority: Option<PathBuf>,
}

fn credentials() -> Result<ConnectOptions, ClusterError> {
    let variable = |name: &str| env::var(format!("PLYWISE_NATS_{name}")).ok().filter(|value| !value.is_empty());
    let found = match variable("CREDENTIALS") {
        Some(file) => read_credentials(Path::new(&file))?,
        None => Credentials {
            user: variable("USER"),
            password: variable("PASSWORD"),
            token: variable("TOKEN"),
            nkey: variable("NKEY"),
            authority: variable("AUTHORITY").map(PathBuf::from),
        },
    };
    let options = match found.authority {
        Some(file) => ConnectOptions::new().add_root_certificates(file),
        None => ConnectOptions::new(),
    };
    match (found.user, found.password, found.token, found.nkey) {
        (Some(user), Some(password), None, None) => Ok(options.user_and_password(user, password)),
        (None, None, Some(token), None) => Ok(options.token(token)),
        (None, None, None, Some(nkey)) => Ok(options.nkey(nkey)),
        (None, None, None, None) => Ok(options),
        (Some(_), None, ..) | (None, Some(_), ..) => Err(ClusterError::Credentials(
            "a user and a password for the NATS server go together: one of them is missing".to_owned(),
        )),
        _ => Err(ClusterError::Credentials(
            "the credentials for the NATS server are a user with a password, a token, or an NKey: one of these"
                .to_owned(),
        )),
    }
}

fn read_credentials(file: &Path) -> Result<Credentials, ClusterError> {
    let sentence = |problem: String| {
        ClusterError::Credentials(format!("the credentials in '{}' cannot be used: {problem}", file.display()))
    };
    let text = std::fs::read_to_string(file).map_err(|error| sentence(error.to_string()))?;
    if is_open_to_others(file) {
        return Err(sentence("other users can read them; chmod 600 helps".to_owned()));
    }
    // What is wrong is not shown: it may be the secret itself.
    toml::from_str(&text)
        .map_err(|_| sentence("it is TOML with user and password, token, or nkey, and perhaps authority".to_owned()))
}

#[cfg(unix)]
fn is_open_to_others(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(file).is_ok_and(|about| about.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn is_open_to_others(_: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_checked_before_anything_is_sent() {
        for address in ["nats://localhost", "nats://10.0.0.1:4222", "tls://queue.example:4222"] {
            assert!(check_address(address).is_ok(), "{address}");
        }
        for address in ["localhost", "http://localhost", "nats://", "nats://a b"] {
            assert!(matches!(check_address(address), Err(ClusterError::Address(_))), "{address}");
        }
        assert!(matches!(check_address("nats://me:secret@host"), Err(ClusterError::PasswordInAddress)));
    }

    #[cfg(unix)]
    #[test]
    fn credentials_come_from_files_that_are_ours_alone() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("credentials.toml");
        let with_mode = |text: &str, mode: u32| {
            std::fs::write(&file, text).unwrap();
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
            read_credentials(&file)
        };
        assert_eq!(with_mode("token = \"secret\"", 0o600).unwrap().token.unwrap(), "secret");
        assert!(with_mode("token = \"secret\"", 0o644).unwrap_err().to_string().contains("chmod 600"));
        let error = with_mode("pasword = \"secret\"", 0o600).unwrap_err().to_string();
        assert!(!error.contains("secret"), "{error}");
    }
}
