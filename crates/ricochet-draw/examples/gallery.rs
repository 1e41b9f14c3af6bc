//! Draws sample pictures for looking at by eye: `cargo run -p ricochet-draw --example gallery -- DIR`.

#[path = "../tests/draw/support.rs"]
mod support;

use std::fs;
use std::path::{Path, PathBuf};

use ricochet_core::{Board, Puzzle, Trace};
use ricochet_draw::{Overlay, Picture, Sheet, SheetPuzzle, Terminal, Theme};
use support::{everything, official, place, slides_puzzle, slides_solution, wander};

fn main() -> std::io::Result<()> {
    let folder: PathBuf = std::env::args_os()
        .nth(1)
        .unwrap_or_else(|| "gallery".into())
        .into();
    fs::create_dir_all(&folder)?;
    terminal(&folder)?;
    pictures(&folder)?;
    readme(&folder)
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

fn pictures(folder: &Path) -> std::io::Result<()> {
    let slides = slides_puzzle();
    let slides_trace = slides_solution()
        .replay(&slides)
        .expect("the slides are right");
    let diagonals = official("1D 4D 3D 2D", 8, 3);
    let diagonals_trace = wander(&diagonals, 9, 5);
    for theme in Theme::NAMES {
        let colors = Theme::from_name(theme).expect("a name of a theme");
        for cell in [16, 40, 80] {
            let slides = Picture::new(&slides).theme(colors.clone()).cell_size(cell);
            save(
                folder,
                &format!("slides-{theme}-{cell}"),
                &slides.solution(&slides_trace),
            )?;
            let board = Picture::new(&diagonals)
                .theme(colors.clone())
                .cell_size(cell);
            save(
                folder,
                &format!("diagonals-{theme}-{cell}"),
                &board.clone().coordinates(true),
            )?;
            let way = board
                .solution(&diagonals_trace)
                .caption("nine moves, for a look");
            save(folder, &format!("way-{theme}-{cell}"), &way)?;
        }
        let overlay = Overlay::new("moves at least", slides.board(), |cell| {
            (cell.x != 3).then(|| u32::from(cell.x).abs_diff(9) + u32::from(cell.y).abs_diff(12))
        });
        let picture = Picture::new(&slides)
            .theme(colors.clone())
            .overlay(&overlay);
        save(folder, &format!("overlay-{theme}"), &picture)?;
        let marks = Overlay::new("critical cells", diagonals.board(), |cell| {
            (cell.x % 5 == cell.y % 4).then_some(u32::from(cell.x % 2))
        })
        .name(0, "blocks the way")
        .name(1, "stops the robot");
        let picture = Picture::new(&diagonals).theme(colors).overlay(&marks);
        save(folder, &format!("marks-{theme}"), &picture)?;
    }
    for (name, picture) in [
        ("slides", Picture::new(&slides).solution(&slides_trace)),
        ("way", Picture::new(&diagonals).solution(&diagonals_trace)),
        (
            "way-dark",
            Picture::new(&diagonals)
                .solution(&diagonals_trace)
                .theme(Theme::DARK),
        ),
    ] {
        let gif = picture.gif().expect("small enough");
        fs::write(folder.join(format!("{name}.gif")), gif)?;
    }
    let puzzles: Vec<Puzzle> = ["1A 2B 3A 4B", "1C 2C 3C 4C", "1D 4D 3D 2D", "1B 3A 2B 4A"]
        .iter()
        .enumerate()
        .map(|(i, layout)| official(layout, 4 + i % 2, 3 * i))
        .chain([slides.clone(), everything()])
        .chain([place(Board::builder(32, 20).build().expect("valid"), 8, 0)])
        .collect();
    let traces: Vec<Trace> = puzzles.iter().map(|puzzle| wander(puzzle, 9, 3)).collect();
    for per_page in [1, 4, 6, 12] {
        let mut sheet = Sheet::new("Ricochet Robots").per_page(per_page);
        for (puzzle, trace) in puzzles.iter().zip(&traces) {
            sheet.add(SheetPuzzle::new(puzzle).solution(trace));
        }
        fs::write(
            folder.join(format!("sheet-{per_page}.pdf")),
            sheet.pages().pdf(),
        )?;
        fs::write(
            folder.join(format!("sheet-{per_page}.svg")),
            &sheet.pages().svg()[0],
        )?;
    }
    let way = Picture::new(&slides).solution(&slides_trace).pdf();
    fs::write(folder.join("slides.pdf"), way)?;
    let tiny = place(Board::builder(2, 2).build().expect("valid"), 3, 0);
    let way = wander(&tiny, 3, 1);
    let tiny = Picture::new(&tiny)
        .solution(&way)
        .coordinates(true)
        .caption("a long caption");
    save(folder, "tiny", &tiny)?;
    let large = place(Board::builder(32, 32).build().expect("valid"), 8, 0);
    let way = wander(&large, 20, 1);
    save(
        folder,
        "large",
        &Picture::new(&large).cell_size(24).solution(&way),
    )
}

fn save(folder: &Path, name: &str, picture: &Picture<'_>) -> std::io::Result<()> {
    fs::write(folder.join(format!("{name}.svg")), picture.svg())?;
    let png = picture.png().expect("small enough");
    fs::write(folder.join(format!("{name}.png")), png)
}

/// The pictures of the README.
fn readme(folder: &Path) -> std::io::Result<()> {
    let slides = slides_puzzle();
    let trace = slides_solution()
        .replay(&slides)
        .expect("the slides are right");
    let picture = Picture::new(&slides).cell_size(40).solution(&trace);
    fs::write(folder.join("readme-slides.svg"), picture.svg())?;
    let gif = picture.cell_size(28).gif().expect("small enough");
    fs::write(folder.join("readme-slides.gif"), gif)?;
    let diagonals = official("1D 4D 3D 2D", 5, 3);
    let dark = Picture::new(&diagonals)
        .theme(Theme::DARK)
        .cell_size(28)
        .coordinates(true);
    fs::write(folder.join("readme-diagonals.svg"), dark.svg())
}
