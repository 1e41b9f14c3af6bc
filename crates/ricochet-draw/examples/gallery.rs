//! Draws sample pictures for looking at by eye: `cargo run -p ricochet-draw --example gallery -- DIR`.

#[path = "../tests/support/mod.rs"]
mod support;

use std::fs;
use std::path::{Path, PathBuf};

use ricochet::{Board, Puzzle, Trace};
use ricochet_draw::{Overlay, Terminal};
use support::{everything, official, place, slides_puzzle, slides_solution, wander};

fn main() -> std::io::Result<()> {
    let folder: PathBuf = std::env::args_os()
        .nth(1)
        .unwrap_or_else(|| "gallery".into())
        .into();
    fs::create_dir_all(&folder)?;
    terminal(&folder)
}

fn terminal(folder: &Path) -> std::io::Result<()> {
    let slides = slides_puzzle();
    let trace = slides_solution()
        .replay(&slides)
        .expect("the slides are right");
    let pictures: [(&str, Puzzle); 5] = [
        ("slides", slides.clone()),
        ("diagonals", official("1D 4D 3D 2D", 8, 3)),
        ("everything", everything()),
        (
            "tiny",
            place(Board::builder(2, 2).build().expect("valid"), 2, 0),
        ),
        (
            "large",
            place(Board::builder(32, 32).build().expect("valid"), 8, 0),
        ),
    ];
    for (name, puzzle) in &pictures {
        for (kind, terminal) in [
            ("unicode", Terminal::unicode()),
            ("ascii", Terminal::ascii()),
        ] {
            let file = folder.join(format!("{name}.{kind}.ansi"));
            fs::write(file, terminal.puzzle(puzzle).ansi())?;
        }
    }
    fs::write(
        folder.join("slides-solution.ansi"),
        solution(&slides, &trace),
    )?;
    let puzzle = official("1D 4D 3D 2D", 5, 3);
    let trace = wander(&puzzle, 7, 5);
    fs::write(
        folder.join("diagonal-solution.ansi"),
        solution(&puzzle, &trace),
    )?;
    let overlay = Overlay::new("row plus column", puzzle.board(), |cell| {
        Some(u32::from(cell.x) + u32::from(cell.y))
    });
    let picture = Terminal::unicode().overlay(&puzzle, &overlay);
    fs::write(folder.join("overlay.ansi"), picture.ansi())
}

fn solution(puzzle: &Puzzle, trace: &Trace) -> String {
    let mut boards: Vec<String> = Terminal::unicode()
        .solution(puzzle, trace)
        .iter()
        .map(|panel| {
            let picture = panel.picture.ansi();
            format!("moves {} to {}\n{picture}", panel.first, panel.last)
        })
        .collect();
    boards.push(Terminal::unicode().steps(trace).ansi());
    boards.join("\n")
}
