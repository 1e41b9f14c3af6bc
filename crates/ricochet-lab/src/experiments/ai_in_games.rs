//! The experiment of the report 'AI in Games': 40 rounds in sequence, with robots staying where a
//! solved round left them, six algorithms and three sets of parameters.

use std::collections::HashMap;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use ricochet_core::quadrants::Layout;
use ricochet_core::rng::Rng;
use ricochet_core::{Board, Cell, Goal, Puzzle, Solution, State, Trace};

use super::CommonOptions;
use crate::corpus::{CorpusPuzzle, Expectation};
use crate::experiments::published::{self, GameResult};
use crate::plot::{Axis, Chart, Mark, Series, Unit};
use crate::report::document::{Document, Section};
use crate::report::stats::Sample;
use crate::report::table::{Table, Value};
use crate::run::plan::SolveLimits;
use crate::run::solve::{SolveTask, solve_in_process};
use crate::run::store::row::{Mode, OutcomeKind, Row, RowKey, Verdict};
use crate::run::store::{self, Experiment, RowStore, RunData};
use crate::run::{ResultSender, RunSummary, print_above, progress_bar, run_parallel};
use ricochet_solve::registry::SolverSpec;

/// The kind in `experiment.json`.
pub(crate) const KIND: &str = "ai-in-games";

/// The six algorithms of the report in its order, and ours.
const ALGORITHMS: [&str; 7] = [
    "bfs",
    "dfs",
    "setup-bfs",
    "setup-dfs",
    "setup-position",
    "setup-crossblock",
    "flagship",
];

/// The longest time limit of a round.
const LONGEST_LIMIT: Duration = Duration::from_secs(24 * 60 * 60);

/// The options of the experiment.
#[derive(Clone, Debug)]
pub struct AiInGamesOptions {
    /// The board.
    pub layout: Layout,
    /// The factor of all time limits.
    pub time_scale: f64,
}

/// One game: an algorithm under one set of parameters.
struct Game {
    set: usize,
    spec: SolverSpec,
    time: Duration,
}

fn games(common: &CommonOptions, time_scale: f64) -> Result<Vec<Game>> {
    let published = published::games();
    let mut games = Vec::new();
    for (set, parameters) in published.parameter_sets.iter().enumerate() {
        let seconds = parameters.time_limit_s as f64 * time_scale;
        ensure!(
            seconds > 0.0 && seconds <= LONGEST_LIMIT.as_secs_f64(),
            "time scale {time_scale}: expected a positive number that keeps the longest time limit \
             under a day (at most 2880)"
        );
        for spec in common.solvers_or(&ALGORITHMS) {
            let text = if spec.name().starts_with("setup-") {
                format!(
                    "{spec}:color-depth={}:setup-depth={}",
                    published.single_color_depth_limit, parameters.setup_depth
                )
            } else {
                spec.to_string()
            };
            games.push(Game {
                set,
                spec: text.parse()?,
                time: Duration::from_secs_f64(seconds),
            });
        }
    }
    Ok(games)
}

/// The candidate goals of each round: all coloured targets, shuffled. They are the same for all games.
fn goals(board: &Board, seed: u64, rounds: usize) -> Vec<Vec<Goal>> {
    let targets: Vec<Goal> = board
        .targets()
        .iter()
        .filter(|target| target.robot.is_some())
        .map(|target| Goal {
            robot: target.robot,
            cell: target.cell,
        })
        .collect();
    let mut rng = Rng::new(seed);
    let shuffled = |_| {
        let mut goals = targets.clone();
        for last in (1..goals.len()).rev() {
            goals.swap(last, rng.below(last + 1));
        }
        goals
    };
    (0..rounds).map(shuffled).collect()
}

/// The goal of a round: the first one that is not reached already.
fn first_open(goals: &[Goal], state: State) -> Option<Goal> {
    let is_open = |goal: &&Goal| goal.robot.is_some_and(|robot| state[robot] != goal.cell);
    goals.iter().find(is_open).copied()
}

/// Robots in the corners: red north-west, green north-east, blue south-east, yellow south-west.
fn corners() -> [Cell; 4] {
    [
        Cell::new(0, 0),
        Cell::new(15, 0),
        Cell::new(15, 15),
        Cell::new(0, 15),
    ]
}

