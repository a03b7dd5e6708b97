//! Instructions that newer processors have, in programs that run on older ones too.
//!
//! A program is built for the oldest processor of its kind. Counting bits and adding many numbers at once, which evaluations
//! live on, are several times slower there. So what needs them is compiled twice, and the processor that it runs on decides
//! at run time. Results do not depend on it.

/// Work whose speed depends on the processor's instructions.
///
/// Only what is inlined into [`work`](Work::work) is compiled for newer instructions: write `#[inline(always)]` to it and to
/// what it calls. The choice takes about a nanosecond, so the work should be worth tens of them.
pub trait Work {
    /// What comes of it.
    type Output;

    /// Does the work.
    fn work(self) -> Self::Output;
}

/// Does some work with the best instructions that this processor has.
#[inline(always)]
pub fn dispatch<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    {
        x86::dispatch(work)
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        work.work()
    }
}

/// The instructions that [`dispatch`] chooses here: those of a level of the architecture, or those that the program was built
/// for.
pub fn instructions() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    if x86::is_chosen() {
        return "x86-64-v3";
    }
    "as built"
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::Work;

    /// Whether the processor has what x86-64-v3 adds, as far as compilers use it, and the program was not built for that
    /// anyway.
    #[inline(always)]
    pub(super) fn is_chosen() -> bool {
        !cfg!(target_feature = "avx2")
            && is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
    }

    #[inline(always)]
    pub(super) fn dispatch<W: Work>(work: W) -> W::Output {
        if !is_chosen() {
            return work.work();
        }
        // SAFETY: the processor has these instructions.
        #[allow(unsafe_code)]
        unsafe {
            newer(work)
        }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn newer<W: Work>(work: W) -> W::Output {
        work.work()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Bits that are counted, and numbers that are added up many at a time.
    struct Counting<'a>(&'a [u64]);

    impl Work for Counting<'_> {
        type Output = (u32, u64);

        #[inline(always)]
        fn work(self) -> (u32, u64) {
            let bits = self.0.iter().map(|word| word.count_ones() + word.leading_zeros()).sum();
            (bits, self.0.iter().fold(0, |sum, word| sum.wrapping_add(*word)))
        }
    }

    #[test]
    fn work_comes_to_the_same_with_all_instructions() {
        let mut random = Random::new(1);
        for length in 0..100 {
            let words: Vec<u64> = (0..length).map(|_| random.bits()).collect();
            assert_eq!(dispatch(Counting(&words)), Counting(&words).work());
        }
    }
}
