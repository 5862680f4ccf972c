//! The upper tail of the F distribution, in logarithms, so that no p-value is rounded to 0.

/// Steps of the continued fraction at most; a hundred thousand degrees of freedom take some hundred.
const MOST_STEPS: usize = 100_000;
/// The continued fraction has converged when a step changes it by less than this share.
const PRECISION: f64 = 1e-16;
/// From here on the series of Stirling's formula is exact to the last digit.
const STIRLING_FROM: f64 = 10.0;

/// `ln P(F > value)` with `df1` and `df2` degrees of freedom.
///
/// ```
/// use midrib::math::log_f_tail;
/// // With two degrees of freedom above, the tail is (1 + 2 value / df2)^(-df2 / 2).
/// assert!((log_f_tail(3.0, 2.0, 8.0) + 4.0 * 1.75_f64.ln()).abs() < 1e-14);
/// assert_eq!(log_f_tail(0.0, 4.0, 10.0), 0.0);
/// assert!(log_f_tail(1e5, 4.0, 1e5) < -60_000.0);
/// ```
pub fn log_f_tail(value: f64, df1: f64, df2: f64) -> f64 {
    if value.is_nan() {
        return f64::NAN;
    }
    if value <= 0.0 {
        return 0.0;
    }
    if value == f64::INFINITY {
        return f64::NEG_INFINITY;
    }
    let odds = df1 / df2 * value;
    // P(F > value) = I_x(df2 / 2, df1 / 2) with x = 1 / (1 + odds).
    let (log_x, log_rest) = (-odds.ln_1p(), -(1.0 / odds).ln_1p());
    let (a, b) = (0.5 * df2, 0.5 * df1);
    let x = 1.0 / (1.0 + odds);
    if x < (a + 1.0) / (a + b + 2.0) {
        log_beta_share([a, b], [x, odds / (1.0 + odds)], log_x, log_rest)
    } else {
        let below = log_beta_share([b, a], [odds / (1.0 + odds), x], log_rest, log_x);
        (-below.exp()).ln_1p()
    }
}

/// `ln I_x(a, b)`, the regularized incomplete beta function, for x below its mean or so; `rest` is
/// 1 − x.
fn log_beta_share([a, b]: [f64; 2], [x, rest]: [f64; 2], log_x: f64, log_rest: f64) -> f64 {
    let fraction = continued_fraction([a, b], [x, rest]);
    a * log_x + b * log_rest - log_beta(a, b) - a.ln() + fraction.ln()
}

/// The continued fraction of the incomplete beta function, by Lentz's method.
fn continued_fraction([a, b]: [f64; 2], [x, rest]: [f64; 2]) -> f64 {
    const TINY: f64 = 1e-300;
    let away = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut c = 1.0;
    // 1 − (a + b) x / (a + 1), without cancellation for x near 1.
    let first = if x < 0.5 { a + 1.0 - (a + b) * x } else { 1.0 - b + (a + b) * rest };
    let mut d = (a + 1.0) / away(first);
    let mut fraction = d;
    for step in 1..MOST_STEPS {
        let m = step as f64;
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / away(1.0 + even * d);
        c = away(1.0 + even / c);
        fraction *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / away(1.0 + odd * d);
        c = away(1.0 + odd / c);
        let change = d * c;
        fraction *= change;
        if (change - 1.0).abs() < PRECISION {
            break;
        }
    }
    fraction
}

/// `ln B(a, b)`, without the cancellation of three large logarithms.
fn log_beta(a: f64, b: f64) -> f64 {
    let (p, q) = (a.min(b), a.max(b));
    if p >= STIRLING_FROM {
        let rest = stirling_rest(p) + stirling_rest(q) - stirling_rest(p + q);
        let ratio = p / (p + q);
        -0.5 * q.ln() + HALF_LOG_TAU + rest + (p - 0.5) * ratio.ln() + q * (-ratio).ln_1p()
    } else if q >= STIRLING_FROM {
        let rest = stirling_rest(q) - stirling_rest(p + q);
        log_gamma(p) + rest + p - p * (p + q).ln() + (q - 0.5) * (-p / (p + q)).ln_1p()
    } else {
        log_gamma(p) + log_gamma(q) - log_gamma(p + q)
    }
}

/// `ln √(2π)`.
const HALF_LOG_TAU: f64 = 0.918_938_533_204_672_7;

/// `ln Γ(x)` for positive x.
pub(crate) fn log_gamma(x: f64) -> f64 {
    let mut product = 1.0;
    let mut at = x;
    while at < STIRLING_FROM {
        product *= at;
        at += 1.0;
    }
    (at - 0.5) * at.ln() - at + HALF_LOG_TAU + stirling_rest(at) - f64::ln(product)
}

/// What Stirling's formula leaves of `ln Γ(x)`.
fn stirling_rest(x: f64) -> f64 {
    let square = 1.0 / (x * x);
    let terms = [
        1.0 / 12.0,
        -1.0 / 360.0,
        1.0 / 1260.0,
        -1.0 / 1680.0,
        1.0 / 1188.0,
        -691.0 / 360_360.0,
        1.0 / 156.0,
    ];
    terms.iter().rev().fold(0.0, |sum, term| sum * square + term) / x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_forms() {
        for df in [1.0_f64, 3.0, 17.0, 250.0, 1e5] {
            for value in [1e-6, 0.3, 1.0, 2.5, 40.0, 1e4] {
                // Two degrees above; and two below by F(a, b) = 1 / F(b, a).
                let above = -0.5 * df * (2.0 * value / df).ln_1p();
                assert!((log_f_tail(value, 2.0, df) - above).abs() < 1e-12 * above.abs().max(1.0));
                let below = (2.0 / (df * value)).ln_1p() * (-0.5 * df);
                let expected = (-below.exp()).ln_1p();
                let found = log_f_tail(value, df, 2.0);
                assert!((found - expected).abs() < 1e-9 * expected.abs().max(1e-3), "{df} {value}");
            }
        }
        // One and one: the Cauchy distribution.
        for value in [0.01_f64, 1.0, 7.0, 1e8] {
            let expected = (2.0 / std::f64::consts::PI * (1.0 / value.sqrt()).atan()).ln();
            assert!((log_f_tail(value, 1.0, 1.0) - expected).abs() < 1e-13, "{value}");
        }
    }

    #[test]
    fn gammas_are_factorials() {
        let mut log = 0.0;
        for n in 1..40 {
            assert!((log_gamma(f64::from(n)) - log).abs() < 1e-13 * log.max(1.0), "{n}");
            log += f64::from(n).ln();
        }
        assert!((log_gamma(0.5) - 0.5 * std::f64::consts::PI.ln()).abs() < 1e-14);
    }

    #[test]
    fn ends_and_missing_values() {
        assert_eq!(log_f_tail(-1.0, 3.0, 5.0), 0.0);
        assert_eq!(log_f_tail(f64::INFINITY, 3.0, 5.0), f64::NEG_INFINITY);
        assert!(log_f_tail(f64::NAN, 3.0, 5.0).is_nan());
    }
}
