//! Makes the files of `corpus/` whose optima two independent solvers have to agree on.
//!
//! `cargo bench -q -p ricochet-solve --bench make_corpus -- KIND SECONDS > FILE`, from the root
//! of the project. KIND is `by-length`, `five-robots`, `diagonals`, `small`, `large` or `unsolvable`;
//! no new candidate is begun after SECONDS. A puzzle's name says where it comes from: `s7-123` is
//! number 123 of seed 7 of the kind's recipe, and `H18_0003+2` is that position of
//! `corpus/official/hard.jsonl` after the first two moves of an optimal solution.
//!
//! `longer SECONDS HARDEST.csv` prints `corpus/official/by-length.jsonl` with more of the lengths that
//! chance hardly ever gives. HARDEST.csv is the list of the hardest positions of a census
//! (`ricochet census`): its distances are a third proof, by retrograde analysis. Such a puzzle is named
//! by its notation, followed by `+2` if two moves of an optimal solution were made.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use ricochet_core::formats::{self, Format};
use ricochet_core::generate::{RandomBoard, Recipe};
use ricochet_core::quadrants::Edition;
use ricochet_core::rng::Rng;
use ricochet_core::{Puzzle, Solution, Trace, notation};
use ricochet_solve::registry;
use ricochet_solve::{Limits, NullObserver, Outcome, Solver};

type Error = Box<dyn std::error::Error>;

/// Two solvers that share nothing but the rules.
struct Judges {
    first: Box<dyn Solver>,
    second: Box<dyn Solver>,
    limits: Limits,
}

/// What both judges say.
#[derive(Clone)]
enum Verdict {
    Optimal(Solution),
    Unsolvable,
}

impl Judges {
    fn new(first: &str, second: &str) -> Result<Self, Error> {
        Ok(Self {
            first: registry::build(first)?,
            second: registry::build(second)?,
            limits: Limits {
                time: Some(Duration::from_secs(10 * 60)),
                memory: Some(3 << 30),
                ..Limits::default()
            },
        })
    }

    /// The answer of the first judge, if it comes within the limits.
    fn first(&mut self, puzzle: &Puzzle) -> Option<Verdict> {
        proven(self.first.solve(puzzle, &self.limits, &mut NullObserver).0)
    }

    /// Whether the second judge proves the same.
    fn second_agrees(&mut self, puzzle: &Puzzle, verdict: &Verdict) -> Result<bool, Error> {
        let second = proven(self.second.solve(puzzle, &self.limits, &mut NullObserver).0);
        match (verdict, second) {
            (_, None) => Ok(false),
            (Verdict::Unsolvable, Some(Verdict::Unsolvable)) => Ok(true),
            (Verdict::Optimal(a), Some(Verdict::Optimal(b))) if a.len() == b.len() => {
                a.replay(puzzle)?;
                b.replay(puzzle)?;
                Ok(true)
            }
            _ => Err(format!("the judges disagree about {:?}", puzzle.id()).into()),
        }
    }
}

fn proven(outcome: Outcome) -> Option<Verdict> {
    match outcome {
        Outcome::Solved {
            solution,
            optimal: true,
            ..
        } => Some(Verdict::Optimal(solution)),
        Outcome::Unsolvable => Some(Verdict::Unsolvable),
        _ => None,
    }
}

/// Puzzles by optimum, at most `room` of each.
struct Shelf {
    room: usize,
    puzzles: BTreeMap<usize, Vec<Puzzle>>,
}

impl Shelf {
    fn is_full(&self, length: usize) -> bool {
        self.puzzles.get(&length).map_or(0, Vec::len) >= self.room
    }

    fn put(&mut self, length: usize, puzzle: Puzzle) {
        let optimal = u32::try_from(length).ok();
        let shelf = self.puzzles.entry(length).or_default();
        shelf.push(puzzle.with_optimal(optimal));
    }

    fn print(&self) -> Result<(), Error> {
        for (length, puzzles) in &self.puzzles {
            eprintln!("{length:3} moves: {}", puzzles.len());
            for puzzle in puzzles {
                println!("{}", formats::write(Format::Json, puzzle)?.text);
            }
        }
        Ok(())
    }
}

