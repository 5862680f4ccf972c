//! Which points are drawn.

/// The maximum number of points that a report draws.
const MAX_POINTS: usize = 200_000;

/// The rows that a report draws out of `n`: all, or one at random from each of 200,000 blocks of
/// equal length, so that the sample has the density of the points.
///
/// ```
/// use midrib_report::drawn_rows;
/// assert_eq!(drawn_rows(3), [0, 1, 2]);
/// let rows = drawn_rows(1_000_000);
/// assert_eq!(rows.len(), 200_000);
/// assert!(rows.iter().enumerate().all(|(run, row)| row / 5 == run));
/// ```
pub fn drawn_rows(n: usize) -> Vec<usize> {
    if n <= MAX_POINTS {
        return (0..n).collect();
    }
    let begin = |run: usize| (run as u128 * n as u128 / MAX_POINTS as u128) as usize;
    let row = |run: usize| {
        let (from, to) = (begin(run), begin(run + 1));
        from + (hash(run as u64) % (to - from) as u64) as usize
    };
    (0..MAX_POINTS).map(row).collect()
}

/// SplitMix64 (Steele, Lea and Flood 2014): the same on every machine.
fn hash(number: u64) -> u64 {
    let mut z = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
