//! Ratings: whether populations of simulated players agree, and how well people's attempts agree with
//! the simulation.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use cpu_time::ThreadTime;
use ricochet_core::describe::thousands;
use ricochet_core::generate::Recipe;
use ricochet_core::quadrants::Edition;
use ricochet_core::rng::Rng;
use ricochet_core::{Puzzle, Solution, notation};
use ricochet_solve::difficulty::{
    Choices, Difficulty, Features, Glicko2, Player, REFERENCE_PLAYERS, REFERENCE_SEED, Rating,
};
use ricochet_solve::flagship::Flagship;
use ricochet_solve::{Budget, Limits, NullObserver, Outcome, Solver, atomic_file};
use serde::Deserialize;

use crate::report::document::{Document, Section};
use crate::report::table::{Table, Value};
use crate::run::{micros, progress_bar};

/// Positions that take more nodes than this to solve and to rate are left out.
const NODES: u64 = 100_000;

/// Players of each population with dice.
const PLAYERS: u64 = 200;

/// Attempts at each position in a period.
const ATTEMPTS: usize = 5;

/// The periods after which ratings are compared.
const CHECKPOINTS: [usize; 3] = [4, 10, 20];

/// People's puzzles with fewer attempts are not compared.
const FEWEST_ATTEMPTS: usize = 5;

/// What to analyse.
#[derive(Clone, Debug)]
pub struct RatingsOptions {
    /// The output directory.
    pub out: PathBuf,
    /// The number of random positions.
    pub positions: u64,
    /// The seed of the positions. The reference players' ratings come from seed 6.
    pub seed: u64,
    /// People's attempts, as `GET /api/v1/attempts` writes them, to analyse instead.
    pub attempts: Option<PathBuf>,
    /// Whether to hide the progress bar.
    pub quiet: bool,
}

/// Runs the analysis and writes `ratings.csv` and a report.
///
/// # Errors
/// If the attempts cannot be read, there is nothing to compare, or the directory is not writable.
pub fn run(options: &RatingsOptions) -> Result<Document> {
    let (document, rows) = match &options.attempts {
        None => simulation(options)?,
        Some(path) => people(&read_attempts(path)?),
    };
    std::fs::create_dir_all(&options.out)
        .with_context(|| format!("cannot create {}", options.out.display()))?;
    atomic_file::write(options.out.join("ratings.csv"), rows.to_csv()?)?;
    document.write(&options.out)?;
    Ok(document)
}

/// A puzzle with what players see.
struct Sample {
    line: String,
    length: u32,
    choices: Choices,
    /// Microseconds to find a shortest solution, and then all features and themes.
    micros: [f64; 2],
}

impl Sample {
    /// `None` if a limit is reached, or there is no solution.
    fn of(puzzle: &Puzzle, solver: &mut Flagship) -> Option<Self> {
        let limits = Limits {
            nodes: Some(NODES),
            ..Limits::default()
        };
        let begin = ThreadTime::now();
        let (outcome, stats) = solver.solve(puzzle, &limits, &mut NullObserver);
        let solved = begin.elapsed();
        let Outcome::Solved {
            solution,
            optimal: true,
            ..
        } = outcome
        else {
            return None;
        };
        let length = solution.len() as u32;
        let left = Budget::after_search(&limits, solver, &stats).left();
        let begin = ThreadTime::now();
        Features::of(puzzle, length, &left).ok()??;
        let rated = begin.elapsed();
        Some(Self {
            line: notation::to_line(puzzle),
            length,
            choices: Choices::of(puzzle, length, &left).ok()??,
            micros: [solved, rated].map(micros),
        })
    }
}

