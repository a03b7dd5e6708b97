//! Instructions that newer processors have, in programs that run on older ones too.
//!
//! A program is built for the oldest processor of its kind. Counting bits and adding many numbers at once, which evaluations
//! live on, are several times slower there. So what needs them is compiled for each [`Level`], and the processor that it runs
//! on decides at run time: generic code by [`dispatch`], functions that call each other by
//! [`for_each_level`](crate::for_each_level). Results do not depend on it.
//!
//! `unsafe`, because calling code for other instructions than the caller's is, and only a look at the processor makes it safe.

/// Instructions that work is compiled for, the older first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Those that the whole program was built for.
    Built,
    /// Those of x86-64-v3, as far as compilers use them here: counting bits, vectors of 256 bits.
    V3,
    /// Those of x86-64-v4: vectors of 512 bits, and counting in vectors.
    V4,
}

impl Level {
    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Level::Built => "as built",
            Level::V3 => "x86-64-v3",
            Level::V4 => "x86-64-v4",
        }
    }
}

/// The level to use here: the best that this processor has beyond what the program was built for.
#[inline(always)]
pub fn level() -> Level {
    #[cfg(target_arch = "x86_64")]
    {
        x86::level()
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        Level::Built
    }
}

/// Uses no better level than this one from now on: for tests and measurements, whose results must not depend on it.
#[doc(hidden)]
pub fn use_at_most(most: Level) {
    #[cfg(target_arch = "x86_64")]
    x86::use_at_most(most);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = most;
}

/// A computation whose speed depends on the processor's instructions.
///
/// Only what is inlined into [`run`](Kernel::run) is compiled for newer instructions: write `#[inline(always)]` to it and to
/// what it calls, and no closures where it repeats itself most. The choice takes about a nanosecond, so the work should be
/// worth tens of them.
pub trait Kernel {
    /// What comes of it.
    type Output;

    /// Does the work.
    fn run(self) -> Self::Output;
}

/// Does some work with the best instructions that this processor has.
#[inline(always)]
pub fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    // SAFETY: `level` has found these instructions on this processor.
    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code)]
    match level() {
        Level::V4 => return unsafe { x86::v4::run(kernel) },
        Level::V3 => return unsafe { x86::v3::run(kernel) },
        Level::Built => {}
    }
    kernel.run()
}

