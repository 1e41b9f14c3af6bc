//! probe
#![allow(unsafe_code)]
fn cpu() -> u128 {
    let mut t = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    unsafe {
        libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut t);
    }
    t.tv_sec as u128 * 1_000_000_000 + t.tv_nsec as u128
}
use ricochet_solve::{Limits, Silent, registry};
use std::time::Instant;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let solver = &args[1];
    let repeat: usize = args[3].parse().unwrap();
    let mut lo = 0;
    let mut hi = 99;
    let mut take = usize::MAX;
    if args.len() > 4 {
        lo = args[4].parse().unwrap();
        hi = args[5].parse().unwrap();
    }
    if args.len() > 6 {
        take = args[6].parse().unwrap();
    }
    let mut options = registry::Options::default();
    let mut name = solver.as_str();
    let parts: Vec<&str> = solver.split(':').collect();
    if parts.len() > 1 {
        name = parts[0];
        for p in &parts[1..] {
            let (k, v) = p.split_once('=').unwrap();
            options.set(k, v);
        }
    }
    let mut s = registry::build(name, &options).unwrap();
    let text = std::fs::read_to_string(&args[2]).unwrap();
    let setups = ricochet::formats::read(&text).unwrap();
    let puzzles: Vec<_> = setups
        .into_iter()
        .map(|x| x.validate().unwrap())
        .filter(|p| {
            let o = p.known_optimal().unwrap_or(0);
            o >= lo && o <= hi
        })
        .take(take)
        .collect();
    let mut bad = 0;
    let mut nodes = 0;
    let mut stored = 0;
    let mut peak = 0;
    let mut slow = (0u128, String::new());
    let mut times: Vec<u128> = vec![];
    let t = Instant::now();
    let tc = cpu();
    for _ in 0..repeat {
        for p in &puzzles {
            let t1 = Instant::now();
            let (o, st) = s.solve(p, &Limits::default(), &mut Silent);
            let us = t1.elapsed().as_nanos();
            times.push(us);
            if us > slow.0 {
                slow = (us, p.id().unwrap_or("").to_string());
            }
            nodes += st.nodes;
            stored += st.stored;
            peak = peak.max(st.peak_bytes);
            let len = o.solution().map(|s| s.len() as u32);
            if p.known_optimal().is_some() && len != p.known_optimal() {
                bad += 1;
                println!("BAD {:?} {:?} {:?}", p.id(), len, p.known_optimal());
            }
        }
    }
    let wall = t.elapsed();
    let total = std::time::Duration::from_nanos((cpu() - tc) as u64);
    let n = puzzles.len();
    let mins: Vec<f64> = (0..n)
        .map(|i| (0..repeat).map(|r| times[r * n + i]).min().unwrap() as f64 / 1e6)
        .collect();
    let meds: Vec<f64> = (0..n)
        .map(|i| {
            let mut v: Vec<u128> = (0..repeat).map(|r| times[r * n + i]).collect();
            v.sort();
            v[v.len() / 2] as f64 / 1e6
        })
        .collect();
    println!(
        "best {:.3}ms median {:.3}ms",
        mins.iter().sum::<f64>(),
        meds.iter().sum::<f64>()
    );
    times.sort();
    println!(
        "{solver} {} puzzles x{repeat}: wall {wall:?} cpu {:?} median {}us max {}ms ({}) nodes {nodes} stored {stored} ns/node {:.1} peak {}MB bad {bad}",
        puzzles.len(),
        total,
        times[times.len() / 2] as f64 / 1000.,
        slow.0 / 1000000,
        slow.1,
        total.as_nanos() as f64 / nodes as f64,
        peak >> 20
    );
}