/// Plays the unfinished games. An interrupted game continues after its last round, since rows contain
/// the moves.
///
/// # Errors
/// If the directory is not usable.
pub fn run(common: &CommonOptions, options: &AiInGamesOptions) -> Result<RunSummary> {
    common.limits.clock.can_time(&common.solvers)?;
    let games: Vec<Game> = games(common, options.time_scale)?
        .into_iter()
        .enumerate()
        .filter(|(number, _)| common.shard.has(*number))
        .map(|(_, game)| game)
        .collect();
    let experiment = Experiment::new(KIND)
        .with("clock", common.limits.clock.to_string())
        .with("board", options.layout.to_string())
        .with("seed", common.seed.to_string())
        .with(
            "time limits",
            format!("those of the report times {}", options.time_scale),
        )
        .with("memory limit", common.limits.memory.to_string());
    let mut store = RowStore::open(&common.out, &experiment, common.shard)?;
    let earlier: HashMap<RowKey, Row> = store::merge(&common.out)?
        .rows
        .into_iter()
        .map(|row| (row.key(), row))
        .collect();
    let rounds = published::games().rounds as usize;
    let board = options.layout.board();
    let goals = goals(&board, common.seed, rounds);
    let start = Puzzle::new(board, &corners(), goals[0][0])?;
    let bar = progress_bar((games.len() * rounds) as u64, 0, "rounds", common.quiet);
    let mut done = RunSummary::default();
    run_parallel(
        common.jobs,
        games.iter(),
        || Ok(()),
        |(), game, results| {
            play(game, &start, &goals, common.limits, &earlier, results)
                .with_context(|| format!("{}, set {}", game.spec, game.set + 1))
        },
        |found| {
            bar.inc(1);
            let Some(row) = found else {
                done.skipped += 1;
                return Ok(());
            };
            store.append(&row)?;
            done.written += 1;
            if row.verdict == Verdict::Wrong {
                let sentence = format!(
                    "wrong: {} in {}, {}: {}",
                    row.solver, row.corpus, row.puzzle, row.detail
                );
                print_above(&bar, &sentence);
                done.wrong.push(sentence);
            }
            Ok(())
        },
    )?;
    bar.finish_and_clear();
    Ok(done)
}

/// Plays a game and sends each new row, or `None` for a round that was played earlier.
fn play(
    game: &Game,
    start: &Puzzle,
    goals: &[Vec<Goal>],
    limits: SolveLimits,
    earlier: &HashMap<RowKey, Row>,
    results: &ResultSender<'_, Option<Row>>,
) -> Result<()> {
    let corpus = format!("set {}", game.set + 1);
    let mut solver = Some(game.spec.build());
    let mut state = start.start();
    for (round, goals) in goals.iter().enumerate() {
        let goal = first_open(goals, state).context("every robot stands on all of its targets")?;
        let puzzle = start.with_position(state.cells(), goal)?;
        let item = CorpusPuzzle {
            id: format!("round {:02}", round + 1),
            puzzle,
            expectation: Expectation::Unknown,
        };
        let task = SolveTask {
            corpus: &corpus,
            item: &item,
            solver: game.spec.to_string(),
            run: 1,
            limits: SolveLimits {
                time: game.time,
                ..limits
            },
        };
        let key = RowKey {
            corpus: corpus.clone(),
            puzzle: item.id.clone(),
            solver: task.solver.clone(),
            run: 1,
            mode: Mode::Warm,
        };
        let (row, found) = if let Some(row) = earlier.get(&key) {
            (row.clone(), None)
        } else {
            let ready = match solver.take() {
                Some(ready) => ready,
                None => game.spec.build(),
            };
            let (row, survivor) = solve_in_process(&task, game.spec.guarantee(), ready);
            solver = survivor;
            (row.clone(), Some(row))
        };
        if !results.send(found) {
            break;
        }
        state = after(&item.puzzle, &row)?;
    }
    Ok(())
}

/// The state after a round: the end of the solution, or the unchanged start.
fn after(puzzle: &Puzzle, row: &Row) -> Result<State> {
    if row.outcome != OutcomeKind::Solved {
        return Ok(puzzle.start());
    }
    let solution: Solution = row.moves.parse()?;
    let trace = Trace::play(puzzle, solution.moves())
        .with_context(|| format!("the moves recorded for {} cannot be played", row.puzzle))?;
    Ok(trace.end())
}

/// One line of the report's tables, measured by us.
#[derive(Clone, Copy, Debug, PartialEq)]
struct GameAverages {
    seconds: Option<f64>,
    moves: Option<f64>,
    failed: usize,
    timeouts: usize,
    memory: usize,
    solved: usize,
    rounds: usize,
}

fn measure(rows: &[&Row]) -> GameAverages {
    let of = |ending: OutcomeKind| rows.iter().filter(move |row| row.outcome == ending);
    let memory = of(OutcomeKind::Limit)
        .filter(|row| row.detail.contains("memory"))
        .count();
    GameAverages {
        seconds: Sample::new(of(OutcomeKind::Solved).map(|row| row.micros / 1e6)).mean(),
        moves: Sample::new(of(OutcomeKind::Solved).filter_map(|row| row.length.map(f64::from)))
            .mean(),
        failed: of(OutcomeKind::Failed).count(),
        timeouts: of(OutcomeKind::Limit).count() - memory,
        memory,
        solved: of(OutcomeKind::Solved).count(),
        rounds: rows.len(),
    }
}

