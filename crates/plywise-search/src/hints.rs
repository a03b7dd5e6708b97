//! Hints to the machine. They make the transposition table faster and cannot change what it holds.
//!
//! `unsafe`, because the language has no safe way to say either.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;

/// Asks for the memory of `value`, so that it is there when it is read a moment later.
#[inline(always)]
pub(crate) fn prefetch<T>(value: &T) {
    // SAFETY: a prefetch has no effect but on the caches; the address is that of a reference.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// Asks for large pages below memory that has not been written yet: a table that is read all over misses the address
/// cache of the processor far less often with them.
pub(crate) fn prefer_large_pages<T>(memory: &mut [MaybeUninit<T>]) {
    #[cfg(target_os = "linux")]
    {
        use rustix::mm::{Advice, madvise};
        const PAGE: usize = 4096;
        let bytes = memory.as_mut_ptr_range();
        let (from, to) = (bytes.start.cast::<u8>(), bytes.end.cast::<u8>());
        let skipped = from.align_offset(PAGE);
        let length = (to.addr() - from.addr()).saturating_sub(skipped) & !(PAGE - 1);
        if length > 0 {
            // SAFETY: the advice is about whole pages within the slice, and leaves their content alone. Where the
            // system does not follow it, nothing is lost.
            let _ = unsafe { madvise(from.add(skipped).cast(), length, Advice::LinuxHugepage) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}
