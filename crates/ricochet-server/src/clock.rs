//! The current date and time.

use std::time::{SystemTime, UNIX_EPOCH};

use ricochet_rooms::Time;

/// Today in UTC, as `2026-11-17`.
pub(crate) fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    date_of(since.map_or(0, |since| since.as_secs() / 86_400))
}

/// Seconds since 1970.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs() as i64)
}

/// Milliseconds since 1970.
pub(crate) fn time() -> Time {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    Time(since.map_or(0, |since| since.as_millis() as u64))
}

/// The date of a number of days since 1970-01-01.
fn date_of(mut days: u64) -> String {
    let mut year = 1970;
    loop {
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let length = 365 + u64::from(leap);
        if days < length {
            let february = 28 + u64::from(leap);
            let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
            for (month, length) in (1..).zip(lengths) {
                if days < length {
                    return format!("{year:04}-{month:02}-{:02}", days + 1);
                }
                days -= length;
            }
        }
        days = days.saturating_sub(length);
        year += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        assert_eq!(date_of(0), "1970-01-01");
        assert_eq!(date_of(11_016), "2000-02-29");
        assert_eq!(date_of(20_774), "2026-11-17");
        assert_eq!(date_of(20_818), "2026-12-31");
    }
}