/// The report.
pub fn document(data: &RunData) -> Document {
    let published = published::games();
    let mut sections = Vec::new();
    let mut all: Vec<Vec<Option<GameAverages>>> = Vec::new();
    for (set, parameters) in published.parameter_sets.iter().enumerate() {
        let corpus = format!("set {}", set + 1);
        let mut section = Section::new(&format!("Parameter set {}", set + 1));
        let mut table = Table::new(
            &format!("set-{}", set + 1),
            &format!(
                "Setup depth {}, time limit {} s (times the scale of this run); averages over the solved rounds",
                parameters.setup_depth, parameters.time_limit_s
            ),
            &[
                "algorithm",
                "rounds",
                "avg time",
                "avg moves",
                "failed",
                "timeouts",
                "out of memory",
                "solved",
                "*avg time",
                "*avg moves",
                "*failed",
                "*timeouts",
                "*solved",
            ],
        );
        let mut line = Vec::new();
        for (i, name) in ALGORITHMS.iter().enumerate() {
            let rows: Vec<&Row> = data
                .rows
                .iter()
                .filter(|row| row.corpus == corpus && row.solver.split(':').next() == Some(name))
                .collect();
            let ours = (!rows.is_empty()).then(|| measure(&rows));
            line.push(ours);
            let theirs = parameters
                .results
                .iter()
                .find(|r| r.algorithm as usize == i + 1);
            if let Some(ours) = ours {
                table.push(table_row(name, ours, theirs));
            }
        }
        // The table is wide enough without a column of equal values.
        if line.iter().flatten().all(|ours| ours.memory == 0) {
            table.drop_column("out of memory");
        }
        all.push(line);
        section.table(table);
        sections.push(section);
    }
    sections.insert(
        0,
        figures(
            &all,
            &published
                .parameter_sets
                .iter()
                .map(|p| p.results.as_slice())
                .collect::<Vec<_>>(),
        ),
    );
    let mut why = Section::new("Where ours differ");
    let limits = data.experiment.parameters.get("time limits");
    let sets = published.parameter_sets.iter();
    why.list([
        "The board and goals of the AI in Games report are not known; ours are an official layout and goals drawn from a seed, the same for every algorithm, except that a goal that is already reached is skipped.".to_owned(),
        format!(
            "Time limits of this run: {}. The report does not name a machine.",
            limits.map_or("those of the report", String::as_str)
        ),
        solved_rounds(&all, &sets.map(|set| set.results.as_slice()).collect::<Vec<_>>()),
        "Rounds build on each other: an algorithm that solves a round differently gets other positions afterwards. Forty rounds are few; differences of a round or two mean nothing.".to_owned(),
        "'Failed' means that the algorithm had nothing left to try within its depth limits; 'timeouts' ended at the time limit; rounds that ended at the memory limit are counted separately.".to_owned(),
    ]);
    sections.push(why);
    Document {
        title: "The AI in Games report".into(),
        lead: "The experiment of the AI in Games report (L. Diepold): 40 rounds in sequence, six algorithms, three sets of parameters, and the flagship for comparison.".into(),
        sections,
    }
}

/// The solved rounds of every algorithm, measured and published, for each set.
fn solved_rounds(ours: &[Vec<Option<GameAverages>>], theirs: &[&[GameResult]]) -> String {
    let parts = ALGORITHMS.iter().enumerate().filter_map(|(i, name)| {
        let mine: Option<Vec<String>> = ours
            .iter()
            .map(|line| Some(line[i]?.solved.to_string()))
            .collect();
        let published: Option<Vec<String>> = theirs
            .iter()
            .map(|set| {
                let result = set.iter().find(|r| r.algorithm as usize == i + 1)?;
                Some(result.solved.to_string())
            })
            .collect();
        let published = published.map_or_else(String::new, |list| {
            format!(" (report: {})", list.join(", "))
        });
        Some(format!("`{name}` {}{published}", mine?.join(", ")))
    });
    format!(
        "Rounds solved under the three sets of parameters: {}.",
        parts.collect::<Vec<_>>().join("; ")
    )
}

