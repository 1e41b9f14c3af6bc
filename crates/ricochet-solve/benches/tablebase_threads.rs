//! How much faster several threads than one count all states of a board and target, as CSV.
//!
//! `cargo bench -q -p ricochet-solve --bench tablebase_threads [-- THREADS [TIMES]]`: four
//! robots to the target of the 25-move record, with one thread and with THREADS (default 2) in turn, TIMES
//! times (default 7). Wall-clock time needs as many idle cores as threads, so each row also has the
//! processor time of this process and of all others (0 if the system does not report it). The last line has the medians and their ratio.

use std::error::Error;
use std::time::Instant;

use ricochet_core::quadrants::Layout;
use ricochet_core::{Cell, Goal, Puzzle, Robot};
use ricochet_solve::tablebase::{Builder, Space};
use ricochet_solve::{Limits, NullObserver};

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Processor time in seconds: of this process, and of all.
fn processor_seconds() -> (f64, f64) {
    let own = || -> Option<u64> {
        let text = std::fs::read_to_string("/proc/self/stat").ok()?;
        let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(11);
        Some(fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?)
    };
    let all = || -> Option<u64> {
        let text = std::fs::read_to_string("/proc/stat").ok()?;
        // User, nice and system time.
        let fields = text.lines().next()?.split_whitespace().skip(1).take(3);
        fields.map(|field| field.parse::<u64>().ok()).sum()
    };
    (
        own().unwrap_or(0) as f64 / 100.0,
        all().unwrap_or(0) as f64 / 100.0,
    )
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).filter(|a| a != "--bench");
    let mut number = |default| arguments.next().map_or(Ok(default), |text| text.parse());
    let (threads, times): (usize, usize) = (number(2)?, number(7)?);
    let layout: Layout = "4B 3B 2B 1A".parse()?;
    let goal = Goal {
        robot: Some(Robot::RED),
        cell: Cell::new(9, 12),
    };
    let start: Vec<Cell> = (0..4).map(|x| Cell::new(x, 0)).collect();
    let space = Space::of(&Puzzle::new(layout.board(), &start, goal)?)?;
    let mut builders = [1, threads].map(|threads| (threads, Builder::new(threads), Vec::new()));
    println!("round,threads,wall_seconds,processor_seconds,seconds_of_others");
    // The first round touches the memory and does not count.
    for round in 0..=times {
        for (threads, builder, seconds) in &mut builders {
            let (own_before, all_before) = processor_seconds();
            let started = Instant::now();
            let survey = builder.survey(&space, 0, &Limits::default(), &mut NullObserver)?;
            let taken = started.elapsed().as_secs_f64();
            let (own, all) = processor_seconds();
            let (own, all) = (own - own_before, all - all_before);
            assert_eq!(survey.histogram.states(), 656_239_500);
            assert_eq!(survey.histogram.counts[25], 2);
            println!("{round},{threads},{taken:.3},{own:.2},{:.2}", all - own);
            if round > 0 {
                seconds.push(taken);
            }
        }
    }
    let [one, many] = builders.map(|(_, _, mut seconds)| median(&mut seconds));
    println!(
        "# medians: {one:.3} s with one thread, {many:.3} s with {threads}: {:.2} times as fast",
        one / many
    );
    Ok(())
}
