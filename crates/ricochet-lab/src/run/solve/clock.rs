//! The clock by which solves are timed and limited.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use cpu_time::ThreadTime;
use ricochet_core::Puzzle;
use ricochet_solve::{CancelToken, Limit, Limits, NullObserver, Outcome, Solver, Stats};
use serde::{Deserialize, Serialize};

use crate::run::plan::SolveLimits;
use ricochet_solve::registry::SolverSpec;

/// The clock of times and time limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Clock {
    /// Wall-clock time: how long a user waits.
    #[default]
    Wall,
    /// Processor time of the solving thread, for machines that are busy with other work. Solves can
    /// run in parallel, since each is timed by its own thread; a solver with several threads is
    /// refused, since the time of the others would not be counted.
    Processor,
}

impl Clock {
    /// Starts a stopwatch.
    pub fn start(self) -> Stopwatch {
        match self {
            Self::Wall => Stopwatch::Wall(Instant::now()),
            Self::Processor => Stopwatch::Processor(ThreadTime::now()),
        }
    }

    /// Checks that the clock can time these solvers.
    ///
    /// # Errors
    /// If the clock measures processor time and a solver uses several threads.
    pub fn can_time(self, solvers: &[SolverSpec]) -> Result<()> {
        if self == Self::Wall {
            return Ok(());
        }
        for spec in solvers {
            let threads = spec.threads();
            if threads > 1 {
                bail!(
                    "--clock processor counts the time of one thread, and '{spec}' works on \
                     {threads}: use --clock wall"
                );
            }
        }
        Ok(())
    }
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Wall => "wall",
            Self::Processor => "processor",
        })
    }
}

/// Text that is not a clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockError {
    text: String,
}

impl fmt::Display for ClockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "'{}' is not a clock: expected wall or processor",
            self.text.escape_debug()
        )
    }
}

impl std::error::Error for ClockError {}

impl FromStr for Clock {
    type Err = ClockError;

    fn from_str(text: &str) -> std::result::Result<Self, ClockError> {
        match text.to_ascii_lowercase().as_str() {
            "wall" => Ok(Self::Wall),
            "processor" => Ok(Self::Processor),
            _ => Err(ClockError {
                text: text.chars().take(40).collect(),
            }),
        }
    }
}

/// A running clock.
#[derive(Clone, Copy, Debug)]
pub enum Stopwatch {
    /// Started at this instant.
    Wall(Instant),
    /// Started when the thread had used this time.
    Processor(ThreadTime),
}

impl Stopwatch {
    /// The time since the start. Call it on the thread that started the stopwatch.
    pub fn elapsed(&self) -> Duration {
        match self {
            Self::Wall(start) => start.elapsed(),
            Self::Processor(start) => start.elapsed(),
        }
    }
}

/// Solves within the limits and returns the time by their clock.
///
/// Solvers know only wall-clock limits. With [`Clock::Processor`], a solve that was stopped before it
/// had used its processor time is repeated: watched by another thread if the system reports the time
/// of threads, otherwise with a longer limit. A solve that used more counts as stopped by the limit.
pub(crate) fn solve(
    solver: &mut dyn Solver,
    puzzle: &Puzzle,
    limits: SolveLimits,
) -> (Outcome, Stats, Duration) {
    let mut solver_limits = limits.to_solver_limits();
    loop {
        let watch = limits.clock.start();
        let (outcome, stats) = solver.solve(puzzle, &solver_limits, &mut NullObserver);
        let time = watch.elapsed();
        if limits.clock == Clock::Wall {
            return (outcome, stats, time);
        }
        let stopped = matches!(
            outcome,
            Outcome::LimitReached {
                limit: Limit::Time,
                ..
            }
        );
        if stopped && time < limits.time {
            if let Some(meter) = ThreadMeter::of_this_thread() {
                return solve_watched(solver, puzzle, limits, &meter);
            }
            let longer = |wall| next_wall_limit(wall, time, limits.time);
            solver_limits.time = solver_limits.time.map(longer);
        } else if time > limits.time && !stopped {
            return (ended_by_time(&outcome), stats, time);
        } else {
            return (outcome, stats, time);
        }
    }
}

fn ended_by_time(outcome: &Outcome) -> Outcome {
    Outcome::LimitReached {
        limit: Limit::Time,
        lower_bound: outcome.lower_bound().unwrap_or(0),
    }
}

/// Solves without a wall-clock limit and cancels when the processor time is used up.
fn solve_watched(
    solver: &mut dyn Solver,
    puzzle: &Puzzle,
    limits: SolveLimits,
    meter: &ThreadMeter,
) -> (Outcome, Stats, Duration) {
    let cancel = CancelToken::default();
    let solver_limits = Limits {
        time: None,
        cancel: Some(cancel.clone()),
        ..limits.to_solver_limits()
    };
    let end = ThreadTime::now().as_duration() + limits.time;
    let (outcome, stats, time) = thread::scope(|scope| {
        let (done, is_done) = mpsc::channel::<()>();
        scope.spawn(move || {
            let look = Duration::from_millis(2);
            while is_done.recv_timeout(look) == Err(RecvTimeoutError::Timeout) {
                if meter.used().is_none_or(|used| used >= end) {
                    return cancel.cancel();
                }
            }
        });
        let watch = Clock::Processor.start();
        let (outcome, stats) = solver.solve(puzzle, &solver_limits, &mut NullObserver);
        let time = watch.elapsed();
        drop(done);
        (outcome, stats, time)
    });
    if time >= limits.time {
        (ended_by_time(&outcome), stats, time)
    } else {
        (outcome, stats, time)
    }
}

