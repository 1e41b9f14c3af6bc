//! The files of the puzzle set.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result};
use ricochet_core::describe::thousands;
use ricochet_solve::atomic_file;
use ricochet_solve::difficulty::Theme;

use super::row::{COLUMNS, Row};
use super::selection::{RANGE, range_of};
use super::{PuzzleSetOptions, count_by};

/// Writes a file whole or not at all.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    atomic_file::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

/// Rows as CSV.
pub(super) fn csv(rows: &[Row], header: bool) -> Result<Vec<u8>> {
    let mut writer = csv::WriterBuilder::new()
        .has_headers(false)
        .from_writer(Vec::new());
    if header {
        writer.write_record(COLUMNS)?;
    }
    for row in rows {
        writer.serialize(row)?;
    }
    Ok(writer.into_inner()?)
}

/// The letter of a theme in the page's file, which names them in a line of its own.
fn letter(theme: Theme) -> char {
    char::from(b'a' + theme as u8)
}

/// The page's file: one line per puzzle, by rating.
pub(super) fn training(mut rows: Vec<Row>) -> String {
    rows.sort_by_key(|row| (row.rating, row.number()));
    let mut text = "\
# Puzzles to train with offline: positions of the boards of 1999, by rating. CC0 1.0.
# Made by `ricochet lab puzzle-set`; docs/design/difficulty.md explains ratings and themes.
# id position rating deviation length themes
# themes"
        .to_owned();
    for theme in Theme::ALL {
        let _ = write!(text, " {}={theme}", letter(theme));
    }
    text.push('\n');
    for row in rows {
        let themes: String = row.theme_list().map(letter).collect();
        let themes = if themes.is_empty() { "-" } else { &themes };
        let _ = writeln!(
            text,
            "{} {} {} {} {} {themes}",
            row.id, row.position, row.rating, row.deviation, row.length
        );
    }
    text
}

/// The data card.
pub(super) fn card(options: &PuzzleSetOptions, rated: usize, rows: &[Row]) -> String {
    let mut text = format!(
        "\
# Data card: {} puzzles

`puzzles.csv` has positions of the official Ricochet Robots boards, each with a shortest solution, a
rating and themes. Licence: [CC0 1.0](https://creativecommons.org/publicdomain/zero/1.0/).

| column | meaning |
|---|---|
| `PuzzleId` | `S`, the seed, `-`, the number of the candidate |
| `Position` | board, robots and target in one-line notation (`ricochet help formats`) |
| `Moves` | one shortest solution: robot and direction of each move |
| `Rating` | how hard it is to find a shortest solution, on the scale of players' ratings |
| `RatingDeviation` | by how much the ratings that single simulated players would give differ |
| `Length` | moves of a shortest solution, proved |
| `Solutions` | the number of shortest solutions, as sequences of moves |
| `Themes` | what happens in all shortest solutions |
| `Layout` | the quadrants of the board, clockwise from the north-west |

Ratings come from simulated players and were not compared with people's.

## How it was made

```sh
ricochet lab puzzle-set --output DIR --seed {} --candidates {} --puzzles {} --training {}
```

- Of {} random positions, {} were rated; the others have more than 1,000 shortest solutions or
  would have taken too many nodes. All have four robots. By the number of the candidate modulo 4: 0 and
  1 have a printed target on a board of the 1999 edition (`ricochet generate --seed SEED --start NUMBER`
  makes them again), 2 a target on any open cell of such a board (`--any-cell`), and 3 a printed target on
  a board of the 2013 edition (`--edition 2013`).
- Every solution was replayed; its length is proved by the solver `flagship`.
- The set has as many puzzles as possible from each range of {RANGE} rating points, and within a range by
  turns one of each theme. So ratings and themes are far more even than in random positions.
- Positions that are the same but for a symmetry of the board or the colours of robots are there only
  once. Split by layout, not by row, to hold out boards.

## Distribution

| rating | puzzles |
|---|---|
",
        thousands(rows.len() as u64),
        options.seed,
        options.candidates,
        options.puzzles,
        options.training,
        thousands(options.candidates),
        thousands(rated as u64),
    );
    let counts = count_by(rows, |row| range_of(row.rating));
    let (least, most) = (range_of(i32::MIN), range_of(i32::MAX));
    for from in (least..=most).step_by(RANGE as usize) {
        let range = match from {
            _ if from == least => format!("under {}", from + RANGE),
            _ if from == most => format!("{from} and more"),
            _ => format!("{from} to {}", from + RANGE - 1),
        };
        let count = counts.get(&from).copied().unwrap_or(0);
        let _ = writeln!(text, "| {range} | {} |", thousands(count as u64));
    }
    text.push_str("\n| moves | puzzles |\n|---|---|\n");
    let counts = count_by(rows, |row| row.length);
    let mut lengths: Vec<_> = counts.into_iter().collect();
    lengths.sort_unstable();
    for (length, count) in lengths {
        let _ = writeln!(text, "| {length} | {} |", thousands(count as u64));
    }
    text.push_str("\n| theme | puzzles |\n|---|---|\n");
    for theme in Theme::ALL {
        let has = |row: &&Row| row.theme_list().any(|it| it == theme);
        let count = rows.iter().filter(has).count();
        let _ = writeln!(text, "| `{theme}` | {} |", thousands(count as u64));
    }
    text
}
