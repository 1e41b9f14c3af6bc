//! One slide, perft, generated puzzles. `cargo bench -p ricochet --bench rules`.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ricochet::generate::{RandomBoard, Recipe};
use ricochet::perft::{Perft, Reversals};
use ricochet::quadrants::{Edition, Layout};
use ricochet::rng::Rng;
use ricochet::{Cell, Direction, Robot, slide_slowly};

/// A robot's move from a random place among four robots.
type Case = (Robot, Direction, [Cell; 4]);

fn cases(board: &ricochet::Board) -> Vec<Case> {
    let mut rng = Rng::new(1);
    let mut open: Vec<Cell> = board
        .cells()
        .filter(|&cell| !board.is_closed(cell))
        .collect();
    (0..1024)
        .map(|_| {
            rng.shuffle(&mut open);
            let robots = [open[0], open[1], open[2], open[3]];
            let direction = Direction::from_index(rng.below(4));
            (Robot::ALL[rng.below(4)], direction, robots)
        })
        .collect()
}

fn slides(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("slide");
    group.throughput(Throughput::Elements(1024));
    for (name, layout) in [("plain", "1A 4B 3B 2B"), ("diagonals", "1D 4D 3D 2D")] {
        let board = layout.parse::<Layout>().unwrap().board();
        let cases = cases(&board);
        group.bench_function(format!("fast/{name}"), |bencher| {
            bencher.iter(|| {
                for (robot, direction, robots) in &cases {
                    let from = robots[robot.index()];
                    black_box(board.slide(*robot, from, *direction, robots));
                }
            });
        });
        group.bench_function(format!("slow/{name}"), |bencher| {
            bencher.iter(|| {
                for (robot, direction, robots) in &cases {
                    let from = robots[robot.index()];
                    black_box(slide_slowly(&board, *robot, from, *direction, robots));
                }
            });
        });
    }
    group.finish();
}

fn counts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft");
    for edition in [Edition::Of1999, Edition::Of2013] {
        let puzzle = Recipe::official(edition).puzzle(1, 0).unwrap();
        let perft = Perft::new(&puzzle, Reversals::Forbidden);
        group.throughput(Throughput::Elements(perft.tree_size(4)));
        group.bench_function(format!("{edition:?}"), |bencher| {
            bencher.iter(|| perft.tree_size(4));
        });
    }
    group.finish();
}

fn generation(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("generate");
    group.throughput(Throughput::Elements(1));
    let diagonals = RandomBoard {
        diagonals: Some(8),
        ..RandomBoard::new(16, 16)
    };
    for (name, recipe) in [
        ("official", Recipe::official(Edition::Of1999)),
        ("random-16", Recipe::random(RandomBoard::new(16, 16))),
        ("random-16-diagonals", Recipe::random(diagonals)),
        ("random-32", Recipe::random(RandomBoard::new(32, 32))),
    ] {
        let mut number = 0;
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                number += 1;
                black_box(recipe.puzzle(1, number).unwrap())
            });
        });
    }
    group.finish();
}

criterion_group!(benches, slides, counts, generation);
criterion_main!(benches);
