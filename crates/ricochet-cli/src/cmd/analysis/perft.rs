//! `ricochet perft`

use std::fmt::Write;

use anyhow::{Context, bail};
use ricochet_core::perft::{Identity, Layers, Perft, Reversals};
use ricochet_service::command_rows::{PerftMoveRow, PerftRow};
use ricochet_service::json::MoveName;
use ricochet_solve::memory::available_memory;

use crate::args::names::corpus_names;
use crate::args::puzzles::ReadArgs;
use crate::args::whole_number::whole_number;
use crate::batch;
use crate::exit_code::ExitCode;
use crate::term::output::Output;
use crate::term::plain::Plain;
use crate::term::units::thousands;

/// Count move sequences and distinct positions by depth
///
/// The name is from chess programming: performance test. The columns are: 'sequences', all
/// sequences of that many moves; 'onward', those in which no robot immediately reverses its last
/// move; 'tree', all onward sequences up to that depth, as in Fogleman's slides; 'states', the
/// positions first reached at that depth; and 'sorted', the same, but positions that differ only in a
/// swap of interchangeable robots count once. Each row takes about eight times as long as the
/// one before.
#[derive(clap::Args, Debug)]
#[command(override_usage = "ricochet perft [OPTIONS] <PUZZLE> <DEPTH>\n       \
                            ricochet perft [OPTIONS] --layout <LAYOUT> --robots <CELLS> --target <TARGET> <DEPTH>")]
pub(crate) struct Args {
    /// A file, one-line notation, a DriftingDroids ID, a URL, a built-in puzzle such as random:2,
    /// or - for standard input. Omit it if --layout is given
    #[arg(value_name = "PUZZLE", value_parser = corpus_names(), hide_possible_values = true)]
    puzzle: String,

    /// The maximum depth, 0 to 1000
    #[arg(value_name = "DEPTH", value_parser = whole_number::<u32>(0..=1000))]
    depth: Option<u32>,

    /// Only these columns. Default: all
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    columns: Vec<Column>,

    /// Print one count for each first move: sequences of DEPTH moves, or only onward ones with
    /// --columns onward
    #[arg(long)]
    divide: bool,

    /// Print one JSON object per row
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    read: ReadArgs,
}

/// What can be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Column {
    /// Sequences of moves
    Sequences,
    /// Sequences without immediate reversals
    Onward,
    /// All onward sequences up to the depth
    Tree,
    /// Positions first reached at this depth
    States,
    /// Positions first reached at this depth; those that differ only by swapping interchangeable
    /// robots count once
    Sorted,
}

impl Column {
    const ALL: [Self; 5] = [
        Self::Sequences,
        Self::Onward,
        Self::Tree,
        Self::States,
        Self::Sorted,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Sequences => "sequences",
            Self::Onward => "onward",
            Self::Tree => "tree",
            Self::States => "states",
            Self::Sorted => "sorted",
        }
    }

    /// The width of the column. Rows are printed as they come, so it is fixed; all columns together fit
    /// in 80 characters for every depth that finishes in reasonable time.
    fn width(self) -> usize {
        match self {
            Self::Sequences => 15,
            Self::Onward | Self::Tree => 14,
            Self::States | Self::Sorted => 11,
        }
    }
}

