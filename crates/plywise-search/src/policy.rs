use crate::Params;

/// Where a search takes its parameters from.
///
/// Parameters that are read at run time let learners and matches run a hundred different players in one process. A
/// constant set compiles every technique away that it switches off; the bench shows what that is worth.
pub trait Policy: Clone + Send + Sync {
    /// The parameters.
    fn params(&self) -> &Params;
}

impl Policy for Params {
    #[inline(always)]
    fn params(&self) -> &Params {
        self
    }
}

impl<P: Policy> Policy for &P {
    #[inline(always)]
    fn params(&self) -> &Params {
        (*self).params()
    }
}
