//! `daily`: the puzzle of a day.

use std::ops::RangeInclusive;

use ricochet_core::generate::Recipe;
use ricochet_core::quadrants::Edition;
use ricochet_solve::Limits;
use ricochet_solve::generation::{PuzzleFilter, Verdict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::error::Code;
use crate::error::{Error, ErrorKind};
use crate::json::{DATE_PATTERN, quote};
use crate::policy::RequestLimits;
use crate::puzzle_view::PuzzleView;
use crate::request::Question;

/// The ratings of a day's puzzle from Monday to Sunday, with the lengths that most often have them: a length
/// is found sooner than a rating. The week gets harder.
const DAYS: [(RangeInclusive<u32>, RangeInclusive<i32>); 7] = [
    (2..=4, 700..=999),
    (3..=6, 1000..=1399),
    (3..=7, 1400..=1799),
    (4..=8, 1800..=2199),
    (5..=9, 2200..=2599),
    (6..=11, 2600..=3199),
    (8..=14, 3200..=4400),
];

/// Added to the day, so that daily puzzles are not those of small seeds.
const SEED: u64 = 0x6461_696c_7900_0000;

/// Asks for the puzzle of a day, which is the same for everyone and never changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Daily {
    /// The day, such as `2026-11-17`.
    #[schemars(extend("format" = "date", "pattern" = DATE_PATTERN))]
    pub date: String,
}

/// A day of the week. The puzzles get harder from Monday to Sunday.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
pub enum Weekday {
    /// A rating of 700 to 999.
    Monday,
    /// A rating of 1000 to 1399.
    Tuesday,
    /// A rating of 1400 to 1799.
    Wednesday,
    /// A rating of 1800 to 2199.
    Thursday,
    /// A rating of 2200 to 2599.
    Friday,
    /// A rating of 2600 to 3199.
    Saturday,
    /// A rating of 3200 to 4400.
    Sunday,
}

impl Weekday {
    const ALL: [Self; 7] = [
        Self::Monday,
        Self::Tuesday,
        Self::Wednesday,
        Self::Thursday,
        Self::Friday,
        Self::Saturday,
        Self::Sunday,
    ];
}

/// The puzzle of a day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DailyAnswer {
    /// The day.
    pub date: String,
    /// The day of the week.
    pub weekday: Weekday,
    /// The optimal number of moves.
    pub optimal: u32,
    /// The puzzle.
    pub puzzle: PuzzleView,
}

/// The number of days from 1970-01-01 to a date of the Gregorian calendar.
fn day_of(date: &str) -> Option<i64> {
    let mut parts = date.split('-');
    let mut number = |digits: usize| {
        let part = parts.next()?;
        let good = part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit());
        good.then(|| part.parse::<i64>().ok())?
    };
    let (year, month, day) = (number(4)?, number(2)?, number(2)?);
    if parts.next().is_some() || year == 0 || !(1..=12).contains(&month) {
        return None;
    }
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let lengths = [
        31,
        28 + i64::from(leap),
        31,
        30,
        31,
        30,
        31,
        31,
        30,
        31,
        30,
        31,
    ];
    let before = &lengths[..month as usize - 1];
    if !(1..=lengths[month as usize - 1]).contains(&day) {
        return None;
    }
    let past = year - 1;
    let days = past * 365 + past / 4 - past / 100 + past / 400;
    // 719,162 days lie between 0001-01-01 and 1970-01-01.
    Some(days + before.iter().sum::<i64>() + day - 1 - 719_162)
}

/// The number of days from 1970-01-01 to a date.
///
/// # Errors
/// If it is not a date such as `2026-11-17`.
pub fn check_date(date: &str) -> Result<i64, Error> {
    day_of(date).ok_or_else(|| {
        let message = format!(
            "{} is not a date: expected a day such as 2026-11-17",
            quote(date)
        );
        Error::bad_request(message).with_code(Code::new("no-date").with("text", date))
    })
}

impl Question for Daily {
    type Answer = DailyAnswer;

    fn answer(&self, call: &mut Call<'_>) -> Result<DailyAnswer, Error> {
        let day = check_date(&self.date)?;
        // 1970-01-01 was a Thursday.
        let weekday = (day + 3).rem_euclid(7) as usize;
        let (moves, rating) = DAYS[weekday].clone();
        let filter = PuzzleFilter {
            moves: Some(moves),
            rating: Some(rating),
            ..PuzzleFilter::default()
        };
        let recipe = Recipe::official(Edition::Of1999);
        let budget = call.budget(&RequestLimits::default());
        let mut solver = call.default_solver()?;
        for number in 0.. {
            let candidate = recipe.puzzle(SEED.wrapping_add(day as u64), number)?;
            let left = budget.left();
            if left.time.is_some_and(|time| time.is_zero()) {
                break;
            }
            // The puzzle must not depend on limits, so reaching one is an error.
            let limits = Limits {
                moves: None,
                ..left
            };
            match filter.judge(candidate, solver.as_mut(), &limits) {
                Verdict::Cancelled => break,
                Verdict::Rejected if budget.left().time.is_some_and(|it| it.is_zero()) => break,
                Verdict::Rejected => {}
                Verdict::Accepted(puzzle, _) => {
                    let optimal = puzzle.known_optimal().unwrap_or_default();
                    return Ok(DailyAnswer {
                        date: self.date.clone(),
                        weekday: Weekday::ALL[weekday],
                        optimal,
                        puzzle: PuzzleView::of_puzzle(&puzzle.with_id(self.date.clone())),
                    });
                }
            }
        }
        Err(Error::new(
            ErrorKind::Busy,
            "a limit was reached before the puzzle of the day was found: try again",
        )
        .with_code(Code::new("daily-limit")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_follow_the_calendar() {
        assert_eq!(day_of("1970-01-01"), Some(0));
        assert_eq!(day_of("2000-03-01"), Some(11_017));
        assert_eq!(day_of("2026-11-17"), Some(20_774));
        assert_eq!(day_of("0001-01-01"), Some(-719_162));
        for wrong in [
            "",
            "2026",
            "2026-13-01",
            "2026-00-01",
            "2026-02-29",
            "1900-02-29",
            "2026-11-31",
            "2026-11-00",
            "0000-01-01",
            "2026-1-1",
            "+026-11-17",
            "2026-11-17-",
            "2026-11-1７",
        ] {
            assert_eq!(day_of(wrong), None, "{wrong}");
        }
    }
}