/// Reads the processor time of one thread from another. The system's figure may lag behind by a few
/// milliseconds.
struct ThreadMeter {
    path: PathBuf,
}

impl ThreadMeter {
    /// The meter of the current thread, if the system has one.
    fn of_this_thread() -> Option<Self> {
        let thread = std::fs::read_link("/proc/thread-self").ok()?;
        let path = Path::new("/proc").join(thread).join("schedstat");
        let meter = Self { path };
        meter.used().map(|_| meter)
    }

    fn used(&self) -> Option<Duration> {
        let text = std::fs::read_to_string(&self.path).ok()?;
        let nanos = text.split_whitespace().next()?.parse().ok()?;
        Some(Duration::from_nanos(nanos))
    }
}

/// The next wall-clock limit after `wall` sufficed for `used` of `wanted`: at least a tenth longer, so
/// that the attempts end, and at most ten times as long, since the machine may be idle by then.
fn next_wall_limit(wall: Duration, used: Duration, wanted: Duration) -> Duration {
    let missing = wanted.as_secs_f64() / used.as_secs_f64().max(1e-9);
    wall.mul_f64((missing * 1.05).clamp(1.1, 10.0))
}

#[cfg(test)]
mod tests {
    use ricochet_core::Solution;

    use super::*;
    use crate::corpus::Corpus;

    #[test]
    fn waiting_takes_no_processor_time() {
        let (wall, processor) = (Clock::Wall.start(), Clock::Processor.start());
        std::thread::sleep(Duration::from_millis(30));
        assert!(wall.elapsed() >= Duration::from_millis(30));
        assert!(processor.elapsed() < wall.elapsed());
    }

    /// What `--jobs` relies on: were the clock that of the process, each solve would be charged for
    /// its neighbours, and the sum would come out near four times the whole.
    #[test]
    fn solves_side_by_side_are_not_charged_for_each_other() {
        let corpus = Corpus::load("records/records").unwrap();
        let puzzle = &corpus.items[0].puzzle;
        let limits = SolveLimits {
            time: Duration::from_millis(20),
            clock: Clock::Processor,
            ..SolveLimits::default()
        };
        let whole = cpu_time::ProcessTime::now();
        let timed: Duration = std::thread::scope(|scope| {
            let jobs: Vec<_> = (0..4)
                .map(|_| {
                    scope.spawn(|| {
                        let mut solver = "naive".parse::<SolverSpec>().unwrap().build();
                        solve(&mut *solver, puzzle, limits).2
                    })
                })
                .collect();
            jobs.into_iter().map(|job| job.join().unwrap()).sum()
        });
        assert!(timed >= limits.time * 4, "{timed:?}");
        assert!(timed <= whole.elapsed(), "{timed:?}");
    }

    #[test]
    fn a_solve_is_given_its_share_and_no_more() {
        let corpus = Corpus::load("records/records").unwrap();
        let puzzle = &corpus.items[0].puzzle;
        let mut solver = "naive".parse::<SolverSpec>().unwrap().build();
        let limits = SolveLimits {
            time: Duration::from_millis(50),
            clock: Clock::Processor,
            ..SolveLimits::default()
        };
        let (outcome, _, time) = solve(&mut *solver, puzzle, limits);
        assert!(
            matches!(
                outcome,
                Outcome::LimitReached {
                    limit: Limit::Time,
                    ..
                }
            ),
            "{outcome:?}"
        );
        assert!(time >= limits.time, "{time:?}");
    }

    #[test]
    fn a_watched_solve_ends_with_its_answer_or_with_its_share() {
        let Some(meter) = ThreadMeter::of_this_thread() else {
            return; // no such system
        };
        let corpus = Corpus::load("records/records").unwrap();
        let puzzle = &corpus.items[0].puzzle;
        let mut limits = SolveLimits {
            time: Duration::from_millis(30),
            clock: Clock::Processor,
            ..SolveLimits::default()
        };
        let mut naive = "naive".parse::<SolverSpec>().unwrap().build();
        let (outcome, _, time) = solve_watched(&mut *naive, puzzle, limits, &meter);
        assert_eq!(outcome, ended_by_time(&outcome));
        assert!(time >= limits.time, "{time:?}");
        limits.time = Duration::from_secs(10 * 60);
        let mut flagship = "flagship".parse::<SolverSpec>().unwrap().build();
        let (outcome, ..) = solve_watched(&mut *flagship, puzzle, limits, &meter);
        assert_eq!(outcome.solution().map(Solution::len), Some(22));
    }

    #[test]
    fn processor_time_is_for_solvers_of_one_thread() {
        let two = ["flagship:threads=2".parse().unwrap()];
        assert!(Clock::Wall.can_time(&two).is_ok());
        assert!(Clock::Processor.can_time(&two).is_err());
        assert!("sundial".parse::<Clock>().is_err());
    }

    #[test]
    fn the_next_attempt_is_longer_and_bounded() {
        let second = Duration::from_secs(1);
        assert_eq!(next_wall_limit(second, Duration::ZERO, second), second * 10);
        assert_eq!(
            next_wall_limit(second, second / 2, second),
            second.mul_f64(2.1)
        );
        assert_eq!(
            next_wall_limit(second, second.mul_f64(0.999), second),
            second.mul_f64(1.1)
        );
    }
}
