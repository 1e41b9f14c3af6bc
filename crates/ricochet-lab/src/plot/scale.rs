//! Scales: values to pixels, and round numbers for ticks.

use ricochet_core::describe::thousands;

use crate::report::table::{show_micros, two_digits};

/// The unit of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Plain numbers.
    Plain,
    /// Microseconds, shown with the unit that fits.
    Micros,
    /// Shares of 1, shown in percent.
    Share,
    /// Bytes.
    Bytes,
}

impl Unit {
    /// The text above a bar, with three digits.
    pub(crate) fn show_short(self, value: f64) -> String {
        match self {
            Self::Share if value > 0.0 && value < 0.0005 => "<0.1%".to_owned(),
            Self::Share => self.show((value * 1000.0).round() / 1000.0),
            // Small factors keep two digits: 0 would be wrong.
            Self::Plain if value != 0.0 && value.abs() < 0.095 => two_digits(value),
            Self::Plain if value.abs() < 1000.0 => self.show((value * 100.0).round() / 100.0),
            _ => self.show(value),
        }
    }

    /// The text of a tick. Ticks are round numbers, and long times are round only in seconds: 10,000 s,
    /// not 2.78 h.
    pub(crate) fn tick(self, value: f64) -> String {
        match self {
            Self::Micros if value >= 1e8 => format!("{} s", plain(value / 1e6)),
            _ => self.show(value),
        }
    }

    /// The text of a value.
    pub(crate) fn show(self, value: f64) -> String {
        match self {
            Self::Plain => plain(value),
            Self::Micros => {
                let text = show_micros(value);
                let (number, unit) = text.split_once(' ').unwrap_or((&text, ""));
                let number = if number.contains('.') {
                    number.trim_end_matches('0').trim_end_matches('.')
                } else {
                    number
                };
                format!("{number} {unit}").trim_end().to_owned()
            }
            Self::Share => format!("{}%", plain(value * 100.0)),
            // Ticks of a logarithmic axis are powers of ten, so decimal units give round numbers.
            Self::Bytes => match value {
                v if v < 1e3 => format!("{} B", plain(v)),
                v if v < 1e6 => format!("{} kB", plain(v / 1e3)),
                v if v < 1e9 => format!("{} MB", plain(v / 1e6)),
                v => format!("{} GB", plain(v / 1e9)),
            },
        }
    }
}

fn plain(value: f64) -> String {
    let rounded = (value * 1000.0).round() / 1000.0;
    if value.abs() >= 1e9 {
        format!("{} G", plain(value / 1e9))
    } else if value.abs() >= 1e6 {
        format!("{} M", plain(value / 1e6))
    } else if rounded.fract() == 0.0 && rounded >= 0.0 {
        thousands(rounded as u64)
    } else if value != 0.0 && value.abs() < 0.001 {
        format!("{value:.0e}")
    } else {
        format!("{rounded}")
    }
}

/// A mapping of values to `from..to` in pixels.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Scale {
    low: f64,
    high: f64,
    log: bool,
    from: f64,
    to: f64,
}

impl Scale {
    /// A scale that contains all `values`; a linear one starts at 0 unless `tight`.
    pub(crate) fn new(
        values: impl Iterator<Item = f64>,
        log: bool,
        tight: bool,
        from: f64,
        to: f64,
    ) -> Self {
        let usable = values.filter(|v| v.is_finite() && (!log || *v > 0.0));
        let (mut low, mut high) = usable.fold((f64::MAX, f64::MIN), |(low, high), v| {
            (low.min(v), high.max(v))
        });
        if low > high {
            (low, high) = (1.0, 10.0);
        }
        if log {
            // Whole half-decades, and at least one of them.
            low = floor_of(low);
            high = ceiling_of(high);
            if low >= high {
                high = low * 10.0;
            }
        } else if !tight {
            low = low.min(0.0);
            let step = nice_step(high - low, 5);
            high = if step > 0.0 {
                (high / step - 1e-9).ceil() * step
            } else {
                low + 1.0
            };
        }
        if high <= low {
            high = low + 1.0;
        }
        Self {
            low,
            high,
            log,
            from,
            to,
        }
    }

    /// A linear scale with these ends.
    pub(crate) fn between(low: f64, high: f64, from: f64, to: f64) -> Self {
        Self {
            low,
            high,
            log: false,
            from,
            to,
        }
    }

