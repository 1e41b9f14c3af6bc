//! Slides, one lookup at a time: `cargo bench -p ricochet-core --bench core`.

mod cases;

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ricochet_core::quadrants::Layout;
use ricochet_core::{Cell, Direction, Robot, slide_slowly};

fn slides(criterion: &mut Criterion) {
    let layout: Layout = "1A 4B 3B 2B".parse().expect("a layout");
    let board = layout.board();
    let others = [
        Cell::new(3, 3),
        Cell::new(12, 1),
        Cell::new(15, 0),
        Cell::new(5, 12),
    ];
    let open: Vec<Cell> = board
        .cells()
        .filter(|&cell| !board.is_closed(cell))
        .collect();
    let mut group = criterion.benchmark_group("slide");
    group.throughput(Throughput::Elements(open.len() as u64 * 4));
    // Each answer is used, so that none can be left out.
    group.bench_function("table, four robots", |bencher| {
        bencher.iter(|| {
            let mut sum = 0u32;
            for &cell in black_box(&open) {
                for direction in Direction::ALL {
                    let end = board.slide(Robot::RED, cell, direction, black_box(&others));
                    sum += u32::from(end.x) + u32::from(end.y);
                }
            }
            sum
        });
    });
    let cases = cases::random_cases(&board, 4096);
    group.throughput(Throughput::Elements(cases.len() as u64));
    group.bench_function("table, random cases", |bencher| {
        bencher.iter(|| {
            let mut sum = 0u32;
            for case in black_box(&cases) {
                let from = case.robots[0];
                let end = board.slide(Robot::RED, from, case.direction, &case.robots);
                sum += u32::from(end.x) + u32::from(end.y);
            }
            sum
        });
    });
    group.throughput(Throughput::Elements(open.len() as u64 * 4));
    group.bench_function("cell by cell, four robots", |bencher| {
        bencher.iter(|| {
            let mut sum = 0;
            for &cell in black_box(&open) {
                for direction in Direction::ALL {
                    sum += slide_slowly(&board, Robot::RED, cell, direction, black_box(&others))
                        .path
                        .len();
                }
            }
            sum
        });
    });
    group.finish();
}

criterion_group!(benches, slides);
criterion_main!(benches);
