use plywise_game::NotationError;
use plywise_game::parameters::ParameterError;
use plywise_host::HostError;
use plywise_search::{ProfileError, TableError, TableTooLarge};
use std::io;

/// What a command returns.
pub type Result<T = (), E = Failure> = std::result::Result<T, E>;

/// Why a command could not do what it was asked for.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The user asked for something that cannot be done; one sentence says what.
    #[error("{0}")]
    Input(String),
    /// What was asked for is right, but it went wrong on the way.
    #[error("{0}")]
    Failed(String),
    /// The user interrupted it too early for a result.
    #[error("interrupted before anything was finished")]
    Interrupted,
    /// It is done, and its result is an exit code.
    #[error("the exit code is {0}")]
    Verdict(u8),
    /// The output could not be written.
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
}

impl Failure {
    /// A mistake in what the user asked for.
    pub fn input(sentence: impl ToString) -> Failure {
        Failure::Input(sentence.to_string())
    }
}

macro_rules! input_failures {
    ($($Error:ty),*) => {
        $(impl From<$Error> for Failure {
            fn from(error: $Error) -> Failure {
                Failure::input(error)
            }
        })*
    };
}

input_failures!(NotationError, ParameterError, ProfileError, TableError, TableTooLarge);

impl From<HostError> for Failure {
    fn from(error: HostError) -> Failure {
        match error {
            HostError::Interrupted => Failure::Interrupted,
            error => Failure::input(error),
        }
    }
}