    /// The position of a value; values that a logarithmic scale cannot show are at its start.
    pub(crate) fn at(&self, value: f64) -> f64 {
        let share = if self.log {
            (value.max(self.low) / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        self.from + share * (self.to - self.from)
    }

    /// Round values, about `wanted` of them.
    pub(crate) fn ticks(&self, wanted: usize) -> Vec<f64> {
        if self.log {
            let decades = (self.high / self.low).log10();
            let every = (decades / wanted as f64).ceil().max(1.0) as i32;
            let first = self.low.log10().ceil() as i32;
            let last = (self.high.log10() + 1e-9).floor() as i32;
            return (first..=last)
                .filter(|exponent| (exponent - first) % every == 0)
                .map(|exponent| 10f64.powi(exponent))
                .collect();
        }
        let step = nice_step(self.high - self.low, wanted);
        let first = (self.low / step - 1e-9).ceil() as i64;
        let last = (self.high / step + 1e-9).floor() as i64;
        (first..=last).map(|i| i as f64 * step).collect()
    }
}

/// The largest 1 or 3 times a power of ten that is not above the value.
fn floor_of(value: f64) -> f64 {
    let decade = 10f64.powf(value.log10().floor());
    if value >= 3.0 * decade {
        3.0 * decade
    } else {
        decade
    }
}

/// The smallest 1 or 3 times a power of ten that is not below the value.
fn ceiling_of(value: f64) -> f64 {
    let decade = 10f64.powf(value.log10().floor());
    if value <= decade * (1.0 + 1e-9) {
        decade
    } else if value <= 3.0 * decade {
        3.0 * decade
    } else {
        10.0 * decade
    }
}

/// 1, 2 or 5 times a power of ten, so that about `wanted` steps fill `range`.
fn nice_step(range: f64, wanted: usize) -> f64 {
    if range <= 0.0 || !range.is_finite() {
        return 1.0;
    }
    let raw = range / wanted.max(1) as f64;
    let decade = 10f64.powf(raw.log10().floor());
    let factor = match raw / decade {
        f if f <= 1.0 + 1e-9 => 1.0,
        f if f <= 2.0 + 1e-9 => 2.0,
        f if f <= 5.0 + 1e-9 => 5.0,
        _ => 10.0,
    };
    factor * decade
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        let scale = Scale::new([0.0, 87.0].into_iter(), false, false, 0.0, 100.0);
        assert_eq!(scale.ticks(5), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        let log = Scale::new([2.0, 4000.0].into_iter(), true, false, 0.0, 100.0);
        assert_eq!(log.ticks(5), [1.0, 10.0, 100.0, 1000.0, 10000.0]);
        assert!((log.at(1.0)).abs() < 1e-9);
    }

    #[test]
    fn ticks_of_long_times_are_round_in_seconds() {
        let texts = [1e3, 1e6, 1e8, 1e9, 1e10].map(|micros| Unit::Micros.tick(micros));
        assert_eq!(texts, ["1 ms", "1 s", "100 s", "1,000 s", "10,000 s"]);
        assert_eq!(Unit::Micros.show(1.8e8), "3 min", "a value is not a tick");
    }

    #[test]
    fn scales_survive_empty_and_constant_data() {
        for log in [false, true] {
            for values in [vec![], vec![5.0], vec![0.0], vec![f64::NAN, f64::INFINITY]] {
                let scale = Scale::new(values.into_iter(), log, false, 0.0, 10.0);
                assert!(scale.at(5.0).is_finite());
                assert!(scale.ticks(5).len() < 20);
            }
        }
        let scale = Scale::new([1.0, 100.0].into_iter(), true, false, 0.0, 1.0);
        assert!(scale.at(0.0).abs() < 1e-12, "zero has no logarithm");
    }

    #[test]
    fn units_are_short() {
        assert_eq!(Unit::Micros.show(1000.0), "1 ms");
        assert_eq!(Unit::Micros.show(10.0), "10 µs");
        assert_eq!(Unit::Micros.show(100_000.0), "100 ms");
        assert_eq!(Unit::Plain.show_short(0.0023), "0.0023");
        assert_eq!(Unit::Plain.show_short(0.5), "0.5");
        assert_eq!(Unit::Share.show(0.25), "25%");
        assert_eq!(Unit::Share.show_short(0.187_67), "18.8%");
        assert_eq!(Unit::Share.show_short(0.000_006), "<0.1%");
        assert_eq!(Unit::Plain.show_short(6.312_5), "6.31");
        assert_eq!(Unit::Plain.show(25_000.0), "25,000");
        assert_eq!(Unit::Plain.show(2e6), "2 M");
        assert_eq!(Unit::Plain.show(0.5), "0.5");
        assert_eq!(Unit::Bytes.show(1e7), "10 MB");
    }
}