impl Args {
    /// The PUZZLE argument and the depth. With --layout there is no PUZZLE, so the only argument is the
    /// depth.
    fn puzzle_and_depth(&self) -> anyhow::Result<(Option<&str>, u32)> {
        match (self.read.layout, self.depth) {
            (None, Some(depth)) => Ok((Some(&self.puzzle), depth)),
            (Some(_), None) => {
                let depth = self.puzzle.parse().ok();
                let depth = depth.filter(|depth: &u32| *depth <= 1000);
                let depth = depth.with_context(|| {
                    format!(
                        "expected a depth, 0 to 1000, found '{}'",
                        Plain(&self.puzzle)
                    )
                })?;
                Ok((None, depth))
            }
            (None, None) => {
                bail!("the depth is missing: expected a number from 0 to 1000 after the puzzle")
            }
            (Some(_), Some(_)) => bail!("give either PUZZLE and DEPTH, or --layout and DEPTH"),
        }
    }
}

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    let (name, depth) = args.puzzle_and_depth()?;
    let read = batch::single(name, args.read, args.json, output)?;
    let puzzle = &read.puzzle;
    if args.divide {
        let reversals = match args.columns[..] {
            [] | [Column::Sequences] => Reversals::Allowed,
            [Column::Onward] => Reversals::Forbidden,
            _ => {
                bail!("--divide counts 'sequences' or 'onward' ones: expected one of these columns")
            }
        };
        let counts = Perft::new(puzzle, reversals).divide(depth);
        for (step, count) in &counts {
            if args.json {
                output.json(&PerftMoveRow {
                    id: read.id.clone(),
                    depth,
                    play: MoveName(*step),
                    count: *count,
                })?;
                continue;
            }
            output.record(format_args!("{step}  {}\n", thousands(*count)))?;
        }
        if args.json {
            return Ok(ExitCode::Solved);
        }
        let total: u64 = counts.iter().map(|(_, count)| count).sum();
        output.record(format_args!("all {}\n", thousands(total)))?;
        return Ok(ExitCode::Solved);
    }
    let columns = if args.columns.is_empty() {
        Column::ALL.to_vec()
    } else {
        args.columns.clone()
    };
    let mut counters: Vec<(Column, Counter)> = columns
        .into_iter()
        .map(|column| (column, Counter::new(column, puzzle)))
        .collect();
    let widths: Vec<usize> = counters.iter().map(|(column, _)| column.width()).collect();
    if !args.json {
        let heads = counters.iter().map(|(column, _)| column.name().to_owned());
        output.record(row("depth", heads, &widths))?;
    }
    for depth in 0..=depth {
        if args.json {
            let counts = counters
                .iter_mut()
                .map(|(column, counter)| (column.name().to_owned(), counter.next()));
            output.json(&PerftRow {
                id: read.id.clone(),
                depth,
                counts: counts.collect(),
            })?;
            continue;
        }
        let cells: Vec<String> = counters
            .iter_mut()
            .map(|(_, counter)| counter.next().map_or_else(|| "-".to_owned(), thousands))
            .collect();
        output.record(row(&depth.to_string(), cells, &widths))?;
    }
    if counters.iter().any(|(_, counter)| counter.gave_up()) {
        output.note(
            "note: a dash (or null) means that there may be more states than memory can hold",
        );
        return Ok(ExitCode::Limit);
    }
    Ok(ExitCode::Solved)
}

fn row(depth: &str, cells: impl IntoIterator<Item = String>, widths: &[usize]) -> String {
    let mut line = format!("{depth:>5}");
    for (cell, width) in cells.into_iter().zip(widths) {
        let _ = write!(line, "  {cell:>width$}");
    }
    line + "\n"
}

/// One column's counts, depth by depth.
enum Counter<'a> {
    Sequences(Perft<'a>),
    Tree {
        perft: Perft<'a>,
        sum: u64,
    },
    States {
        layers: Layers<'a>,
        seen: u64,
        growth: f64,
        last: u64,
    },
    GaveUp,
}

/// Bytes per state, including the empty slots of the hash set.
const BYTES_PER_STATE: u64 = 60;

impl<'a> Counter<'a> {
    fn new(column: Column, puzzle: &'a ricochet_core::Puzzle) -> Self {
        let states = |identity| Self::States {
            layers: Layers::new(puzzle, identity),
            seen: 0,
            growth: 10.0,
            last: 1,
        };
        match column {
            Column::Sequences => Self::Sequences(Perft::new(puzzle, Reversals::Allowed)),
            Column::Onward => Self::Sequences(Perft::new(puzzle, Reversals::Forbidden)),
            Column::Tree => Self::Tree {
                perft: Perft::new(puzzle, Reversals::Forbidden),
                sum: 0,
            },
            Column::States => states(Identity::Robots),
            Column::Sorted => states(Identity::Interchangeable),
        }
    }

    fn next(&mut self) -> Option<u64> {
        match self {
            Self::Sequences(perft) => perft.next(),
            Self::Tree { perft, sum } => {
                *sum += perft.next()?;
                Some(*sum)
            }
            Self::States {
                layers,
                seen,
                growth,
                last,
            } => {
                // The next layer is made together with this one's count: is there room for it?
                let expected = *seen as f64 + *last as f64 * *growth * *growth;
                if expected * BYTES_PER_STATE as f64 > available_memory().unwrap_or(u64::MAX) as f64
                {
                    *self = Self::GaveUp;
                    return None;
                }
                // No new states is a count of 0.
                let count = layers.next().unwrap_or(0);
                *seen += count;
                *growth = count as f64 / *last as f64;
                *last = count.max(1);
                Some(count)
            }
            Self::GaveUp => None,
        }
    }

    fn gave_up(&self) -> bool {
        matches!(self, Self::GaveUp)
    }
}
