//! Statistics of samples. For an empty sample they return `None`, not NaN.

/// Sorted values of a sample.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    sorted: Vec<f64>,
}

impl Sample {
    /// A sample of the values that are not NaN.
    pub fn new(values: impl IntoIterator<Item = f64>) -> Self {
        let mut sorted: Vec<f64> = values.into_iter().filter(|v| !v.is_nan()).collect();
        sorted.sort_by(f64::total_cmp);
        Self { sorted }
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        self.sorted.len()
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.sorted.is_empty()
    }

    /// The quantile `q` in 0..=1, interpolated linearly between the two nearest ranks (type 7 of
    /// Hyndman and Fan, the default of R and `NumPy`).
    pub fn quantile(&self, q: f64) -> Option<f64> {
        let last = self.sorted.len().checked_sub(1)?;
        let rank = q.clamp(0.0, 1.0) * last as f64;
        let below = rank.floor();
        let low = self.sorted[below as usize];
        let high = self.sorted[(below as usize + 1).min(last)];
        Some(low + (high - low) * (rank - below))
    }

    /// The median.
    pub fn median(&self) -> Option<f64> {
        self.quantile(0.5)
    }

    /// The arithmetic mean.
    pub fn mean(&self) -> Option<f64> {
        (!self.is_empty()).then(|| self.total() / self.len() as f64)
    }

    /// The sum.
    pub fn total(&self) -> f64 {
        self.sorted.iter().sum()
    }

    /// The smallest value.
    pub fn min(&self) -> Option<f64> {
        self.sorted.first().copied()
    }

    /// The largest value.
    pub fn max(&self) -> Option<f64> {
        self.sorted.last().copied()
    }

    /// The geometric mean of the values, which must be positive.
    pub fn geometric_mean(&self) -> Option<f64> {
        if self.is_empty() || self.sorted[0] <= 0.0 {
            return None;
        }
        let logs: f64 = self.sorted.iter().map(|v| v.ln()).sum();
        Some((logs / self.len() as f64).exp())
    }

    /// The standard deviation, with Bessel's correction; `None` for fewer than two values.
    pub fn deviation(&self) -> Option<f64> {
        let mean = self.mean()?;
        let squares: f64 = self.sorted.iter().map(|v| (v - mean).powi(2)).sum();
        (self.len() > 1).then(|| (squares / (self.len() - 1) as f64).sqrt())
    }

    /// The 95% confidence interval of the mean, by Student's distribution.
    pub fn mean_interval(&self) -> Option<(f64, f64)> {
        let (mean, deviation) = (self.mean()?, self.deviation()?);
        let half = student_quantile(self.len() - 1) * deviation / (self.len() as f64).sqrt();
        Some((mean - half, mean + half))
    }

    /// The values in ascending order.
    pub fn sorted(&self) -> &[f64] {
        &self.sorted
    }
}

/// The 97.5% quantile of Student's distribution; from 30 degrees of freedom on by the expansion of
/// Cornish and Fisher, which is exact to three digits there.
fn student_quantile(freedom: usize) -> f64 {
    const FEW: [f64; 30] = [
        f64::INFINITY,
        12.706,
        4.303,
        3.182,
        2.776,
        2.571,
        2.447,
        2.365,
        2.306,
        2.262,
        2.228,
        2.201,
        2.179,
        2.160,
        2.145,
        2.131,
        2.120,
        2.110,
        2.101,
        2.093,
        2.086,
        2.080,
        2.074,
        2.069,
        2.064,
        2.060,
        2.056,
        2.052,
        2.048,
        2.045,
    ];
    let normal = 1.959_964_f64;
    let further = normal + (normal.powi(3) + normal) / (4.0 * freedom as f64);
    FEW.get(freedom).copied().unwrap_or(further)
}

/// Wilson's 95% interval for a proportion of `hits` in `trials`, as fractions.
///
/// Unlike the normal approximation, it stays within 0..=1 and is meaningful for 0 or all hits.
pub fn wilson_interval(hits: u64, trials: u64) -> Option<(f64, f64)> {
    if trials == 0 {
        return None;
    }
    let (n, p, z) = (trials as f64, hits as f64 / trials as f64, 1.959_963_985);
    let denominator = 1.0 + z * z / n;
    let centre = p + z * z / (2.0 * n);
    let spread = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    Some((
        ((centre - spread) / denominator).max(0.0),
        ((centre + spread) / denominator).min(1.0),
    ))
}

/// Half the sum of absolute differences of two distributions given as counts: 0 if they have the
/// same shape, 1 if they share nothing. `None` if one of them is empty.
pub fn total_variation(a: &[u64], b: &[u64]) -> Option<f64> {
    let (sum_a, sum_b) = (a.iter().sum::<u64>(), b.iter().sum::<u64>());
    if sum_a == 0 || sum_b == 0 {
        return None;
    }
    let share = |counts: &[u64], i: usize, sum: u64| {
        counts.get(i).copied().unwrap_or(0) as f64 / sum as f64
    };
    let differences =
        (0..a.len().max(b.len())).map(|i| (share(a, i, sum_a) - share(b, i, sum_b)).abs());
    Some(differences.sum::<f64>() / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: Option<f64>, expected: f64) {
        let found = found.expect("a value");
        assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
    }

    #[test]
    fn empty_samples_have_no_statistics() {
        let empty = Sample::new([f64::NAN]);
        assert!(empty.is_empty());
        for value in [
            empty.median(),
            empty.mean(),
            empty.max(),
            empty.min(),
            empty.geometric_mean(),
        ] {
            assert_eq!(value, None);
        }
    }

    /// The values that R's `quantile(c(…), type = 7)` gives.
    #[test]
    fn quantiles_interpolate_like_type_7() {
        let sample = Sample::new((1..=100).rev().map(f64::from));
        close(sample.quantile(0.95), 95.05);
        close(sample.quantile(0.99), 99.01);
        close(sample.median(), 50.5);
        close(sample.quantile(0.0), 1.0);
        close(sample.quantile(1.0), 100.0);
        let three = Sample::new([15.0, 20.0, 35.0]);
        close(three.quantile(0.4), 19.0);
        close(Sample::new([7.0]).quantile(0.99), 7.0);
    }

    #[test]
    fn means_of_known_values() {
        let sample = Sample::new([2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
        close(sample.mean(), 5.0);
        close(Sample::new([1.0, 10.0, 100.0]).geometric_mean(), 10.0);
        close(Sample::new([0.5, 2.0]).geometric_mean(), 1.0);
        assert_eq!(Sample::new([0.0, 2.0]).geometric_mean(), None);
    }

    /// The values were computed by hand from the formula.
    #[test]
    fn wilson_intervals_of_known_values() {
        let (low, high) = wilson_interval(81, 263).expect("trials");
        assert!((low - 0.255_3).abs() < 1e-4 && (high - 0.366_2).abs() < 1e-4);
        let (low, high) = wilson_interval(0, 20).expect("trials");
        assert!(low.abs() < 1e-12 && (high - 0.161_1).abs() < 1e-4);
        let (low, high) = wilson_interval(10, 10).expect("trials");
        assert!((low - 0.722_5).abs() < 1e-4 && high >= 1.0);
        assert_eq!(wilson_interval(0, 0), None);
    }

    #[test]
    fn total_variation_ignores_size() {
        close(total_variation(&[10, 30], &[3, 1]), 0.5);
        assert_eq!(total_variation(&[], &[1]), None);
        close(total_variation(&[1], &[1, 1]), 0.5);
        close(total_variation(&[1, 0], &[0, 5]), 1.0);
    }
}
