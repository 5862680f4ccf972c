//! False discovery rates.

/// The smallest false discovery rate at which each test is a discovery (Benjamini1995), from the
/// logarithms of the p-values; NaN is not counted and stays NaN.
///
/// ```
/// use midrib::trend::false_discovery_rates;
/// let logs: Vec<f64> = [0.01_f64, 0.04, 0.03, 0.5].map(f64::ln).to_vec();
/// let rates = false_discovery_rates(&logs);
/// for (found, expected) in rates.iter().zip([0.04, 0.16 / 3.0, 0.16 / 3.0, 0.5]) {
///     assert!((found - expected).abs() < 1e-15);
/// }
/// ```
pub fn false_discovery_rates(log_p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..log_p.len()).filter(|&i| !log_p[i].is_nan()).collect();
    order.sort_by(|&a, &b| log_p[a].total_cmp(&log_p[b]).then(a.cmp(&b)));
    let mut rates = vec![f64::NAN; log_p.len()];
    let count = order.len() as f64;
    let mut least = 1.0_f64;
    for (rank, &i) in order.iter().enumerate().rev() {
        least = least.min(log_p[i].exp() * count / (rank + 1) as f64);
        rates[i] = least;
    }
    rates
}
