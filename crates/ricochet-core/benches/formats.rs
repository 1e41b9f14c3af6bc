//! Reading and writing, puzzles a second: `cargo bench -p ricochet-core --bench formats`.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ricochet_core::Puzzle;
use ricochet_core::formats::{self, Format, Records};

const PUZZLES: &str = include_str!("../../../corpus/official/random.jsonl");

fn reading(criterion: &mut Criterion) {
    let puzzles: Vec<Puzzle> = formats::read(PUZZLES)
        .expect("the corpus can be read")
        .into_iter()
        .map(|setup| setup.validate().expect("the corpus is valid"))
        .collect();
    let mut group = criterion.benchmark_group("read");
    group.throughput(Throughput::Elements(puzzles.len() as u64));
    group.bench_function("json, setups", |bencher| {
        bencher.iter(|| {
            let records = Records::new(black_box(PUZZLES).as_bytes());
            let count = records.flatten().count();
            assert_eq!(count, puzzles.len());
        });
    });
    group.bench_function("json, validated puzzles", |bencher| {
        bencher.iter(|| {
            let valid = Records::new(black_box(PUZZLES).as_bytes())
                .filter_map(Result::ok)
                .filter_map(|record| record.setup.validate().ok());
            assert_eq!(valid.count(), puzzles.len());
        });
    });
    for format in [Format::Line, Format::DriftingDroids] {
        let lines: Vec<String> = puzzles
            .iter()
            .map(|puzzle| {
                formats::write(format, puzzle)
                    .expect("an official board")
                    .text
            })
            .collect();
        let text = lines.join("\n");
        group.bench_function(format.name(), |bencher| {
            bencher.iter(|| {
                let records = Records::new(black_box(&text).as_bytes());
                assert_eq!(records.flatten().count(), puzzles.len());
            });
        });
        group.bench_function(format!("{format}, validated puzzles"), |bencher| {
            bencher.iter(|| {
                let valid = Records::new(black_box(&text).as_bytes())
                    .filter_map(Result::ok)
                    .filter_map(|record| record.setup.validate().ok());
                assert_eq!(valid.count(), puzzles.len());
            });
        });
    }
    group.finish();
    let mut group = criterion.benchmark_group("write");
    group.throughput(Throughput::Elements(puzzles.len() as u64));
    for format in Format::ALL
        .into_iter()
        .filter(|format| format.is_writable())
    {
        group.bench_function(format.name(), |bencher| {
            bencher.iter(|| {
                let written = puzzles
                    .iter()
                    .filter_map(|puzzle| formats::write(format, puzzle).ok());
                written.map(|written| written.text.len()).sum::<usize>()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, reading);
criterion_main!(benches);