fn main() -> Result<(), Error> {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| a != "--bench")
        .collect();
    let (kind, seconds, census) = match arguments.as_slice() {
        [kind, seconds] => (kind, seconds, None),
        [kind, seconds, census] if kind == "longer" => (kind, seconds, Some(census)),
        _ => return Err("expected KIND SECONDS, or longer SECONDS HARDEST.csv".into()),
    };
    let deadline = Instant::now() + Duration::from_secs(seconds.parse()?);
    match kind.as_str() {
        "longer" => longer(
            deadline,
            census.ok_or("longer: expected SECONDS HARDEST.csv")?,
        ),
        "by-length" => by_length(deadline),
        "unsolvable" => unsolvable(deadline),
        "five-robots" => spread(deadline, 8, "iddfs", |number| {
            let recipe = Recipe {
                robots: 5,
                ..Recipe::official(Edition::Of1999)
            };
            Ok(recipe.puzzle(5, number)?.with_id(format!("s5-{number}")))
        }),
        "diagonals" => spread(deadline, 12, "iddfs", |number| {
            let puzzle = if number % 2 == 0 {
                Recipe::official(Edition::Of2013).puzzle(6, number)?
            } else {
                let board = RandomBoard {
                    diagonals: Some(6),
                    ..RandomBoard::new(12, 12)
                };
                Recipe::random(board).puzzle(6, number)?
            };
            Ok(puzzle.with_id(format!("s6-{number}")))
        }),
        "small" => spread(deadline, 12, "naive", |number| {
            let mut rng = Rng::stream(7, number);
            let board = RandomBoard::new(2 + rng.below(7), 2 + rng.below(7));
            let recipe = Recipe {
                robots: 1 + rng.below(3),
                ..Recipe::random(board)
            };
            Ok(recipe.puzzle(7, number)?.with_id(format!("s7-{number}")))
        }),
        "large" => spread(deadline, 24, "iddfs", |number| {
            let mut rng = Rng::stream(8, number);
            let board = RandomBoard::new(17 + rng.below(16), 17 + rng.below(16));
            let puzzle = Recipe::random(board).puzzle(8, number)?;
            Ok(puzzle.with_id(format!("s8-{number}")))
        }),
        _ => Err(format!("no corpus is called '{kind}'").into()),
    }
}

/// Candidates one after the other; those of a length that is not yet well represented are kept.
fn spread(
    deadline: Instant,
    room: usize,
    second: &str,
    candidate: impl Fn(u64) -> Result<Puzzle, Error>,
) -> Result<(), Error> {
    let mut judges = Judges::new("flagship", second)?;
    let mut shelf = Shelf {
        room,
        puzzles: BTreeMap::new(),
    };
    for number in 0.. {
        if Instant::now() > deadline {
            break;
        }
        // A recipe that does not fit (too many robots for a tiny board) is passed over.
        let Ok(puzzle) = candidate(number) else {
            continue;
        };
        if puzzle.board().diagonals().is_empty()
            && puzzle.id().is_some_and(|id| id.starts_with("s6"))
        {
            continue;
        }
        let Some(verdict) = judges.first(&puzzle) else {
            continue;
        };
        if let Verdict::Optimal(solution) = &verdict
            && !shelf.is_full(solution.len())
            && judges.second_agrees(&puzzle, &verdict)?
        {
            shelf.put(solution.len(), puzzle);
        }
    }
    shelf.print()
}

/// Random official positions of every length, and for the lengths that chance hardly ever gives,
/// hard positions and what optimal solutions make of them.
fn by_length(deadline: Instant) -> Result<(), Error> {
    let mut judges = Judges::new("flagship", "iddfs")?;
    let mut shelf = Shelf {
        room: 30,
        puzzles: BTreeMap::new(),
    };
    let mut hard = Vec::new();
    for setup in formats::read(&std::fs::read_to_string("corpus/official/hard.jsonl")?)? {
        hard.push(setup.validate()?);
    }
    // Random ones have the first right to a place.
    let recipe = Recipe::official(Edition::Of1999);
    let started = Instant::now();
    for number in 0.. {
        if Instant::now() > started + (deadline - started) / 2 {
            break;
        }
        let puzzle = recipe.puzzle(4, number)?.with_id(format!("s4-{number}"));
        if let Some(verdict @ Verdict::Optimal(_)) = judges.first(&puzzle) {
            let Verdict::Optimal(solution) = &verdict else {
                continue;
            };
            if !shelf.is_full(solution.len()) && judges.second_agrees(&puzzle, &verdict)? {
                shelf.put(solution.len(), puzzle);
            }
        }
    }
    hard.sort_by_key(Puzzle::known_optimal);
    for skipped in 0..12 {
        for puzzle in hard.iter().rev() {
            let length = puzzle.known_optimal().unwrap_or(0) as usize;
            if Instant::now() > deadline || length <= skipped || shelf.is_full(length - skipped) {
                continue;
            }
            let Some(Verdict::Optimal(solution)) = judges.first(puzzle) else {
                continue;
            };
            let trace = Trace::play(puzzle, &solution.moves()[..skipped])?;
            let id = puzzle.id().unwrap_or("hard").to_owned();
            let later = puzzle.with_position(trace.end().cells(), puzzle.goal())?;
            let later = later.with_id(if skipped == 0 {
                id
            } else {
                format!("{id}+{skipped}")
            });
            let rest = Verdict::Optimal(Solution::new(solution.moves()[skipped..].to_vec()));
            if judges.second_agrees(&later, &rest)? {
                shelf.put(length - skipped, later);
            }
        }
    }
    shelf.print()
}

