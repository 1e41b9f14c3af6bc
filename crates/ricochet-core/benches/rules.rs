//! Perft and generated puzzles (slides are in `core`). `cargo bench -p ricochet-core --bench rules`.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ricochet_core::generate::{RandomBoard, Recipe};
use ricochet_core::perft::{Perft, Reversals};
use ricochet_core::quadrants::Edition;

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

criterion_group!(benches, counts, generation);
criterion_main!(benches);