fn simulation(options: &RatingsOptions) -> Result<(Document, Table)> {
    let recipe = Recipe::official(Edition::Of1999);
    let mut solver = Flagship::new();
    let mut samples = Vec::new();
    let bar = progress_bar(options.positions, 0, "positions", options.quiet);
    for number in 0..options.positions {
        samples.extend(Sample::of(
            &recipe.puzzle(options.seed, number)?,
            &mut solver,
        ));
        bar.inc(1);
    }
    bar.finish_and_clear();
    ensure!(samples.len() >= 2, "fewer than two positions were rated");
    let lengths: Vec<f64> = samples.iter().map(|it| f64::from(it.length)).collect();
    let ratings: Vec<Rating> = samples.iter().map(|it| Rating::of(&it.choices)).collect();
    let computed: Vec<f64> = ratings.iter().map(|it| it.value).collect();
    let bits = |it: &Sample| -it.choices.random_chance().log2();
    let random: Vec<f64> = samples.iter().map(bits).collect();
    let chances = |players: &[Player]| -> Vec<Vec<f64>> {
        let of_sample = |it: &Sample| -> Vec<f64> {
            let all = players.iter().map(|player| player.chance(&it.choices));
            all.collect()
        };
        samples.iter().map(of_sample).collect()
    };
    let one = tournament(&samples, 101, options.quiet);
    let other = tournament(&samples, 202, options.quiet);

    let mut agreement = Section::new("Two disjoint populations");
    agreement.text(format!(
        "{PLAYERS} players each, with dice. In each period every position is played {ATTEMPTS} times by players \
         near its rating, who learn from what they solve; Glicko-2 rates both sides.",
    ));
    let titles = CHECKPOINTS.map(|it| format!("{} attempts", it * ATTEMPTS));
    let mut columns = vec!["Spearman's rank correlation"];
    columns.extend(titles.iter().map(String::as_str));
    let mut table = Table::new("agreement", "Agreement of ratings", &columns);
    let mut row = |name: &str, value: &dyn Fn(usize) -> f64| {
        let mut cells = vec![Value::from(name)];
        cells.extend((0..CHECKPOINTS.len()).map(|it| Value::Real(value(it), 3)));
        table.push(cells);
    };
    let last = CHECKPOINTS.len() - 1;
    row("the two populations", &|at| spearman(&one[at], &other[at]));
    row("the first one and its final ratings", &|at| {
        spearman(&one[at], &one[last])
    });
    row("the first one and the computed rating", &|at| {
        spearman(&one[at], &computed)
    });
    row("the first one and length alone", &|at| {
        spearman(&one[at], &lengths)
    });
    row("the first one and random play", &|at| {
        spearman(&one[at], &random)
    });
    agreement.table(table);
    agreement.text(
        "Random play: -log2 of the chance that random legal moves follow a shortest solution. Without its extra \
         move and its count of helper moves, this is how difficulty was measured in bits.",
    );

    let mut same = Section::new("Positions of the same length");
    same.text("For these, length says nothing.");
    let mut table = Table::new(
        "same-length",
        "Agreement of the two populations",
        &["moves", "positions", "Spearman"],
    );
    for length in 1..=20 {
        let of_length = |all: &[f64]| -> Vec<f64> {
            let all = all.iter().zip(&samples);
            let own = all.filter(|it| it.1.length == length);
            own.map(|it| *it.0).collect()
        };
        let [one, other] = [&one, &other].map(|all| of_length(&all[last]));
        if one.len() >= 20 {
            table.push(vec![
                u64::from(length).into(),
                (one.len() as u64).into(),
                Value::Real(spearman(&one, &other), 3),
            ]);
        }
    }
    same.table(table);

    let mut kinds = Section::new("Computed ratings");
    let (players, of_fit) = fit(&chances(&population(
        REFERENCE_SEED,
        REFERENCE_PLAYERS as u64,
    )));
    let mut forward = population(5, 64);
    for player in &mut forward {
        player.backward = 0.2;
    }
    let mut backward = population(6, 64);
    for player in &mut backward {
        player.forward = 0.2;
        player.backward += 0.5;
    }
    let [forward, backward] = [forward, backward].map(|players| fit(&chances(&players)).1);
    let mut table = Table::new(
        "computed",
        "Spearman's rank correlation of computed ratings",
        &["with", "Spearman"],
    );
    for (name, value) in [
        ("length alone", spearman(&computed, &lengths)),
        ("random play", spearman(&computed, &random)),
        (
            "the fit of the reference players to these positions",
            spearman(&computed, &of_fit),
        ),
        (
            "players that only look forwards, with those that mostly look backwards",
            spearman(&forward, &backward),
        ),
    ] {
        table.push(vec![name.into(), Value::Real(value, 3)]);
    }
    kinds.table(table);
    let rounded: Vec<String> = players.iter().map(|it| it.round().to_string()).collect();
    kinds.text(format!(
        "The ratings of the reference players that fit these positions: {}.",
        rounded.join(", ")
    ));
    let mut table = Table::new(
        "grades",
        "Positions by grade",
        &["grade", "positions", "share"],
    );
    for grade in Difficulty::ALL {
        let is_of = |it: &&f64| Difficulty::of_rating(**it) == grade;
        let count = computed.iter().filter(is_of).count();
        table.push(vec![
            grade.name().into(),
            (count as u64).into(),
            Value::Share(count as f64 / computed.len() as f64),
        ]);
    }
    kinds.table(table);

    let mut cost = Section::new("Cost");
    cost.text("Processor time of one core, which may have been busy with other work.");
    let titles = [
        "moves",
        "positions",
        "solve, median",
        "rate, median",
        "rate, 90 of 100",
        "rate, most",
    ];
    let mut table = Table::new("cost", "Processor time per position", &titles);
    let all = (1..=20).map(|length| (length.to_string(), length..=length));
    for (name, lengths) in all.chain([("all".to_owned(), 1..=u32::MAX)]) {
        let own = samples.iter().filter(|it| lengths.contains(&it.length));
        let [solve, rate] = [0, 1].map(|index| {
            let mut times: Vec<f64> = own.clone().map(|it| it.micros[index]).collect();
            times.sort_unstable_by(f64::total_cmp);
            times
        });
        if let Some(last) = rate.len().checked_sub(1) {
            table.push(vec![
                name.as_str().into(),
                (rate.len() as u64).into(),
                Value::Micros(solve[last / 2]),
                Value::Micros(rate[last / 2]),
                Value::Micros(rate[last * 9 / 10]),
                Value::Micros(rate[last]),
            ]);
        }
    }
    cost.table(table);
    let sum: f64 = samples.iter().map(|it| it.micros[0] + it.micros[1]).sum();
    cost.text(format!(
        "Solving and rating take {:.2} ms on average, so 10,000 positions take {:.0} s of one core.",
        sum / samples.len() as f64 / 1e3,
        sum / samples.len() as f64 / 1e2
    ));

    let mut rows = Table::new(
        "ratings",
        "Positions",
        &[
            "puzzle",
            "length",
            "rating",
            "deviation",
            "random_bits",
            "first",
            "second",
        ],
    );
    for (index, sample) in samples.iter().enumerate() {
        rows.push(vec![
            sample.line.as_str().into(),
            u64::from(sample.length).into(),
            Value::Real(ratings[index].value, 1),
            Value::Real(ratings[index].deviation, 1),
            Value::Real(random[index], 2),
            Value::Real(one[last][index], 1),
            Value::Real(other[last][index], 1),
        ]);
    }
    let document = Document {
        title: "Ratings by simulated players".into(),
        lead: format!(
            "{} of {} random positions of the boards of 1999, seed {}. No person's play was looked at.",
            thousands(samples.len() as u64),
            thousands(options.positions),
            options.seed
        ),
        sections: vec![agreement, same, kinds, cost],
    };
    Ok((document, rows))
}