fn table_row(name: &str, ours: GameAverages, theirs: Option<&GameResult>) -> Vec<Value> {
    let seconds = |value: Option<f64>| Value::or_missing(value, |s| Value::Micros(s * 1e6));
    let moves = |value: Option<f64>| Value::or_missing(value, |m| Value::Real(m, 2));
    vec![
        name.into(),
        ours.rounds.into(),
        seconds(ours.seconds),
        moves(ours.moves),
        ours.failed.into(),
        ours.timeouts.into(),
        ours.memory.into(),
        ours.solved.into(),
        seconds(theirs.map(|t| t.avg_seconds)),
        moves(theirs.map(|t| t.avg_moves)),
        theirs.map(|t| t.failed).into(),
        theirs.map(|t| t.timeouts).into(),
        theirs.map(|t| t.solved).into(),
    ]
}

/// The three figures that the report draws.
fn figures(ours: &[Vec<Option<GameAverages>>], theirs: &[&[GameResult]]) -> Section {
    type Pick = (
        &'static str,
        &'static str,
        Axis,
        fn(&GameAverages) -> Option<f64>,
        fn(&GameResult) -> f64,
    );
    let picks: [Pick; 3] = [
        (
            "avg-time",
            "Average time of the solved rounds, log scale. An algorithm that solved no round has no bar.",
            Axis::log("average time", Unit::Micros),
            |m| m.seconds.map(|s| s * 1e6),
            |r| r.avg_seconds * 1e6,
        ),
        (
            "avg-moves",
            "Average moves of the solved rounds.",
            Axis::linear("average moves", Unit::Plain),
            |m| m.moves,
            |r| r.avg_moves,
        ),
        (
            "solved",
            "Rounds solved, out of 40.",
            Axis::linear("solved rounds", Unit::Plain),
            |m| Some(m.solved as f64),
            |r| f64::from(r.solved),
        ),
    ];
    let mut section = Section::new("The report's figures");
    section.text("Algorithms 1 to 6 are `bfs`, `dfs`, `setup-bfs`, `setup-dfs`, `setup-position` and `setup-crossblock`.");
    for (name, caption, y, mine, published) in picks {
        let mut series = Vec::new();
        for (set, line) in ours.iter().enumerate() {
            let points = line
                .iter()
                .enumerate()
                .filter_map(|(i, m)| Some((i as f64, mine(m.as_ref()?)?)));
            series.push(Series::new(
                format!("set {}", set + 1),
                set,
                points.collect(),
            ));
            let points = theirs[set]
                .iter()
                .map(|r| (f64::from(r.algorithm) - 1.0, published(r)));
            series.push(Series::published(
                format!("set {}", set + 1),
                set,
                points.collect(),
            ));
        }
        let names = ALGORITHMS
            .iter()
            .map(|&n| n.trim_start_matches("setup-").to_owned());
        let mut names: Vec<String> = names.collect();
        names[2] = "s-bfs".into();
        names[3] = "s-dfs".into();
        section.figure(
            name,
            caption,
            Chart {
                mark: Mark::Bar,
                x: Axis::names("algorithm", names),
                y,
                series,
            },
        );
    }
    section
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::store::row::sample;

    #[test]
    fn averages_are_over_the_solved_rounds() {
        let mut rows = [
            sample("a", "s", 1e6),
            sample("b", "s", 3e6),
            sample("c", "s", 9e6),
            sample("d", "s", 9e6),
            sample("e", "s", 9e6),
        ];
        rows[1].length = Some(9);
        for (row, ending, detail) in [
            (2, OutcomeKind::Limit, "time limit"),
            (3, OutcomeKind::Limit, "memory limit"),
            (4, OutcomeKind::Failed, "search space exhausted"),
        ] {
            rows[row].outcome = ending;
            rows[row].detail = detail.into();
        }
        let measured = measure(&rows.iter().collect::<Vec<_>>());
        assert_eq!(measured.seconds, Some(2.0));
        assert_eq!(measured.moves, Some(7.0));
        assert_eq!(
            (
                measured.solved,
                measured.timeouts,
                measured.memory,
                measured.failed
            ),
            (2, 1, 1, 1)
        );
    }

    #[test]
    fn goals_are_the_same_for_a_seed_and_each_asks_for_a_move() {
        let board = "1A 4B 3B 2B".parse::<Layout>().unwrap().board();
        let rounds = goals(&board, 7, 40);
        assert_eq!(rounds, goals(&board, 7, 40));
        assert_ne!(rounds, goals(&board, 8, 40));
        let distinct: std::collections::HashSet<Cell> =
            rounds.iter().map(|goals| goals[0].cell).collect();
        assert!(distinct.len() > 8, "{distinct:?}");
        let robot = rounds[0][0].robot.unwrap();
        let mut cells = corners();
        cells[robot.index()] = rounds[0][0].cell;
        let puzzle = Puzzle::new(board, &cells, rounds[0][1]).unwrap();
        assert_eq!(first_open(&rounds[0], puzzle.start()), Some(rounds[0][1]));
        assert_eq!(first_open(&rounds[0][..1], puzzle.start()), None);
    }
}
