//! One evaluation: what is known, what follows from it, and the searches for the rest.

use ricochet_core::{Move, Puzzle, Robot, Solution, State};
use rustc_hash::FxHashMap;

use super::{Distance, Evaluation, MoveEvaluation, PositionValue, after_a_move, legal_moves};
use crate::flagship::{Flagship, SearchEnd};
use crate::{Budget, DepthRow, Limit, Limits, NullObserver, Outcome, Solver, Stats};

/// Those who watch hear of every layer of searches with this many nodes.
const LARGE: u64 = 1 << 14;

/// One evaluation.
pub(super) struct EvaluationRun<'a> {
    puzzle: &'a Puzzle,
    /// Whose moves are of interest.
    robots: &'a [Robot],
    budget: Budget,
    watch: &'a mut dyn FnMut(&Evaluation),
    here: PositionValue,
    /// All legal moves, and the positions after them.
    plays: Vec<(Move, State)>,
    /// What is known about these positions.
    after: Vec<PositionValue>,
    /// The shortest paths from them to the goal that have been met.
    paths: Vec<Option<Vec<Move>>>,
    /// All known solutions, and whether some of them have not been used yet.
    solutions: Vec<Vec<Move>>,
    has_new_solutions: bool,
    /// All positions on them: which solution, and how many of its moves were made before.
    on_solutions: FxHashMap<State, (usize, usize)>,
    limit: Option<Limit>,
    stats: Stats,
}

impl<'a> EvaluationRun<'a> {
    pub(super) fn new(
        puzzle: &'a Puzzle,
        robots: &'a [Robot],
        limits: &Limits,
        known: &FxHashMap<State, PositionValue>,
        watch: &'a mut dyn FnMut(&Evaluation),
    ) -> Self {
        let look = |state: State| {
            if puzzle.is_on_target(state) {
                return PositionValue::solved(Vec::new());
            }
            known.get(&state).cloned().unwrap_or(PositionValue::UNKNOWN)
        };
        let start = puzzle.start();
        let plays: Vec<(Move, State)> = legal_moves(puzzle, start).collect();
        let mut run = Self {
            puzzle,
            robots,
            budget: Budget::start(limits),
            watch,
            here: look(start),
            after: plays.iter().map(|&(_, state)| look(state)).collect(),
            paths: vec![None; plays.len()],
            plays,
            solutions: Vec::new(),
            has_new_solutions: false,
            on_solutions: FxHashMap::default(),
            limit: None,
            stats: Stats::default(),
        };
        for (state, known) in run.positions() {
            if let Some(solution) = known.solution {
                run.remember(state, solution);
            }
        }
        run
    }

    /// This position and those after a move, with what is known about them.
    fn positions(&self) -> Vec<(State, PositionValue)> {
        let here = std::iter::once((self.puzzle.start(), &self.here));
        let after = self.plays.iter().map(|&(_, state)| state).zip(&self.after);
        here.chain(after)
            .map(|(state, known)| (state, known.clone()))
            .collect()
    }

    /// The distance after a move is known.
    fn settle(&mut self, place: usize, solution: Vec<Move>) {
        self.after[place] = PositionValue::solved(solution.clone());
        self.remember(self.plays[place].1, solution);
    }

    fn remember(&mut self, mut state: State, solution: Vec<Move>) {
        let number = self.solutions.len();
        for (made, play) in solution.iter().enumerate() {
            self.on_solutions.entry(state).or_insert((number, made));
            let next = self.puzzle.apply(state, play.robot, play.direction);
            state = next.expect("solutions can be played");
        }
        self.solutions.push(solution);
        self.has_new_solutions = true;
    }

    /// The rest of a known solution from a position on it.
    fn rest_from(&self, state: State) -> Option<&[Move]> {
        let &(number, made) = self.on_solutions.get(&state)?;
        Some(&self.solutions[number][made..])
    }

    /// The positions about which there is something to find out, by their places: all of them, until
    /// the distance of the position itself is known.
    fn open(&self) -> Vec<usize> {
        let all = self.here.distance.is_open();
        let wanted = |place: &usize| all || self.robots.contains(&self.plays[*place].0.robot);
        let places = (0..self.plays.len()).filter(wanted);
        places
            .filter(|&place| self.after[place].distance.is_open())
            .collect()
    }

