//! The walls of any board in the one-line form: two bits a cell, six bits a character.
//!
//! Row by row each cell has a bit for its east wall (but for the last column) and one for its south
//! wall (but for the last row). Six bits, the first one highest, make one character of the alphabet
//! of base64url. `~` and a character of value `v` stand for `v + 3` characters `A`; characters `A`
//! at the end are left out.

use super::cursor::Cursor;
use super::error::ReadError;
use crate::board::Board;
use crate::geometry::Direction;
use crate::puzzle::Setup;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The shortest run of `A` that is worth two characters.
const SHORTEST_RUN: usize = 3;

/// The inner edges in order: index of the cell, and the side of it that the edge is on.
fn edges(width: usize, height: usize) -> impl Iterator<Item = (usize, Direction)> {
    (0..width * height).flat_map(move |index| {
        let east = index % width + 1 < width;
        let south = index / width + 1 < height;
        [(east, Direction::East), (south, Direction::South)]
            .into_iter()
            .filter_map(move |(inner, side)| inner.then_some((index, side)))
    })
}

pub(super) fn print(board: &Board, line: &mut String) {
    let mut sextets = Vec::new();
    for (number, (index, side)) in edges(board.width(), board.height()).enumerate() {
        if number % 6 == 0 {
            sextets.push(0u8);
        }
        if board.walls()[index] & side.wall_bit() != 0
            && let Some(last) = sextets.last_mut()
        {
            *last |= 32 >> (number % 6);
        }
    }
    while sextets.last() == Some(&0) {
        sextets.pop();
    }
    let symbol = |sextet: usize| char::from(ALPHABET[sextet]);
    let mut at = 0;
    while at < sextets.len() {
        let zeros = sextets[at..]
            .iter()
            .take_while(|&&sextet| sextet == 0)
            .count();
        if zeros >= SHORTEST_RUN {
            let run = zeros.min(SHORTEST_RUN + 63);
            line.push('~');
            line.push(symbol(run - SHORTEST_RUN));
            at += run;
        } else {
            line.push(symbol(usize::from(sextets[at])));
            at += 1;
        }
    }
}

/// Adds the walls to a board that has only its rim.
pub(super) fn parse(cursor: &mut Cursor<'_>, setup: &mut Setup) -> Result<(), ReadError> {
    let (width, height) = (setup.width, setup.height);
    let mut edges = edges(width, height);
    let mut left = (width - 1) * height + width * (height - 1);
    loop {
        let start = cursor.offset();
        let Some(symbol) = cursor.peek().filter(|&c| c != '.') else {
            return Ok(());
        };
        let value = |cursor: &mut Cursor<'_>| {
            let value = cursor
                .peek()
                .and_then(|c| ALPHABET.iter().position(|&known| char::from(known) == c));
            let value = value.ok_or_else(|| cursor.expected("walls (A-Z a-z 0-9 - _ ~) or '.'"));
            if value.is_ok() {
                cursor.bump();
            }
            value
        };
        let (sextet, times) = if symbol == '~' {
            cursor.bump();
            (0, value(cursor)? + SHORTEST_RUN)
        } else {
            (value(cursor)?, 1)
        };
        for _ in 0..times {
            if left == 0 {
                let message =
                    format!("expected '.': a board of {width}x{height} has no more walls");
                return Err(cursor.error_at(start, message));
            }
            for bit in 0..6 {
                let wall = sextet & (32 >> bit) != 0;
                match edges.next() {
                    None if wall => {
                        let message = "expected zero bits after the last wall".to_string();
                        return Err(cursor.error_at(start, message));
                    }
                    None => {}
                    Some((index, side)) => {
                        left -= 1;
                        if wall {
                            let next = index + if side == Direction::East { 1 } else { width };
                            setup.walls[index] |= side.wall_bit();
                            setup.walls[next] |= side.opposite().wall_bit();
                        }
                    }
                }
            }
        }
    }
}
