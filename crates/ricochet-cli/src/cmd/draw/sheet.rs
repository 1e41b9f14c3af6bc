//! Puzzles on printable pages.

use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use ricochet_core::describe::plural;
use ricochet_draw::{Paper, Sheet, SheetPuzzle, goal_caption};
use ricochet_solve::difficulty::Features;
use ricochet_solve::{Limit, Limits, Outcome};

use super::destination::{Destination, Format};
use super::{Args, Renderer, SolvedPuzzle, Switch};
use crate::cmd::draw::page_files::{PIXELS_PER_INCH, write_file, write_pages};
use crate::exit_code::ExitCode;
use crate::term::output::Output;

/// Time limits for grading one puzzle and all puzzles of a sheet. The grade is one word of a caption,
/// which is useful without it.
const GRADE: Duration = Duration::from_secs(3);
const GRADES: Duration = Duration::from_secs(30);

pub(super) fn draw(
    args: &Args,
    renderer: &mut Renderer<'_>,
    destination: &Destination,
    output: &mut Output,
) -> anyhow::Result<ExitCode> {
    let mut entries = Vec::new();
    let mut to_spend = GRADES;
    let mut ungraded = 0;
    let code = args
        .search
        .puzzles
        .batch(false)?
        .each(output, |read, output| {
            let solved = renderer.solve(read, output)?;
            let code = solved.code;
            let started = Instant::now();
            let limits = Limits {
                time: Some(GRADE.min(to_spend)),
                ..renderer.limits.clone()
            };
            let (caption, graded) = if args.sheet.no_moves {
                (goal_caption(&solved.puzzle), true)
            } else {
                caption(&solved, &limits)
            };
            ungraded += usize::from(!graded);
            to_spend = to_spend.saturating_sub(started.elapsed());
            entries.push((solved, caption));
            Ok(code)
        })?;
    ensure!(!entries.is_empty(), "the sheet has no puzzles");
    if ungraded > 0 {
        output.note(format_args!(
            "note: {} without a grade, which would take too long to find; `ricochet rate` has no such limit",
            plural(ungraded, "puzzle")
        ));
    }
    let paper = Paper::from_name(&args.sheet.paper).context("no such paper")?;
    let mut sheet = Sheet::new(args.sheet.title.as_str())
        .theme(renderer.theme.clone())
        .paper(paper)
        .coordinates(args.coordinates == Switch::On)
        .per_page(usize::from(args.sheet.per_page));
    for (solved, caption) in &entries {
        let puzzle = SheetPuzzle::new(&solved.puzzle).caption(caption.as_str());
        sheet.add(match (&solved.trace, &solved.outcome) {
            (Some(trace), _) => puzzle.solution(trace),
            (None, Some(outcome)) => puzzle.no_solution(missing_solution_text(outcome)),
            (None, None) => puzzle,
        });
    }
    let missing = sheet.missing_letters();
    if !missing.is_empty() {
        let missing: Vec<String> = missing.iter().map(char::to_string).collect();
        output.note(format_args!(
            "note: the font has no letters for {}: they are drawn as boxes",
            missing.join(" ")
        ));
    }
    match (destination, renderer.format) {
        (Destination::File(file), Format::Svg) => {
            write_pages(file, &sheet.pages().svg(), output)?;
        }
        (Destination::File(file), Format::Png) => {
            write_pages(file, &sheet.pages().png(PIXELS_PER_INCH)?, output)?;
        }
        (Destination::File(file), _) => write_file(file, &sheet.pages().pdf(), output)?,
        _ => output.bytes(&sheet.pages().pdf())?,
    }
    Ok(code)
}

/// The caption of a board, `blue to its hexagon · 8 moves · hard`, and whether there was time for the
/// grade.
fn caption(solved: &SolvedPuzzle, limits: &Limits) -> (String, bool) {
    let puzzle = &solved.puzzle;
    let goal = goal_caption(puzzle);
    let text = match &solved.outcome {
        Some(Outcome::Solved {
            solution,
            optimal: true,
            ..
        }) => {
            let moves = plural(solution.len(), "move");
            // A grade can take longer than a solution.
            return match Features::of(puzzle, solution.len() as u32, limits) {
                Ok(Some(features)) => {
                    let caption = format!("{goal} · {moves} · {}", features.difficulty());
                    (caption, true)
                }
                _ => (format!("{goal} · {moves}"), false),
            };
        }
        Some(Outcome::Solved { solution, .. }) => {
            format!("{goal} · at most {}", plural(solution.len(), "move"))
        }
        _ => match puzzle.known_optimal() {
            Some(moves) => format!("{goal} · {}", plural(moves as usize, "move")),
            None => goal,
        },
    };
    (text, true)
}

/// The text on the page of solutions for a puzzle without one.
fn missing_solution_text(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Unsolvable | Outcome::Solved { .. } => "It has no solution.".to_owned(),
        Outcome::LimitReached { limit, lower_bound } => {
            let why = if *limit == Limit::Cancelled {
                "the search was stopped".to_owned()
            } else {
                format!("the {limit} was reached")
            };
            format!(
                "No solution was found: {why}. It needs at least {}.",
                plural(*lower_bound as usize, "move")
            )
        }
        Outcome::Failed { .. } => "No solution was found: the solver failed.".to_owned(),
    }
}