fn population(seed: u64, players: u64) -> Vec<Player> {
    (0..players).map(|it| Player::new(seed, it)).collect()
}

/// The ratings of players and puzzles with which both do as well as expected; the players' mean is
/// 1500. `chances` has a row for each puzzle.
fn fit(chances: &[Vec<f64>]) -> (Vec<f64>, Vec<f64>) {
    let mut players = vec![1500.0; chances[0].len()];
    let mut puzzles = vec![1500.0; chances.len()];
    for _ in 0..60 {
        for (puzzle, row) in puzzles.iter_mut().zip(chances) {
            let games: Vec<(f64, f64)> = players.iter().copied().zip(row.iter().copied()).collect();
            *puzzle = Rating::of_chances(&games).value;
        }
        for (index, player) in players.iter_mut().enumerate() {
            // A puzzle wins when the player fails.
            let scores = chances.iter().map(|row| 1.0 - row[index]);
            let games: Vec<(f64, f64)> = puzzles.iter().copied().zip(scores).collect();
            *player = Rating::of_chances(&games).value;
        }
        let mean = players.iter().sum::<f64>() / players.len() as f64;
        for player in &mut players {
            *player += 1500.0 - mean;
        }
    }
    (players, puzzles)
}

/// The ratings of puzzles at the checkpoints of a tournament with dice, in which players learn.
fn tournament(samples: &[Sample], seed: u64, quiet: bool) -> Vec<Vec<f64>> {
    let mut rng = Rng::new(seed);
    let mut players = population(seed, PLAYERS);
    let mut ratings = vec![Glicko2::default(); players.len()];
    let mut puzzles = vec![Glicko2::default(); samples.len()];
    let mut reached = Vec::new();
    let periods = CHECKPOINTS[CHECKPOINTS.len() - 1];
    let bar = progress_bar(periods as u64, 0, "periods", quiet);
    for period in 1..=periods {
        let mut of_players = vec![Vec::new(); players.len()];
        let mut of_puzzles = vec![Vec::new(); samples.len()];
        for (number, sample) in samples.iter().enumerate() {
            for _ in 0..ATTEMPTS {
                let rating = puzzles[number].rating;
                // The nearest of four random players.
                let index = (0..4)
                    .map(|_| rng.below(players.len()))
                    .min_by(|&a, &b| {
                        let far = |it: usize| (ratings[it].rating - rating).abs();
                        far(a).total_cmp(&far(b))
                    })
                    .expect("four players");
                let dice = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
                let solved = dice < players[index].chance(&sample.choices);
                let score = f64::from(u8::from(solved));
                of_players[index].push((puzzles[number], score));
                of_puzzles[number].push((ratings[index], 1.0 - score));
                if solved {
                    players[index].learn(sample.choices.needed(), 0.001);
                }
            }
        }
        for (rating, games) in ratings.iter_mut().zip(of_players) {
            *rating = rating.after(&games);
        }
        for (rating, games) in puzzles.iter_mut().zip(of_puzzles) {
            *rating = rating.after(&games);
        }
        if CHECKPOINTS.contains(&period) {
            reached.push(puzzles.iter().map(|it| it.rating).collect());
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    reached
}

/// A row of the server's `GET /api/v1/attempts`.
#[derive(Clone, Debug, Deserialize)]
struct Attempt {
    puzzle: String,
    moves: String,
    solved: bool,
    ms: u64,
    hints: u32,
    day: String,
}

fn read_attempts(path: &Path) -> Result<Vec<Attempt>> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut attempts = Vec::new();
    for (index, line) in BufReader::new(file).lines().enumerate() {
        let at = || format!("{}:{}", path.display(), index + 1);
        let line = line.with_context(at)?;
        if !line.trim().is_empty() {
            let attempt = serde_json::from_str(&line);
            attempts.push(attempt.with_context(|| format!("{}: not an attempt", at()))?);
        }
    }
    Ok(attempts)
}

/// What people did with one puzzle.
struct Played {
    sample: Sample,
    /// Whether each attempt succeeded, by day.
    days: BTreeMap<String, Vec<bool>>,
    /// Milliseconds of successful attempts.
    times: Vec<u64>,
}

impl Played {
    fn attempts(&self) -> usize {
        self.days.values().map(Vec::len).sum()
    }

    fn successes(&self) -> usize {
        self.days.values().flatten().filter(|&&it| it).count()
    }

    /// The rating after all days, or after every other attempt. Attempts have no names, so each is one
    /// of a player about whom nothing is known.
    fn rating(&self, takes: impl Fn(usize) -> bool) -> Glicko2 {
        let mut number = 0;
        let mut rating = Glicko2::default();
        for day in self.days.values() {
            let mut games = Vec::new();
            for &solved in day {
                if takes(number) {
                    games.push((Glicko2::default(), f64::from(u8::from(!solved))));
                }
                number += 1;
            }
            if !games.is_empty() {
                rating = rating.after(&games);
            }
        }
        rating
    }
}

fn people(attempts: &[Attempt]) -> (Document, Table) {
    let mut solver = Flagship::new();
    let mut puzzles: BTreeMap<&str, Option<Played>> = BTreeMap::new();
    for attempt in attempts {
        let played = puzzles.entry(&attempt.puzzle).or_insert_with(|| {
            let puzzle = notation::parse_line(&attempt.puzzle)
                .ok()?
                .validate()
                .ok()?;
            Some(Played {
                sample: Sample::of(&puzzle, &mut solver)?,
                days: BTreeMap::new(),
                times: Vec::new(),
            })
        });
        let Some(played) = played else { continue };
        // Ratings are about finding a shortest solution.
        let moves: Option<Solution> = attempt.moves.parse().ok();
        let shortest = moves.is_some_and(|it| it.len() as u32 == played.sample.length);
        let success = attempt.solved && attempt.hints == 0 && shortest;
        played
            .days
            .entry(attempt.day.clone())
            .or_default()
            .push(success);
        if success {
            played.times.push(attempt.ms);
        }
    }
    let not_rated = puzzles.values().filter(|it| it.is_none()).count();
    let mut rows = Table::new(
        "ratings",
        "Puzzles",
        &[
            "puzzle",
            "length",
            "attempts",
            "successes",
            "rating",
            "deviation",
            "computed",
            "median_ms",
        ],
    );
    let (mut of_people, mut computed, mut lengths) = (Vec::new(), Vec::new(), Vec::new());
    let mut halves = [Vec::new(), Vec::new()];
    let (mut times, mut computed_of_times) = (Vec::new(), Vec::new());
    for played in puzzles.values_mut().flatten() {
        let rating = played.rating(|_| true);
        let model = Rating::of(&played.sample.choices);
        played.times.sort_unstable();
        let median = played.times.get(played.times.len() / 2).copied();
        rows.push(vec![
            played.sample.line.as_str().into(),
            u64::from(played.sample.length).into(),
            (played.attempts() as u64).into(),
            (played.successes() as u64).into(),
            Value::Real(rating.rating, 1),
            Value::Real(rating.deviation, 1),
            Value::Real(model.value, 1),
            Value::or_missing(median, Value::Count),
        ]);
        if played.attempts() >= FEWEST_ATTEMPTS {
            of_people.push(rating.rating);
            computed.push(model.value);
            lengths.push(f64::from(played.sample.length));
            for (parity, half) in halves.iter_mut().enumerate() {
                half.push(played.rating(|number| number % 2 == parity).rating);
            }
            if let Some(median) = median {
                times.push(median as f64);
                computed_of_times.push(model.value);
            }
        }
    }
    let mut section = Section::new("People and the simulation");
    section.text(format!(
        "An attempt succeeds if it solves the puzzle in the fewest moves without hints. Attempts have no names, \
         so Glicko-2 rates puzzles against players about whom nothing is known, one period per day: if stronger \
         people choose harder puzzles, these look easier than they are. {not_rated} puzzles could not be read or \
         rated.",
    ));
    let mut table = Table::new(
        "people",
        "Spearman's rank correlation",
        &["of", "with", "puzzles", "Spearman"],
    );
    let mut row = |of: &str, with: &str, a: &[f64], b: &[f64]| {
        let value = (a.len() >= 3)
            .then(|| spearman(a, b))
            .filter(|it| it.is_finite());
        table.push(vec![
            of.into(),
            with.into(),
            (a.len() as u64).into(),
            Value::or_missing(value, |it| Value::Real(it, 3)),
        ]);
    };
    row(
        "people's ratings",
        "computed ratings",
        &of_people,
        &computed,
    );
    row("people's ratings", "length", &of_people, &lengths);
    row(
        "one half of the attempts",
        "the other half",
        &halves[0],
        &halves[1],
    );
    row(
        "median time of successes",
        "computed ratings",
        &times,
        &computed_of_times,
    );
    section.text(format!(
        "Compared are puzzles with at least {FEWEST_ATTEMPTS} attempts. Agreement cannot be better than that of \
         the two halves of the attempts."
    ));
    section.table(table);
    let document = Document {
        title: "Ratings by people".into(),
        lead: format!(
            "{} attempts at {} puzzles. This analysis was tested with made-up attempts only.",
            thousands(attempts.len() as u64),
            thousands(puzzles.len() as u64),
        ),
        sections: vec![section],
    };
    (document, rows)
}

/// Spearman's rank correlation.
fn spearman(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (ranks(a), ranks(b));
    let mean = (a.len() as f64 - 1.0) / 2.0;
    let (mut both, mut of_a, mut of_b) = (0.0, 0.0, 0.0);
    for (a, b) in a.iter().zip(&b) {
        both += (a - mean) * (b - mean);
        of_a += (a - mean).powi(2);
        of_b += (b - mean).powi(2);
    }
    both / (of_a * of_b).sqrt()
}

/// Ranks from 0; equal values share the mean of theirs.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut first = 0;
    for group in order.chunk_by(|&a, &b| values[a].total_cmp(&values[b]).is_eq()) {
        for &index in group {
            ranks[index] = first as f64 + (group.len() as f64 - 1.0) / 2.0;
        }
        first += group.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_a_rank() {
        let ranks = ranks(&[3.0, 1.0, 3.0, 2.0]);
        let twice: Vec<i32> = ranks.iter().map(|it| (2.0 * it) as i32).collect();
        assert_eq!(twice, [5, 0, 5, 2]);
        assert!((spearman(&[1.0, 2.0, 3.0], &[10.0, 20.0, 90.0]) - 1.0).abs() < 1e-12);
        assert!((spearman(&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0]) + 1.0).abs() < 1e-12);
    }

    #[test]
    fn people_who_fail_at_a_puzzle_raise_its_rating() {
        let here = tempfile::tempdir().unwrap();
        let path = here.path().join("attempts.jsonl");
        let ended = |puzzle: &str, moves: &str, solved: bool, hints: u32, day: u32| {
            format!(
                "{{\"puzzle\":\"{puzzle}\",\"moves\":\"{moves}\",\"solved\":{solved},\"ms\":900,\"hints\":{hints},\
                 \"day\":\"2026-11-{day}\"}}\n"
            )
        };
        let attempt =
            |puzzle: &str, moves: &str, hints, day| ended(puzzle, moves, true, hints, day);
        let mut text = String::new();
        for day in 10..16 {
            text += &attempt("8x8..00.R77", "RE RS", 0, day);
            // Solved, but not in the fewest moves, or with a hint.
            text += &attempt("8x8..00.R70", "RS RE RN", 0, day);
            text += &attempt("8x8..0073.R67", "GN RE RS", day % 2, day);
            text += &attempt("nonsense", "RE", 0, day);
        }
        // Given up, at once or after as many moves as the shortest solution has.
        for (moves, solved) in [
            ("RE RS", true),
            ("", false),
            ("RE RW", false),
            ("RE", false),
        ] {
            text += &ended("8x8..0034.R77", moves, solved, 0, 10);
        }
        std::fs::write(&path, text).unwrap();
        let options = RatingsOptions {
            out: here.path().join("out"),
            positions: 0,
            seed: 0,
            attempts: Some(path.clone()),
            quiet: true,
        };
        let document = run(&options).unwrap();
        let text = document.to_text().replace('\n', " ");
        assert!(text.contains("1 puzzles could not be read"), "{text}");
        let table = document.tables().next().unwrap().to_csv().unwrap();
        assert!(
            table.contains("people's ratings,computed ratings,3,"),
            "{table}"
        );
        let rows = std::fs::read_to_string(options.out.join("ratings.csv")).unwrap();
        let rating = |puzzle: &str| -> f64 {
            let line = rows.lines().find(|it| it.starts_with(puzzle)).unwrap();
            line.split(',').nth(4).unwrap().parse().unwrap()
        };
        assert!(rating("8x8..00.R77") < rating("8x8..0073.R67"), "{rows}");
        assert!(rating("8x8..0073.R67") < rating("8x8..00.R70"), "{rows}");
        assert!(rows.contains("\n8x8..0034.R77,2,4,1,"), "{rows}");
        std::fs::write(&path, "{}\n").unwrap();
        let error = format!("{:#}", run(&options).unwrap_err());
        assert!(
            error.contains("attempts.jsonl:1: not an attempt"),
            "{error}"
        );
    }

    #[test]
    fn populations_agree() {
        let here = tempfile::tempdir().unwrap();
        let options = RatingsOptions {
            out: here.path().to_owned(),
            positions: 30,
            seed: 6,
            attempts: None,
            quiet: true,
        };
        let document = run(&options).unwrap();
        let table = document.tables().next().unwrap().to_csv().unwrap();
        let agreement = table.lines().nth(1).unwrap().rsplit(',').next().unwrap();
        assert!(agreement.parse::<f64>().unwrap() > 0.9, "{table}");
        assert!(here.path().join("report.md").exists());
    }
}