    /// One search from all positions, then another from those that are further away, and so on.
    pub(super) fn search_together(&mut self, flagship: &mut Flagship) {
        loop {
            self.conclude();
            let open = self.open();
            if open.is_empty() || self.limit.is_some() {
                return;
            }
            let states: Vec<State> = open.iter().map(|&place| self.plays[place].1).collect();
            let mut limits = after_a_move(self.budget.left());
            // A position that is known to be at most so far is exactly so far once it is proved that
            // none of them is nearer.
            let nearest_path = open.iter().filter_map(|&place| self.paths[place].as_ref());
            let enough = nearest_path.map(Vec::len).min();
            let enough = enough.map_or(u32::MAX, |moves| moves as u32 - 1);
            let most = limits.moves.unwrap_or(u32::MAX);
            limits.moves = Some(most.min(enough)).filter(|&most| most < u32::MAX);
            let (puzzle, before) = (self.puzzle, self.stats.clone());
            let mut nodes = before.nodes;
            let mut layers = |row: &DepthRow| {
                nodes += row.nodes;
                if nodes >= LARGE {
                    self.stats.nodes = nodes;
                    self.prove(&open, row.depth + 1);
                    self.report();
                }
            };
            let (ended, stats) = flagship.nearest(puzzle, &states, &limits, &mut layers);
            self.stats = before;
            self.add(&stats);
            match ended {
                SearchEnd::Solved(found) => {
                    let mut moves = 0;
                    for (place, solution) in found {
                        moves = solution.len() as u32;
                        self.settle(open[place], solution.moves().to_vec());
                    }
                    self.prove(&open, moves + 1);
                }
                SearchEnd::Unsolvable => {
                    for place in open {
                        self.after[place].distance = Distance::Unreachable;
                    }
                }
                SearchEnd::Limit { limit, lower_bound } => {
                    self.prove(&open, lower_bound);
                    if limit != Limit::Moves || lower_bound > most {
                        self.limit = Some(limit);
                    }
                }
            }
            self.report();
        }
    }

    /// A search for each position that the set search cannot take.
    pub(super) fn search_one_by_one(&mut self, flagship: &mut Flagship) {
        self.conclude();
        if self.here.distance.is_open() {
            let share = self.budget.share(2);
            self.here = self.solve(flagship, self.puzzle.start(), &share);
            if let Some(solution) = self.here.solution.clone() {
                self.remember(self.puzzle.start(), solution);
            }
            let first = self.here.solution.as_deref().and_then(<[_]>::split_first);
            if let Some((play, rest)) = first
                && let Some(place) = self.plays.iter().position(|(it, _)| it == play)
            {
                let rest = rest.to_vec();
                self.settle(place, rest);
            }
            self.report();
        }
        let waiting = self.open();
        for (done, &place) in waiting.iter().enumerate() {
            self.conclude();
            if !self.after[place].distance.is_open() || self.limit == Some(Limit::Cancelled) {
                continue;
            }
            // Those that have had their share get no more, so the last of the others gets all that is
            // left.
            let rest = waiting[done..].iter();
            let rest = rest.filter(|&&place| self.after[place].distance.is_open());
            let shares = rest.count() as u32;
            let mut limits = after_a_move(self.budget.share(shares));
            let path = self.paths[place].as_ref().map(|path| path.len() as u32);
            let most = limits.moves.unwrap_or(u32::MAX);
            if let Some(path) = path {
                limits.moves = Some(most.min(path - 1));
            }
            let limit = self.limit.take();
            let known = self.solve(flagship, self.plays[place].1, &limits);
            let bound = known.distance.lower_bound().unwrap_or(0);
            if self.limit == Some(Limit::Moves) && bound <= most {
                // That was the path that is known.
                self.limit = None;
            }
            self.limit = limit.or(self.limit);
            match known.solution {
                Some(solution) => self.settle(place, solution),
                None if known.distance.is_open() => self.prove(&[place], bound),
                None => self.after[place] = known,
            }
            self.report();
        }
        self.conclude();
    }

    fn solve(&mut self, flagship: &mut Flagship, state: State, limits: &Limits) -> PositionValue {
        let puzzle = self
            .puzzle
            .with_position(state.cells(), self.puzzle.goal())
            .expect("a position that moves lead to is one");
        let puzzle = puzzle.with_rules(ricochet_core::Rules {
            must_ricochet: false,
        });
        let (outcome, stats) = flagship.solve(&puzzle, limits, &mut NullObserver);
        self.add(&stats);
        if let Outcome::LimitReached { limit, .. } = outcome {
            self.limit = Some(limit);
        }
        PositionValue::from_outcome(outcome)
    }

    fn add(&mut self, stats: &Stats) {
        self.budget.charge(stats.nodes);
        self.stats.nodes += stats.nodes;
        self.stats.generated += stats.generated;
        self.stats.hits += stats.hits;
        self.stats.expanded += stats.expanded;
        self.stats.peak_bytes = self.stats.peak_bytes.max(stats.peak_bytes);
    }

    /// None of these positions is nearer.
    fn prove(&mut self, places: &[usize], bound: u32) {
        for &place in places {
            let distance = &mut self.after[place].distance;
            *distance = distance.at_least(bound);
        }
    }

