//! Limits on the command line: `10s`, `2GiB`, …

use std::time::Duration;

use crate::args::whole_number::whole_number;
use clap::Args;
use ricochet_solve::memory::default_memory_limit;
use ricochet_solve::{CancelToken, Limits};

/// The limits of each search.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// Stop each search after this time: 10s, 100ms, 2m; a plain number means seconds
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) time_limit: Option<Duration>,

    /// Stop before the searches together exceed this much memory: 2GiB, 500MB; a plain number
    /// means bytes. Default: 90% of the free memory
    #[arg(long, value_name = "SIZE", value_parser = parse_size, hide_short_help = true)]
    pub(crate) memory_limit: Option<u64>,

    /// Stop each search after this many nodes: 5000, 20k, 3M
    #[arg(long, value_name = "N", value_parser = parse_count, hide_short_help = true)]
    pub(crate) node_limit: Option<u64>,

    /// Search at most this many moves deep
    #[arg(long, value_name = "N", value_parser = whole_number::<u32>(..))]
    pub(crate) max_moves: Option<u32>,
}

impl LimitArgs {
    /// The options as they appear in the task of a part.
    pub(crate) fn task_json(&self) -> serde_json::Value {
        serde_json::json!({
            "seconds": self.time_limit.map(|time| time.as_secs_f64()),
            "bytes": self.memory_limit,
            "nodes": self.node_limit,
            "moves": self.max_moves,
        })
    }

    /// The limits of each of `workers` searches that run at once.
    pub(crate) fn limits(&self, workers: usize, cancel: Option<CancelToken>) -> Limits {
        Limits {
            time: self.time_limit,
            // The limit is for the whole program, not for each of its searches.
            memory: self
                .memory_limit
                .or_else(default_memory_limit)
                .map(|bytes| bytes / workers.max(1) as u64),
            nodes: self.node_limit,
            moves: self.max_moves,
            cancel,
            count: None,
        }
    }
}

/// Reads `1.5s`, `100ms`, `2m`, `1h` or a plain number of seconds.
pub(crate) fn parse_duration(text: &str) -> Result<Duration, String> {
    let expected = || {
        format!("'{text}' is not a valid time: expected a number with ms, s, m or h, such as 10s")
    };
    let (number, unit) = split_unit(text);
    let seconds = match unit {
        "us" | "µs" => 1e-6,
        "ms" => 1e-3,
        "" | "s" | "sec" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(expected()),
    };
    let number: f64 = number.parse().map_err(|_| expected())?;
    Duration::try_from_secs_f64(number * seconds).map_err(|_| expected())
}

/// Reads `2GiB`, `500MB`, `64k` or a plain number of bytes.
pub(crate) fn parse_size(text: &str) -> Result<u64, String> {
    let expected = || {
        format!(
            "'{text}' is not a valid size: expected a number with KiB, MiB, GiB, kB, MB or GB, such as 2GiB"
        )
    };
    let (number, unit) = split_unit(text);
    let factor: u64 = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "kb" => 1000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        "k" | "kib" => 1 << 10,
        "m" | "mib" => 1 << 20,
        "g" | "gib" => 1 << 30,
        "t" | "tib" => 1 << 40,
        _ => return Err(expected()),
    };
    let number: f64 = number.parse().map_err(|_| expected())?;
    let bytes = number * factor as f64;
    if !(1.0..=u64::MAX as f64).contains(&bytes) {
        return Err(expected());
    }
    Ok(bytes as u64)
}

/// Reads a count such as `5000`, `1_000_000` or `20M`.
pub(crate) fn parse_count(text: &str) -> Result<u64, String> {
    let expected =
        || format!("'{text}' is not a valid count: expected a number such as 5000, 20k or 3M");
    let plain = text.replace(['_', ','], "");
    let (number, unit) = split_unit(&plain);
    let factor: u64 = match unit {
        "" => 1,
        "k" | "K" => 1000,
        "M" => 1_000_000,
        "G" => 1_000_000_000,
        _ => return Err(expected()),
    };
    let number: u64 = number.parse().map_err(|_| expected())?;
    number.checked_mul(factor).ok_or_else(expected)
}

fn split_unit(text: &str) -> (&str, &str) {
    let text = text.trim();
    let digits = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    (number, unit.trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        assert_eq!(parse_duration("10s"), Ok(Duration::from_secs(10)));
        assert_eq!(parse_duration("100ms"), Ok(Duration::from_millis(100)));
        assert_eq!(parse_duration("1.5"), Ok(Duration::from_millis(1500)));
        assert_eq!(parse_duration("2 m"), Ok(Duration::from_secs(2 * 60)));
        for bad in ["", "s", "-1s", "1 fortnight", "1e400s", "nan", "1.2.3s"] {
            assert!(parse_duration(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn sizes() {
        assert_eq!(parse_size("2GiB"), Ok(2 << 30));
        assert_eq!(parse_size("500MB"), Ok(500_000_000));
        assert_eq!(parse_size("1.5k"), Ok(1536));
        assert_eq!(parse_size("4096"), Ok(4096));
        for bad in ["", "0", "GiB", "-1", "2 lots", "999999999999T"] {
            assert!(parse_size(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn counts() {
        assert_eq!(parse_count("1_000_000"), Ok(1_000_000));
        assert_eq!(parse_count("20M"), Ok(20_000_000));
        for bad in ["", "1.5", "99999999999999999999", "99999999999G", "x"] {
            assert!(parse_count(bad).is_err(), "{bad}");
        }
    }
}
