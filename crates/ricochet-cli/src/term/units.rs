//! Times, sizes and counts for people.

use std::time::Duration;

use ricochet_lab::report::table::{grouped, three_digits};

/// `850 ns`, `12.3 µs`, `4.56 ms`, `1.23 s`, `2 min 05 s`.
pub(crate) fn duration(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds >= 99.5 {
        let whole = seconds.round() as u64;
        return format!("{} min {:02} s", whole / 60, whole % 60);
    }
    let (value, unit) = if seconds >= 1.0 {
        (seconds, "s")
    } else if seconds >= 1e-3 {
        (seconds * 1e3, "ms")
    } else if seconds >= 1e-6 {
        (seconds * 1e6, "µs")
    } else {
        return format!("{} ns", time.as_nanos());
    };
    format!("{} {unit}", three_digits(value))
}

/// `512 B`, `1.50 KiB`, `12.3 MiB`.
pub(crate) fn bytes(size: u64) -> String {
    if size < 1024 {
        return format!("{size} B");
    }
    let mut value = size as f64 / 1024.0;
    let mut units = ["KiB", "MiB", "GiB", "TiB"].into_iter();
    let mut unit = units.next().unwrap_or_default();
    for next in units {
        if value < 999.5 {
            break;
        }
        value /= 1024.0;
        unit = next;
    }
    format!("{} {unit}", three_digits(value))
}

/// `1,234,567`.
pub(crate) fn thousands(count: u64) -> String {
    grouped(count)
}

/// The same for numbers of any size.
pub(crate) fn thousands_wide(count: u128) -> String {
    grouped(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        let shown = |seconds| duration(Duration::from_secs_f64(seconds));
        assert_eq!(shown(0.000_000_85), "850 ns");
        assert_eq!(shown(0.000_012_34), "12.3 µs");
        assert_eq!(shown(0.004_56), "4.56 ms");
        assert_eq!(shown(0.123_4), "123 ms");
        assert_eq!(shown(59.94), "59.9 s");
        assert_eq!(shown(125.0), "2 min 05 s");
    }

    #[test]
    fn sizes_and_counts() {
        assert_eq!(bytes(512), "512 B");
        assert_eq!(bytes(1536), "1.50 KiB");
        assert_eq!(bytes(84 << 20), "84.0 MiB");
        assert_eq!(bytes(3 << 30), "3.00 GiB");
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_234_567), "1,234,567");
    }
}
