//! The algorithm with plans: a final state counts only if a move sequence behind it was played.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use ricochet_core::{Cell, Direction, Move, Puzzle, Robot, Solution};

use super::plan::{Planner, Way};
use super::walk::walk;
use crate::memory::meter::MemoryMeter;
use crate::trace::{EventKind, NodeIds, Watch};
use crate::{Limit, Stats};

/// A number that stands for 'no state'.
const NONE: u32 = u32::MAX;

/// A robot that moves over a field: the final state it comes from and the direction of its move.
#[derive(Clone, Copy, Debug)]
struct Intermediate {
    from: u32,
    direction: Direction,
}

/// The final and intermediate states of one puzzle. A final state is the number of its plan.
pub(super) struct StatelessSearch<'p> {
    puzzle: &'p Puzzle,
    robots: usize,
    planner: Planner<'p>,
    finals: Vec<u32>,
    intermediates: Vec<Intermediate>,
    queue: BinaryHeap<Reverse<(u32, u32)>>,
    /// Plans have fewer moves than this.
    cap: usize,
    answer: Option<Solution>,
    /// New final states whose neighbours were not looked at yet.
    fresh: Vec<u32>,
    candidates: Vec<u32>,
    /// Bytes that the meter knows of.
    held: u64,
    /// For a trace: the nodes of the plans.
    ids: NodeIds,
}

impl<'p> StatelessSearch<'p> {
    pub(super) fn new(
        puzzle: &'p Puzzle,
        most_moves: Option<u32>,
        meter: &mut MemoryMeter,
    ) -> Result<Self, Limit> {
        let robots = puzzle.start().len();
        let fields = puzzle.board().cell_count() * robots;
        meter.allocate((fields * (size_of::<u32>() + 4 * size_of::<Intermediate>())) as u64)?;
        Ok(Self {
            puzzle,
            robots,
            planner: Planner::new(puzzle),
            finals: vec![NONE; fields],
            intermediates: vec![
                Intermediate {
                    from: NONE,
                    direction: Direction::North,
                };
                fields * 4
            ],
            queue: BinaryHeap::new(),
            cap: most_moves.map_or(usize::MAX, |moves| moves as usize + 1),
            answer: None,
            fresh: Vec::new(),
            candidates: Vec::new(),
            held: 0,
            ids: NodeIds::default(),
        })
    }