    /// Draws the conclusions that the position allows about those after a move, and the other path
    /// round, until there are none.
    fn conclude(&mut self) {
        loop {
            self.conclude_about_here();
            if let Some(moves) = self.here.distance.lower_bound() {
                // One move cannot bring the goal nearer than by one.
                for known in &mut self.after {
                    known.distance = known.distance.at_least(moves.saturating_sub(1));
                }
            } else {
                for known in &mut self.after {
                    known.distance = Distance::Unreachable;
                }
            }
            self.find_paths();
            let mut concluded = false;
            for place in 0..self.paths.len() {
                if let Some(path) = &self.paths[place]
                    && self.after[place].distance == Distance::AtLeast(path.len() as u32)
                {
                    self.settle(place, path.clone());
                    concluded = true;
                }
            }
            if !concluded {
                return;
            }
        }
    }

    fn conclude_about_here(&mut self) {
        if !self.here.distance.is_open() {
            return;
        }
        let bounds = self.after.iter().map(|known| known.distance);
        let Some(least) = bounds.filter_map(Distance::lower_bound).min() else {
            self.here.distance = Distance::Unreachable;
            return;
        };
        self.here.distance = self.here.distance.at_least(least + 1);
        let nearest = self
            .after
            .iter()
            .zip(&self.plays)
            .find_map(|(known, play)| {
                let solution = known.solution.as_ref()?;
                (known.distance == Distance::Exactly(least)).then_some((play.0, solution))
            });
        if let Some((play, rest)) = nearest
            && self.here.distance == Distance::AtLeast(least + 1)
        {
            let solution = [&[play], rest.as_slice()].concat();
            self.here = PositionValue::solved(solution.clone());
            self.remember(self.puzzle.start(), solution);
        }
    }

    /// Looks for paths to the goal after each move, wherever something new may lead there.
    fn find_paths(&mut self) {
        if !std::mem::take(&mut self.has_new_solutions) {
            return;
        }
        for place in self.open() {
            let mut best = self.paths[place].take();
            self.paths_from(self.plays[place].1, &[], &mut best);
            // Two moves further is worth it for searches that take longer than that.
            let deep = self.stats.nodes >= LARGE;
            for (first, next) in legal_moves(self.puzzle, self.plays[place].1) {
                if deep {
                    self.paths_from(next, &[first], &mut best);
                    for (second, next) in legal_moves(self.puzzle, next) {
                        self.join(next, &[first, second], &mut best);
                    }
                } else {
                    self.join(next, &[first], &mut best);
                }
            }
            self.paths[place] = best;
        }
    }

    /// A path to the goal that begins with some moves to a position: by its own known solution, or by
    /// the moves of others.
    fn paths_from(&self, state: State, before: &[Move], best: &mut Option<Vec<Move>>) {
        self.join(state, before, best);
        for solution in &self.solutions {
            if let Some(rest) = self.replay(state, solution) {
                shorten(best, before, &rest);
            }
        }
    }

    fn join(&self, state: State, before: &[Move], best: &mut Option<Vec<Move>>) {
        if let Some(rest) = self.rest_from(state) {
            shorten(best, before, rest);
        } else if self.puzzle.is_on_target(state) {
            shorten(best, before, &[]);
        }
    }

    /// The moves of a solution from another position, those that go nowhere left out, if they lead to
    /// the goal.
    fn replay(&self, mut state: State, solution: &[Move]) -> Option<Vec<Move>> {
        let mut played = Vec::with_capacity(solution.len());
        for &play in solution {
            if let Some(next) = self.puzzle.apply(state, play.robot, play.direction) {
                state = next;
                played.push(play);
                if self.puzzle.is_on_target(state) {
                    return Some(played);
                }
            }
        }
        None
    }

    fn report(&mut self) {
        self.conclude();
        let evaluation = self.evaluation();
        (self.watch)(&evaluation);
    }

    /// What is known by now.
    pub(super) fn evaluation(&self) -> Evaluation {
        let here = self.here.distance;
        let after = self.after.iter().cloned();
        let moves = MoveEvaluation::sorted(self.plays.iter().copied().zip(after), here);
        let mut stats = self.stats.clone();
        stats.time = self.budget.elapsed();
        let all_known = !here.is_open() && self.open().is_empty();
        Evaluation {
            distance: here,
            solution: self.here.solution.clone().map(Solution::new),
            moves,
            limit: self.limit.filter(|_| !all_known),
            stats,
        }
    }

    /// All positions about which something was learned: this one, those after a move, and those on
    /// the solutions.
    pub(super) fn learned(self) -> Vec<(State, PositionValue)> {
        let on_solutions = self.on_solutions.keys().filter_map(|&state| {
            let rest = self.rest_from(state)?;
            Some((state, PositionValue::solved(rest.to_vec())))
        });
        on_solutions.chain(self.positions()).collect()
    }
}

/// Takes a path if it is shorter than the best so far.
fn shorten(best: &mut Option<Vec<Move>>, before: &[Move], rest: &[Move]) {
    let moves = before.len() + rest.len();
    if best.as_ref().is_none_or(|path| path.len() > moves) {
        *best = Some([before, rest].concat());
    }
}
