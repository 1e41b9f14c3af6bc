//! Rates random official positions by simulated players, and compares populations of them.
//!
//! ```sh
//! cargo bench -p ricochet-solve --bench ratings -- 1000 > ratings.csv
//! ```
//!
//! Standard output gets one row per position, standard error the comparison. `REFERENCE_RATINGS` in
//! `difficulty/rating.rs` is the line that begins with `reference`.

use ricochet_core::generate::Recipe;
use ricochet_core::quadrants::Edition;
use ricochet_core::rng::Rng;
use ricochet_solve::difficulty::{
    Choices, Glicko2, Player, REFERENCE_PLAYERS, REFERENCE_SEED, Rating,
};
use ricochet_solve::flagship::Flagship;
use ricochet_solve::{Limits, NullObserver, Outcome, Solver};

/// The seed of the positions.
const SEED: u64 = 6;

/// Positions whose solutions take longer to find are left out.
const NODES: u64 = 60_000;

struct Sample {
    line: String,
    length: f64,
    choices: Choices,
}

fn main() {
    let count = std::env::args().skip(1).find_map(|it| it.parse().ok());
    let samples = samples(count.unwrap_or(1000));
    let chances = |players: &[Player]| -> Vec<Vec<f64>> {
        let of_sample = |it: &Sample| players.iter().map(|player| player.chance(&it.choices));
        samples.iter().map(|it| of_sample(it).collect()).collect()
    };
    let reference = population(REFERENCE_SEED, REFERENCE_PLAYERS as u64);
    let (players, computed) = fit(&chances(&reference));
    eprintln!("{} positions", samples.len());
    let rounded: Vec<i32> = players.iter().map(|it| it.round() as i32).collect();
    eprintln!("reference {rounded:?}");
    let lengths: Vec<f64> = samples.iter().map(|it| it.length).collect();
    eprintln!(
        "computed ratings and length: {:.4}",
        spearman(&computed, &lengths)
    );
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
    eprintln!(
        "forward and backward players: {:.4}",
        spearman(&forward, &backward)
    );
    for periods in [4, 20] {
        let one = tournament(&samples, 101, periods);
        let other = tournament(&samples, 202, periods);
        eprintln!(
            "{} attempts: populations {:.4}, computed {:.4}, length {:.4}",
            periods * ATTEMPTS,
            spearman(&one, &other),
            spearman(&one, &computed),
            spearman(&one, &lengths),
        );
        for length in 3..=12 {
            let same: Vec<usize> = (0..samples.len())
                .filter(|&it| lengths[it] as i32 == length)
                .collect();
            if same.len() >= 20 {
                let [one, other] =
                    [&one, &other].map(|all| same.iter().map(|&it| all[it]).collect::<Vec<_>>());
                eprintln!("  {length} moves: {:.3}", spearman(&one, &other));
            }
        }
    }
    println!("puzzle,length,rating,deviation");
    for sample in &samples {
        let rating = Rating::of(&sample.choices);
        println!(
            "{},{},{},{:.0}",
            sample.line,
            sample.length,
            rating.rounded(),
            rating.deviation
        );
    }
}

fn samples(count: u64) -> Vec<Sample> {
    let recipe = Recipe::official(Edition::Of1999);
    let mut flagship = Flagship::new();
    let limits = Limits {
        nodes: Some(NODES),
        ..Limits::default()
    };
    let mut samples = Vec::new();
    for number in 0..count {
        let puzzle = recipe.puzzle(SEED, number).expect("official boards");
        let solved = flagship.solve(&puzzle, &Limits::default(), &mut NullObserver);
        let (Outcome::Solved { solution, .. }, _) = solved else {
            continue;
        };
        let length = solution.len() as u32;
        if let Ok(Some(choices)) = Choices::of(&puzzle, length, &limits) {
            samples.push(Sample {
                line: ricochet_core::notation::to_line(&puzzle),
                length: f64::from(length),
                choices,
            });
        }
    }
    samples
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

/// Attempts at each puzzle in a period.
const ATTEMPTS: usize = 5;

/// The ratings of puzzles after a tournament with dice, in which players learn.
fn tournament(samples: &[Sample], seed: u64, periods: usize) -> Vec<f64> {
    let mut rng = Rng::new(seed);
    let mut players = population(seed, 200);
    let mut ratings = vec![Glicko2::default(); players.len()];
    let mut puzzles = vec![Glicko2::default(); samples.len()];
    for _ in 0..periods {
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
    }
    puzzles.iter().map(|it| it.rating).collect()
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
    for group in order.chunk_by(|&a, &b| values[a].total_cmp(&values[b]).is_eq()) {
        let first = order.partition_point(|&it| values[it] < values[group[0]]);
        for &index in group {
            ranks[index] = first as f64 + (group.len() as f64 - 1.0) / 2.0;
        }
    }
    ranks
}