    /// Runs until no state is left that could lead to a shorter answer.
    pub(super) fn run(
        &mut self,
        meter: &mut MemoryMeter,
        stats: &mut Stats,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Solution>, Limit> {
        let result = self.process_all(meter, stats, watch);
        stats.generated = self.planner.played;
        stats.stored = self.finals.iter().filter(|&&at| at != NONE).count() as u64;
        result?;
        Ok(self.answer.take())
    }

    fn process_all(
        &mut self,
        meter: &mut MemoryMeter,
        stats: &mut Stats,
        watch: &mut Watch<'_>,
    ) -> Result<(), Limit> {
        for robot in self.puzzle.start().robots() {
            let number = self.planner.start(robot);
            self.add(number, None, None, meter, watch)?;
        }
        self.collide(meter, stats, watch)?;
        while let Some(Reverse((moves, number))) = self.queue.pop() {
            let plan = *self.planner.plan(number);
            if self.finals[self.field(plan.cell, plan.robot)] != number {
                continue; // a shorter plan was found since it was queued
            }
            // Whatever comes now has at least one move more.
            if self.shortest_answer() <= moves as usize + 1 {
                break;
            }
            stats.nodes += 1;
            stats.expanded += 1;
            let id = self.ids.get(number as usize);
            watch.trace(|recorder| recorder.at(EventKind::Expand, id));
            for direction in Direction::ALL {
                self.process(number, direction, meter, stats, watch)?;
            }
        }
        Ok(())
    }

    /// Moves one robot one way, field by field.
    fn process(
        &mut self,
        number: u32,
        direction: Direction,
        meter: &mut MemoryMeter,
        stats: &Stats,
        watch: &mut Watch<'_>,
    ) -> Result<(), Limit> {
        let plan = *self.planner.plan(number);
        let mut result = Ok(());
        let puzzle = self.puzzle;
        walk(
            puzzle.board(),
            plan.robot,
            plan.cell,
            direction,
            |passed, next| {
                if result.is_ok() {
                    let way = Way {
                        from: number,
                        direction,
                        cell: passed.cell,
                    };
                    result = self.visit(way, passed.heading, next, meter, stats, watch);
                }
            },
        );
        result
    }

    /// The four cases for one field of a walk.
    fn visit(
        &mut self,
        way: Way,
        heading: Direction,
        next: Option<Cell>,
        meter: &mut MemoryMeter,
        stats: &Stats,
        watch: &mut Watch<'_>,
    ) -> Result<(), Limit> {
        let plan = *self.planner.plan(way.from);
        let Some(next) = next else {
            self.consider(way, None, meter, stats, watch)?; // case 1
            return self.collide(meter, stats, watch);
        };
        // Case a, and in the other cases as well: a later state on the field ahead may be better.
        let at = self.field(way.cell, plan.robot) * 4 + heading.index();
        let known = self.intermediates[at].from;
        if known == NONE || self.planner.plan(known).len() > plan.len() {
            self.intermediates[at] = Intermediate {
                from: way.from,
                direction: way.direction,
            };
            let (from, moves) = (self.ids.get(way.from as usize), plan.len() as u32 + 1);
            watch.trace(|recorder| {
                let step = Move {
                    robot: plan.robot,
                    direction: way.direction,
                };
                recorder.intermediate(from, step, (way.cell, heading), moves);
            });
        }
        // Case c: the plan itself leaves a robot on the field ahead.
        if next != plan.cell && plan.end.robot_at(next).is_some() {
            self.consider(way, None, meter, stats, watch)?;
        }
        // Case b: the shortest plan of another robot that fits.
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        let first = self.puzzle.board().index(next) * self.robots;
        let finals = self.finals[first..first + self.robots].iter().enumerate();
        candidates.extend(
            finals
                .filter(|&(robot, &number)| robot != plan.robot.index() && number != NONE)
                .map(|(_, &number)| number),
        );
        candidates.sort_by_key(|&number| self.planner.plan(number).len());
        let mut result = Ok(false);
        for &number in &candidates {
            result = self.consider(way, Some(number), meter, stats, watch);
            if !matches!(result, Ok(false)) {
                break;
            }
        }
        self.candidates = candidates;
        result?;
        self.collide(meter, stats, watch)
    }

    /// Adds the final state at the end of `way` if a plan for it can be played and is better than
    /// what is known of the field; tells whether it did.
    fn consider(
        &mut self,
        way: Way,
        dependency: Option<u32>,
        meter: &mut MemoryMeter,
        stats: &Stats,
        watch: &mut Watch<'_>,
    ) -> Result<bool, Limit> {
        meter.tick(stats.nodes)?;
        let robot = self.planner.plan(way.from).robot;
        let known = self.finals[self.field(way.cell, robot)];
        let field_best = if known == NONE {
            usize::MAX
        } else {
            self.planner.plan(known).len()
        };
        let goal = self.puzzle.goal();
        let arrives = way.cell == goal.cell && goal.robot.is_none_or(|active| active == robot);
        // Under `must_ricochet` a longer way to the goal may count where a shorter one does not.
        let wanted = if arrives {
            field_best.max(self.shortest_answer())
        } else {
            field_best
        };
        let Some(len) = self.planner.find(way, dependency, wanted.min(self.cap)) else {
            return Ok(false);
        };
        if arrives && len < self.shortest_answer() {
            let solution = Solution::new(self.planner.found().to_vec());
            if solution.replay(self.puzzle).is_ok() {
                let from = self.ids.get(way.from as usize);
                watch.trace(|recorder| recorder.solution(Some(from), solution.moves()));
                self.answer = Some(solution);
            }
        }
        if len >= field_best {
            return Ok(false);
        }
        let number = self.planner.keep(robot, way.cell);
        self.add(number, Some(way), dependency, meter, watch)?;
        Ok(true)
    }

    fn shortest_answer(&self) -> usize {
        self.answer.as_ref().map_or(usize::MAX, Solution::len)
    }

    /// Queues a final state.
    fn add(
        &mut self,
        number: u32,
        way: Option<Way>,
        dependency: Option<u32>,
        meter: &mut MemoryMeter,
        watch: &mut Watch<'_>,
    ) -> Result<(), Limit> {
        let queued = (self.queue.capacity() * size_of::<(u32, u32)>()) as u64;
        let held = self.planner.bytes() + queued;
        if held > self.held {
            meter.allocate(held - self.held)?;
            self.held = held;
        }
        let plan = self.planner.plan(number);
        let (len, field) = (plan.len() as u32, self.field(plan.cell, plan.robot));
        self.finals[field] = number;
        watch.trace(|recorder| {
            let robot = plan.robot;
            let from = way.map(
                |Way {
                     from, direction, ..
                 }| { (self.ids.get(from as usize), Move { robot, direction }) },
            );
            let depends_on = dependency.map(|other| self.ids.get(other as usize));
            let before = way.map_or(self.puzzle.start(), |way| self.planner.plan(way.from).end);
            let moved = plan
                .end
                .iter()
                .filter(|&(robot, cell)| before[robot] != cell);
            let mut robots: Vec<_> = moved.collect();
            if robots.is_empty() {
                robots.push((robot, plan.cell)); // a start
            }
            let id = recorder.final_state(from, robots, len, depends_on);
            self.ids.push(recorder, id);
        });
        self.queue.push(Reverse((len, number)));
        self.fresh.push(number);
        Ok(())
    }

    /// Converts the intermediate states that collide with new final states, until there are no new
    /// ones. They stay, since a plan that comes later may be shorter or fit where this one does not.
    fn collide(
        &mut self,
        meter: &mut MemoryMeter,
        stats: &Stats,
        watch: &mut Watch<'_>,
    ) -> Result<(), Limit> {
        let puzzle = self.puzzle;
        while let Some(number) = self.fresh.pop() {
            let plan = *self.planner.plan(number);
            for side in Direction::ALL {
                if puzzle.board().has_wall(plan.cell, side) {
                    continue;
                }
                let neighbour = plan.cell.step(side).expect("the rim has walls");
                for robot in puzzle.start().robots().filter(|&r| r != plan.robot) {
                    let at = self.field(neighbour, robot) * 4 + side.opposite().index();
                    let Intermediate { from, direction } = self.intermediates[at];
                    if from != NONE {
                        let way = Way {
                            from,
                            direction,
                            cell: neighbour,
                        };
                        self.consider(way, Some(number), meter, stats, watch)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn field(&self, cell: Cell, robot: Robot) -> usize {
        self.puzzle.board().index(cell) * self.robots + robot.index()
    }
}
