//! Logarithms in whole numbers, so that every machine agrees on what the search decides by them.

/// The fractional bits of [`log2`].
const FRACTION: u32 = 32;

/// ln 2, in the unit of [`log2`].
const LN_2: i128 = 2_977_044_472;

/// The binary logarithm of a number above 0, in units of 2^-32.
pub(crate) const fn log2(n: u64) -> i64 {
    let zeros = n.leading_zeros();
    let mut log = ((63 - zeros) as i64) << FRACTION;
    // The mantissa, between 1 and 2. Squaring it doubles its logarithm, whose whole part is the next bit.
    let mut mantissa = (n << zeros) as u128;
    let mut bit = FRACTION;
    while bit > 0 {
        bit -= 1;
        mantissa = (mantissa * mantissa) >> 63;
        if mantissa >= 1 << 64 {
            mantissa >>= 1;
            log |= 1 << bit;
        }
    }
    log
}

/// A hundred times the natural logarithm of a number above 0, rounded.
pub(crate) const fn hundred_ln(n: u64) -> i32 {
    ((log2(n) as i128 * 100 * LN_2 + (1 << (2 * FRACTION - 1))) >> (2 * FRACTION)) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_those_of_the_textbook() {
        for n in (1..2000).chain([u64::from(u32::MAX), 1 << 52, (1 << 53) - 1]) {
            let found = log2(n) as f64 / (1u64 << FRACTION) as f64;
            assert!((found - (n as f64).log2()).abs() < 1e-8, "log2 {n}: {found}");
            assert_eq!(hundred_ln(n), (100.0 * (n as f64).ln()).round() as i32, "ln {n}");
        }
    }
}