/// The lengths that [`longer`] fills, and how many of each it wants: their proofs take the second
/// judge from seconds to minutes each.
const LONGER: [(usize, usize); 5] = [(16, 30), (17, 30), (18, 24), (19, 16), (20, 12)];

/// Positions of one length from one target: its neighbours on the list differ in one robot's cell.
const OF_ONE_TARGET: usize = 3;

/// What there is, and more of the long ones from a census.
fn longer(deadline: Instant, census: &str) -> Result<(), Error> {
    let mut judges = Judges::new("flagship", "iddfs")?;
    let mut shelf = Shelf {
        room: usize::MAX,
        puzzles: BTreeMap::new(),
    };
    for setup in formats::read(&std::fs::read_to_string("corpus/official/by-length.jsonl")?)? {
        let puzzle = setup.validate()?;
        let length = puzzle.known_optimal().ok_or("by-length has optima")?;
        shelf.put(length as usize, puzzle);
    }
    let targets = hardest_by_target(census)?;
    for (length, wanted) in LONGER {
        shelf.room = wanted;
        // As many moves as needed are made of a harder position; the fewer, the better. One of each
        // target first, then the second of each.
        let mut candidates = Vec::new();
        for (distance, positions) in &targets {
            let Some(skipped) = distance.checked_sub(length).filter(|&skipped| skipped <= 3) else {
                continue;
            };
            for nth in 0..OF_ONE_TARGET.min(positions.len()) {
                let position =
                    &positions[nth * positions.len() / OF_ONE_TARGET.min(positions.len())];
                candidates.push((skipped, nth, position));
            }
        }
        candidates.sort_by_key(|&(skipped, nth, _)| (skipped, nth));
        for (skipped, _, position) in candidates {
            if Instant::now() > deadline || shelf.is_full(length) {
                break;
            }
            let puzzle = notation::parse_line(position)?.validate()?;
            let Some(Verdict::Optimal(solution)) = judges.first(&puzzle) else {
                continue;
            };
            if solution.len() != length + skipped {
                return Err(format!("{position}: the census contradicts the flagship").into());
            }
            let trace = Trace::play(&puzzle, &solution.moves()[..skipped])?;
            let later = puzzle.with_position(trace.end().cells(), puzzle.goal())?;
            let later = later.with_id(if skipped == 0 {
                position.clone()
            } else {
                format!("{position}+{skipped}")
            });
            let rest = Verdict::Optimal(Solution::new(solution.moves()[skipped..].to_vec()));
            if judges.second_agrees(&later, &rest)? {
                shelf.put(length, later);
                eprintln!("{length}: {} of {wanted}", shelf.puzzles[&length].len());
            }
        }
    }
    shelf.print()
}

/// The lists of a census, one for each target, with the distance of its positions.
fn hardest_by_target(path: &str) -> Result<Vec<(usize, Vec<String>)>, Error> {
    let mut targets: BTreeMap<String, (usize, Vec<String>)> = BTreeMap::new();
    for line in std::fs::read_to_string(path)?.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [layout, x, y, _, _, distance, position] = fields.as_slice() else {
            return Err(format!("{path}: not a line of a census: {line}").into());
        };
        let target = targets.entry(format!("{layout} {x} {y}")).or_default();
        target.0 = distance.parse()?;
        target.1.push((*position).to_owned());
    }
    Ok(targets.into_values().collect())
}

/// Few robots on small boards, where the target often cannot be reached at all.
fn unsolvable(deadline: Instant) -> Result<(), Error> {
    let mut judges = Judges::new("flagship", "naive")?;
    let mut kept = 0;
    for number in 0.. {
        if Instant::now() > deadline || kept == 100 {
            break;
        }
        let mut rng = Rng::stream(9, number);
        let board = RandomBoard {
            diagonals: Some(if number % 4 == 3 { 2 } else { 0 }),
            ..RandomBoard::new(3 + rng.below(10), 3 + rng.below(10))
        };
        let recipe = Recipe {
            robots: 1 + rng.below(2),
            ..Recipe::random(board)
        };
        let Ok(puzzle) = recipe.puzzle(9, number) else {
            continue;
        };
        let puzzle = puzzle.with_id(format!("s9-{number}"));
        if let Some(verdict @ Verdict::Unsolvable) = judges.first(&puzzle)
            && judges.second_agrees(&puzzle, &verdict)?
        {
            println!("{}", formats::write(Format::Json, &puzzle)?.text);
            kept += 1;
        }
    }
    eprintln!("{kept} kept");
    Ok(())
}
