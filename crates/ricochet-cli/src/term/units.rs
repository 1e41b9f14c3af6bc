//! Times, sizes and counts for people.

use std::time::Duration;

pub(crate) use ricochet_core::describe::thousands;
pub(crate) use ricochet_lab::report::table::show_bytes as bytes;
use ricochet_lab::report::table::three_digits;

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
}
