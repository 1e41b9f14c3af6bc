//! The census: exact distances of all states of all official boards and targets.
//!
//! For every layout and every printed target, all states are counted by distance
//! ([`ricochet_solve::tablebase`]) and the hardest positions are listed. Results are appended to a
//! directory target by target ([`store`]), so a run can be stopped at any time and continued;
//! [`contents`] reads the directory. Boards and targets that are images of each other are computed
//! once ([`tasks()`]).

pub mod contents;
pub mod report;
mod shard_files;
pub mod store;
pub mod tasks;

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use ricochet_core::quadrants::Layout;
use ricochet_solve::tablebase::{Builder, Space, TablebaseError};
use ricochet_solve::{Limit, LimitReached, Limits, NullObserver};

use crate::report::table::Value;
use crate::run::run_parallel;
use crate::shard::Shard;
use store::{CensusStore, TargetRows};
use tasks::{TargetImage, Task, tasks};

/// The boards of a census, and how to run it.
#[derive(Clone, Debug)]
pub struct Census {
    /// The boards.
    pub layouts: Vec<Layout>,
    /// The number of robots on each board.
    pub robots: usize,
    /// The shard to run.
    pub shard: Shard,
    /// The number of targets at the same time, each with one thread and its own memory.
    pub jobs: usize,
    /// The largest number of hardest positions to list for a target.
    pub hardest: usize,
    /// The memory of all jobs together, and the token that stops them.
    pub limits: Limits,
}

/// The progress of a census.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Targets that are counted, including those of earlier runs.
    pub done: usize,
    /// Targets of this shard.
    pub all: usize,
    /// The estimated time left, from the pace of this run.
    pub left: Option<Duration>,
    /// The target that was counted last.
    pub last: Option<String>,
}

/// The result of a census run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CensusSummary {
    /// Targets that are counted.
    pub done: usize,
    /// Targets of this shard.
    pub all: usize,
}

/// Counts the targets that are missing in the directory.
///
/// # Errors
/// If the directory contains another census or is not writable, or a board does not fit into memory.
/// Being stopped is not an error.
pub fn run(census: &Census, directory: &Path, watch: &dyn Fn(&Progress)) -> Result<CensusSummary> {
    ensure!(!census.layouts.is_empty(), "no layouts to count");
    let all_tasks = tasks(&census.layouts, census.robots)?;
    let own: Vec<&Task> = all_tasks
        .iter()
        .enumerate()
        .filter(|&(number, _)| census.shard.has(number))
        .map(|(_, task)| task)
        .collect();
    let all = own.iter().map(|task| task.targets.len()).sum();
    let mut store = CensusStore::open(directory, census.robots, census.hardest, census.shard)?;
    // The directory may also contain targets of other layouts.
    let is_done = |target: &&TargetImage| store.has(&target.key());
    let targets = own.iter().flat_map(|task| &task.targets);
    let done_before = targets.filter(is_done).count();
    let todo: Vec<&Task> = own
        .into_iter()
        .filter(|task| !task.targets.iter().all(|target| is_done(&target)))
        .collect();
    let jobs = census.jobs.clamp(1, todo.len().max(1));
    check_memory(census, &todo, jobs)?;
    let limits = Limits {
        memory: census.limits.memory.map(|bytes| bytes / jobs as u64),
        ..census.limits.clone()
    };
    let started = Instant::now();
    let mut done = done_before;
    let report = |store_done: usize, last: Option<String>| {
        let new = store_done - done_before;
        let left = (new > 0).then(|| {
            let share = (all - store_done) as f64 / new as f64;
            started.elapsed().mul_f64(share)
        });
        watch(&Progress {
            done: store_done,
            all,
            left,
            last,
        });
    };
    report(done, None);
    run_parallel(
        jobs,
        todo.iter(),
        || Ok(Builder::new(1)),
        |builder, task, results| {
            let space = Space::of(&task.puzzle)?;
            match builder.survey(&space, census.hardest, &limits, &mut NullObserver) {
                Ok(survey) => {
                    results.send((*task, survey));
                    Ok(())
                }
                Err(TablebaseError::Stopped(LimitReached {
                    limit: Limit::Cancelled,
                    ..
                })) => Ok(()),
                Err(error) => Err(error).with_context(|| task.targets[0].key().to_string()),
            }
        },
        |(task, survey)| {
            // The result holds for all targets of the task.
            for target in &task.targets {
                let group = TargetRows::of(task, target, &survey)?;
                if !store.has(&group.key) {
                    store.append(&group)?;
                    done += 1;
                }
                report(done, Some(group.to_string()));
            }
            Ok(())
        },
    )?;
    Ok(CensusSummary { done, all })
}

/// Checks that every task fits into memory, before the first one starts.
fn check_memory(census: &Census, todo: &[&Task], jobs: usize) -> Result<()> {
    let mut bytes = 0;
    for task in todo {
        let space = Space::of(&task.puzzle)?;
        bytes = bytes.max(Builder::survey_bytes(&space) * jobs as u64);
    }
    if let Some(limit) = census.limits.memory {
        ensure!(
            bytes <= limit,
            "{jobs} at a time with {} robots need {} of memory, but only {} are allowed",
            census.robots,
            Value::Bytes(bytes).show(),
            Value::Bytes(limit).show()
        );
    }
    Ok(())
}
