//! The census: exact distances of all states of all official boards and targets.
//!
//! For every layout and every printed target, all states are counted by distance
//! ([`ricochet_solve::tablebase`]) and the hardest positions are listed. A directory takes the
//! results target by target ([`store`]), so that a run can be stopped at any time and continued, and
//! [`contents`] reads it. Boards and targets that are images of each other are computed once
//! ([`tasks()`]).

pub mod contents;
mod part;
pub mod report;
pub mod store;
pub mod tasks;

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use ricochet_core::quadrants::Layout;
use ricochet_solve::tablebase::{Builder, Space, TablebaseError};
use ricochet_solve::{Limit, LimitReached, Limits, Silent};

use crate::report::table::Value;
use crate::run::work_through;
use crate::shard::Shard;
use store::{CensusStore, TargetRows};
use tasks::{Member, Task, tasks};

/// What a census is about and how it is done.
#[derive(Clone, Debug)]
pub struct Census {
    /// The boards.
    pub layouts: Vec<Layout>,
    /// Robots on each.
    pub robots: usize,
    /// Which part of the targets.
    pub shard: Shard,
    /// Targets at the same time, each with its own memory and one thread.
    pub jobs: usize,
    /// Most of the hardest positions that are listed for a target.
    pub hardest: usize,
    /// Memory of all jobs together, and the switch that stops it.
    pub limits: Limits,
}

/// How far a census is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Targets that are counted, those of earlier runs included.
    pub done: usize,
    /// Targets of this shard.
    pub all: usize,
    /// Estimated time that is left, from this run's pace.
    pub left: Option<Duration>,
    /// The target that was counted last.
    pub last: Option<String>,
}

/// How a census ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Targets that are counted.
    pub done: usize,
    /// Targets of this shard.
    pub all: usize,
}

/// Counts what the directory does not hold yet.
///
/// # Errors
/// If the directory holds another census or cannot be written, or a board does not fit into the
/// memory. Being stopped is not an error.
pub fn run(census: &Census, directory: &Path, watch: &dyn Fn(&Progress)) -> Result<Ended> {
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
    // The directory may hold targets of other layouts besides.
    let is_done = |target: &&Member| store.has(&target.key());
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
    work_through(
        jobs,
        todo.iter(),
        || Ok(Builder::new(1)),
        |builder, task, tray| {
            let space = Space::of(&task.puzzle)?;
            match builder.survey(&space, census.hardest, &limits, &mut Silent) {
                Ok(survey) => {
                    tray.put((*task, survey));
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
    Ok(Ended { done, all })
}

/// All that is to be done must fit, not only what comes first.
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
