//! The puzzle of a day by name: `daily` is today's (in UTC), `daily:2026-11-17` that of a date.
//! `ricochet-service` chooses it, the same one for everyone.

use std::time::{SystemTime, UNIX_EPOCH};

use ricochet_service::{Answer, Call, Policy, Request};
use serde_json::json;

/// A puzzle in one-line notation, and a name that always means this puzzle.
pub(super) struct Daily {
    pub(super) name: String,
    pub(super) line: String,
}

/// What an argument names, if it names the puzzle of a day.
pub(super) fn find(argument: &str) -> Option<Result<Daily, String>> {
    let date = match argument.strip_prefix("daily")? {
        "" => today(),
        rest => rest.strip_prefix(':')?.to_owned(),
    };
    Some(puzzle_of(&date))
}

fn puzzle_of(date: &str) -> Result<Daily, String> {
    let request = json!({"ask": "daily", "date": date}).to_string();
    let request = Request::from_json(&request).map_err(|error| error.to_string())?;
    // There is no time limit on the command line.
    let policy = Policy {
        ms: None,
        ..Policy::default()
    };
    let answer = Call::new(&policy).answer(&request);
    match answer.map_err(|error| error.to_string())? {
        Answer::Daily(day) => Ok(Daily {
            name: format!("daily:{date}"),
            line: day.puzzle.line.ok_or("the day has no puzzle")?,
        }),
        _ => Err("the day has no puzzle".to_owned()),
    }
}

/// Today's date in UTC, such as `2026-11-17`.
fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    date_of(since.map_or(0, |since| since.as_secs() / (24 * 60 * 60)))
}

/// The date this many days after 1970-01-01.
fn date_of(days: u64) -> String {
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let (mut year, mut rest) = (1970, days);
    loop {
        let length = 365 + u64::from(is_leap(year));
        if rest < length {
            break;
        }
        rest -= length;
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if rest < length {
            break;
        }
        rest -= length;
        month += 1;
    }
    format!("{year:04}-{month:02}-{:02}", rest + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_their_dates() {
        for (days, date) in [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (20_774, "2026-11-17"),
            (20_818, "2026-12-31"),
            (20_819, "2027-01-01"),
        ] {
            assert_eq!(date_of(days), date);
        }
    }

    #[test]
    fn a_day_is_always_the_same_puzzle_and_no_day_is_an_error() {
        let day = || find("daily:2026-11-17").unwrap().ok().unwrap().line;
        assert_eq!(day(), day());
        assert!(find("daily:2026-02-30").unwrap().is_err());
        assert!(find("dailyish").is_none() && find("random").is_none());
    }
}