/// Functions that call each other, compiled for each [`Level`](crate::processor::Level); the first is for everybody, and
/// chooses.
///
/// Other functions that they call are compiled for newer instructions where they are inlined. All this stands in a module.
/// The arguments of the first function are plain names. None may be generic or `inline(always)`, and one that is given to
/// another function as a value needs a closure around it.
///
/// ```
/// plywise_game::for_each_level! {
///     /// How many bits are set in some words.
///     pub fn count(words: &[u64]) -> u32 {
///         count_from(words, 0)
///     }
///
///     fn count_from(words: &[u64], sum: u32) -> u32 {
///         match words {
///             [] => sum,
///             [first, rest @ ..] => count_from(rest, sum + first.count_ones()),
///         }
///     }
/// }
///
/// # fn main() {
/// assert_eq!(count(&[1, 3, 7]), 6);
/// # }
/// ```
#[macro_export]
macro_rules! for_each_level {
    (@features [$($feature:tt)+] $level:ident $($function:item)*) => {
        $crate::for_each_level! { @level $level target_feature($(enable = $feature),+) $($function)* }
    };
    (@level $level:ident $attribute:meta $($function:item)*) => {
        mod $level {
            #[allow(unused_imports)]
            use super::*;
            $(#[$attribute] $function)*
        }
    };
    (
        $(#[$attribute:meta])*
        $visibility:vis fn $name:ident($($argument:ident: $kind:ty),* $(,)?) $(-> $output:ty)? $body:block
        $($others:item)*
    ) => {
        $(#[$attribute])*
        #[inline]
        $visibility fn $name($($argument: $kind),*) $(-> $output)? {
            // Functions for newer instructions do not implement `Fn`, hence closures that are redundant here.
            $crate::for_each_level! { @level built allow(clippy::redundant_closure)
                #[inline]
                pub(super) fn $name($($argument: $kind),*) $(-> $output)? $body
                $($others)*
            }
            #[cfg(target_arch = "x86_64")]
            $crate::with_features! { v3 for_each_level! v3
                pub(super) fn $name($($argument: $kind),*) $(-> $output)? $body
                $($others)*
            }
            #[cfg(target_arch = "x86_64")]
            $crate::with_features! { v4 for_each_level! v4
                pub(super) fn $name($($argument: $kind),*) $(-> $output)? $body
                $($others)*
            }
            // SAFETY: `level` has found these instructions on this processor.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            match $crate::processor::level() {
                $crate::processor::Level::V4 => return unsafe { v4::$name($($argument),*) },
                $crate::processor::Level::V3 => return unsafe { v3::$name($($argument),*) },
                $crate::processor::Level::Built => {}
            }
            built::$name($($argument),*)
        }
    };
}

/// Hands the features of a level to another macro: the one place that lists them.
#[doc(hidden)]
#[macro_export]
macro_rules! with_features {
    (v3 $macro:ident! $($rest:tt)*) => {
        $crate::$macro! { @features ["avx2" "bmi1" "bmi2" "lzcnt" "popcnt"] $($rest)* }
    };
    (v4 $macro:ident! $($rest:tt)*) => {
        $crate::$macro! { @features
            ["avx2" "bmi1" "bmi2" "lzcnt" "popcnt" "avx512f" "avx512bw" "avx512cd" "avx512dq" "avx512vl"] $($rest)*
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::Level;
    use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

    /// What is known of a level, and work compiled for it.
    #[doc(hidden)]
    #[macro_export]
    macro_rules! level_of_processor {
        (@features [$($feature:tt)+] $level:ident) => {
            pub(super) mod $level {
                use super::super::Kernel;

                /// Whether the whole program is built for it.
                pub(super) const IS_BUILT: bool = cfg!(all($(target_feature = $feature),+));

                pub(super) fn is_here() -> bool {
                    $(is_x86_feature_detected!($feature))&&+
                }

                #[target_feature($(enable = $feature),+)]
                pub(in super::super) fn run<K: Kernel>(kernel: K) -> K::Output {
                    kernel.run()
                }
            }
        };
    }

    crate::with_features! { v3 level_of_processor! v3 }
    crate::with_features! { v4 level_of_processor! v4 }

    /// The level to use, once it is known. Asking for each feature by itself takes several times as long.
    static LEVEL: AtomicU8 = AtomicU8::new(UNKNOWN);
    const UNKNOWN: u8 = u8::MAX;
    const V3: u8 = Level::V3 as u8;
    const V4: u8 = Level::V4 as u8;

    #[inline(always)]
    pub(super) fn level() -> Level {
        if v4::IS_BUILT {
            return Level::Built;
        }
        match LEVEL.load(Relaxed) {
            V4 => Level::V4,
            V3 => Level::V3,
            UNKNOWN => use_at_most(Level::V4),
            _ => Level::Built,
        }
    }

    /// Asks the processor. What the program was built for is not chosen again.
    #[cold]
    pub(super) fn use_at_most(most: Level) -> Level {
        let level = if v4::is_here() && most >= Level::V4 {
            Level::V4
        } else if v3::is_here() && most >= Level::V3 && !v3::IS_BUILT {
            Level::V3
        } else {
            Level::Built
        };
        LEVEL.store(level as u8, Relaxed);
        level
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Bits that are counted, and numbers that are added up many at a time.
    struct Counting<'a>(&'a [u64]);

    impl Kernel for Counting<'_> {
        type Output = (u32, u64);

        #[inline(always)]
        fn run(self) -> (u32, u64) {
            let bits = self.0.iter().map(|word| word.count_ones() + word.leading_zeros()).sum();
            (bits, self.0.iter().fold(0, |sum, word| sum.wrapping_add(*word)))
        }
    }

    #[test]
    fn work_comes_to_the_same_with_all_instructions() {
        let mut random = Random::new(1);
        for most in [Level::Built, Level::V3, Level::V4] {
            use_at_most(most);
            assert!(level() <= most);
            for length in 0..100 {
                let words: Vec<u64> = (0..length).map(|_| random.bits()).collect();
                assert_eq!(dispatch(Counting(&words)), Counting(&words).run());
            }
        }
    }
}
