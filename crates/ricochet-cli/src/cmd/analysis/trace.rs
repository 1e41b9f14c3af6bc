//! `ricochet trace`

use std::fmt::Write;

use ricochet_service::posthoc::posthoc;
use ricochet_service::questions::trace::{TraceAnswer, TraceEvent, TraceHeader, check_traceable};
use ricochet_solve::trace::Recorder;
use ricochet_solve::{DepthRow, Observer};

use crate::answer::Answer;
use crate::args::search::SearchArgs;
use crate::exit_code::ExitCode;
use crate::term::output::Output;
use crate::term::plain::Plain;
use crate::term::units::thousands;
use ricochet_core::describe::plural;

/// Show every step of a search, to watch an algorithm work
///
/// Each event has a number, a node with its parent, the move, the cell of each robot that stands
/// elsewhere than in the parent, g (moves made) and h (a lower bound on the moves left). Only the
/// first --events events are kept, but all are counted; the counts equal the solver's statistics.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The format to write
    #[arg(long, short, value_name = "FORMAT", default_value = "text")]
    to: Form,

    /// Keep at most this many events
    #[arg(long, value_name = "N", default_value_t = Recorder::DEFAULT_EVENTS)]
    events: usize,

    #[command(flatten)]
    search: SearchArgs,
}

/// The form of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    /// One line per event, for people
    Text,
    /// One JSON object per line: a header, then the events
    Jsonl,
    /// A search trace in Posthoc's format 1.4.0
    Posthoc,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    let mut solver = args.search.solver.build_reproducible()?;
    check_traceable(solver.name())?;
    let (batch, limits) = args.search.batch(args.to != Form::Text)?;
    batch.each(output, |read, output| {
        let mut recorder = Recorder::new(args.events);
        let answer = {
            let mut observer = Recording {
                progress: &mut output.progress().search_observer(&read.name),
                recorder: &mut recorder,
            };
            Answer::solve(solver.as_mut(), read, &limits, &mut observer)
        };
        let result = answer.row();
        let header = TraceHeader::of(&answer.puzzle, result, &answer.stats, &recorder);
        let events = recorder.events().iter().map(TraceEvent::of);
        match args.to {
            Form::Text => {
                let mut text = String::new();
                for event in events {
                    write_line(&mut text, &event)?;
                }
                write_summary(&mut text, &answer, &header)?;
                output.record(format_args!("{text}"))?;
            }
            Form::Jsonl => {
                output.json(&header)?;
                for event in events {
                    output.json(&event)?;
                }
            }
            Form::Posthoc => {
                let events = events.collect();
                output.json(&posthoc(&answer.puzzle, &TraceAnswer { header, events }))?;
            }
        }
        Ok(answer.exit_code())
    })
}

/// Shows the progress of a search and records it.
struct Recording<'a> {
    progress: &'a mut dyn Observer,
    recorder: &'a mut Recorder,
}

impl Observer for Recording<'_> {
    fn depth_done(&mut self, row: &DepthRow) {
        self.progress.depth_done(row);
    }

    fn recorder(&mut self) -> Option<&mut Recorder> {
        Some(self.recorder)
    }
}

/// `12 generate 9 from 3: RE, R at (7,0), g 2, h 1`
fn write_line(text: &mut String, event: &TraceEvent) -> std::fmt::Result {
    let kind = serde_json::to_value(event.kind).unwrap_or_default();
    write!(
        text,
        "{:>6}  {:<13}",
        event.number,
        kind.as_str().unwrap_or("")
    )?;
    let node = match (event.id, event.parent) {
        (Some(id), Some(parent)) => format!("{id} from {parent}"),
        (Some(id), None) => id.to_string(),
        (None, Some(parent)) => format!("at {parent}"),
        (None, None) => String::new(),
    };
    let mut facts = Vec::new();
    facts.extend(event.play.map(|play| play.0.to_string()));
    for (robot, [x, y]) in &event.robots {
        facts.push(format!("{} at ({x},{y})", robot.0.letter()));
    }
    let number = |name: &str, value: Option<u32>| value.map(|value| format!("{name} {value}"));
    facts.extend(number("depth", event.depth));
    facts.extend(number("g", event.g));
    facts.extend(number("h", event.h));
    facts.extend(number("f", event.f));
    if let Some(reason) = event.reason {
        let reason = serde_json::to_value(reason).unwrap_or_default();
        facts.push(format!("because of {}", reason.as_str().unwrap_or("")));
    }
    facts.extend(event.same_as.map(|node| format!("same as {node}")));
    facts.extend(event.depends_on.map(|node| format!("stopped by {node}")));
    facts.extend(event.cell.map(|[x, y]| format!("over ({x},{y})")));
    facts.extend(event.score.as_ref().map(|score| format!("score {score}")));
    for (name, cells) in [("cells", &event.cells), ("helpers", &event.helpers)] {
        if let Some(cells) = cells {
            let cells: Vec<String> = cells.iter().map(|[x, y]| format!("({x},{y})")).collect();
            facts.push(format!("{name} {}", cells.join(" ")));
        }
    }
    if let Some(edges) = &event.edges {
        facts.push(plural(edges.len(), "changed edge"));
    }
    let count = |name: &str, value: Option<u64>| value.map(|value| format!("{name} {value}"));
    facts.extend(count("nodes", event.nodes));
    facts.extend(count("inner", event.inner));
    facts.extend(count("hits", event.hits));
    if let Some(moves) = &event.moves {
        let moves: Vec<String> = moves.0.iter().map(ToString::to_string).collect();
        facts.push(moves.join(" "));
    }
    let line = match (node.is_empty(), facts.is_empty()) {
        (true, _) => facts.join(", "),
        (false, true) => node,
        (false, false) => format!("{node}: {}", facts.join(", ")),
    };
    writeln!(text, "{}", line.trim_end())
}

fn write_summary(text: &mut String, answer: &Answer, header: &TraceHeader) -> std::fmt::Result {
    let kept = match header.total - header.kept as u64 {
        0 => String::new(),
        more => format!("; the other {} are only counted", thousands(more)),
    };
    let total = thousands(header.total);
    writeln!(text, "{}: {total} events{kept}", Plain(&answer.name))?;
    for (kind, count) in &header.counts {
        writeln!(text, "  {kind:<14} {:>10}", thousands(*count))?;
    }
    for (reason, count) in &header.prunes {
        writeln!(text, "    {reason:<12} {:>10}", thousands(*count))?;
    }
    writeln!(text, "{}", answer.verdict())
}
