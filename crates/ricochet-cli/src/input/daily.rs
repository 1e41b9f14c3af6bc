//! The puzzle of a day by name: `daily` is today's (in UTC), `daily:2026-11-17` that of a date.
//! `ricochet-service` chooses it, the same one for everyone.

use std::time::SystemTime;

use ricochet_lab::run::machine::utc;
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
    utc(SystemTime::now()).chars().take(10).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_always_the_same_puzzle_and_no_day_is_an_error() {
        let day = || find("daily:2026-11-17").unwrap().ok().unwrap().line;
        assert_eq!(day(), day());
        assert!(find("daily:2026-02-30").unwrap().is_err());
        assert!(find("dailyish").is_none() && find("random").is_none());
    }
}
