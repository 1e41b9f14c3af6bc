//! Traces as search traces of Posthoc, version 1.4.0.
//!
//! The format is defined in `protocol/Trace-v140.ts` of
//! [`ShortestPathLab/posthoc-app`](https://github.com/ShortestPathLab/posthoc-app): views, which are
//! lists of shapes with expressions in `${{ }}`, and events with a type, an id and a parent's id. An
//! event of ours that has no node gets an id of its own.

use std::collections::HashMap;

use ricochet_core::{Cell, Direction, Puzzle, State};
use serde_json::{Value, json};

use crate::json::coordinates;
use crate::questions::trace::{TraceAnswer, TraceEvent};

/// The colours of the robots in a picture, in the order of their letters.
const COLORS: [&str; 8] = [
    "#d32f2f", "#2e7d32", "#1565c0", "#f9a825", "#78909c", "#ef6c00", "#6a1b9a", "#00838f",
];

/// The trace in Posthoc's format. The first event is the board.
pub fn posthoc(puzzle: &Puzzle, trace: &TraceAnswer) -> Value {
    let mut positions: HashMap<u64, State> = HashMap::new();
    let mut events = vec![json!({ "type": "board", "id": "board", "pId": null })];
    for event in &trace.events {
        let before = event.parent.map_or(Some(puzzle.start()), |parent| {
            positions.get(&parent).copied()
        });
        let after = before.map(|mut state| {
            for (robot, &[x, y]) in &event.robots {
                state = state.with(robot.0, Cell::new(x, y));
            }
            state
        });
        if let (Some(id), Some(after)) = (event.id, after) {
            positions.entry(id).or_insert(after);
        }
        let state = event
            .id
            .and_then(|id| positions.get(&id).copied())
            .or(after);
        events.push(event_of(event, state));
    }
    json!({
        "version": "1.4.0",
        "views": { "main": main_view(puzzle), "board": board_view(puzzle) },
        "pivot": { "x": "${{ $.x + 0.5 }}", "y": "${{ $.y + 0.5 }}", "scale": 1 },
        "events": events,
    })
}

fn event_of(event: &TraceEvent, state: Option<State>) -> Value {
    let Value::Object(mut fields) = serde_json::to_value(event).expect("an event is JSON") else {
        unreachable!("an event is an object");
    };
    let parent = fields.remove("parent").unwrap_or(Value::Null);
    fields.insert("pId".to_owned(), parent);
    let own = || Value::from(format!("event-{}", event.number));
    fields.entry("id").or_insert_with(own);
    if let (Some(g), Some(h)) = (event.g, event.h) {
        fields.insert("f".to_owned(), (g + h).into());
    }
    let moved = event.robots.iter().next().map(|(_, &cell)| cell);
    if let Some([x, y]) = moved.or(event.cell) {
        fields.insert("x".to_owned(), x.into());
        fields.insert("y".to_owned(), y.into());
    }
    if let Some(state) = state {
        for (robot, cell) in state.iter() {
            let [x, y] = coordinates(cell);
            let letter = robot.letter().to_ascii_lowercase();
            fields.insert(format!("{letter}x"), x.into());
            fields.insert(format!("{letter}y"), y.into());
        }
    }
    Value::Object(fields)
}

/// The cell that an event is about, and all robots.
fn main_view(puzzle: &Puzzle) -> Value {
    let mut shapes = vec![
        json!({ "$": "board", "$if": "${{ $.type == 'board' }}" }),
        json!({
            "$": "rect", "x": "${{ $.x }}", "y": "${{ $.y }}", "width": 1, "height": 1,
            "fill": "${{ $.type == 'prune' ? '#b0bec5' : $.type == 'solution' ? '#66bb6a' : '#ffe082' }}",
            "alpha": 0.35, "$if": "${{ $.x !== undefined }}",
        }),
    ];
    for robot in puzzle.start().robots() {
        let letter = robot.letter().to_ascii_lowercase();
        shapes.push(json!({
            "$": "circle", "radius": 0.35, "clear": true, "fill": COLORS[robot.index()],
            "x": format!("${{{{ $.{letter}x + 0.5 }}}}"),
            "y": format!("${{{{ $.{letter}y + 0.5 }}}}"),
            "$if": format!("${{{{ $.{letter}x !== undefined }}}}"),
        }));
    }
    Value::Array(shapes)
}

/// The cells, walls and the target.
fn board_view(puzzle: &Puzzle) -> Value {
    let board = puzzle.board();
    let rect = |x: f64, y: f64, width: f64, height: f64, fill: &str| {
        json!({
            "$": "rect", "x": x, "y": y, "width": width, "height": height, "fill": fill,
            "clear": false,
        })
    };
    let (width, height) = (board.width() as f64, board.height() as f64);
    let mut shapes = vec![rect(0.0, 0.0, width, height, "#eceff1")];
    let (target, color) = (puzzle.goal().cell, puzzle.goal().robot);
    let color = color.map_or("#263238", |robot| COLORS[robot.index()]);
    let (x, y) = (f64::from(target.x), f64::from(target.y));
    shapes.push(rect(x + 0.2, y + 0.2, 0.6, 0.6, color));
    for cell in board.cells() {
        let (x, y) = (f64::from(cell.x), f64::from(cell.y));
        for side in Direction::ALL {
            if !board.has_wall(cell, side) {
                continue;
            }
            let (x, y, width, height) = match side {
                Direction::North => (x, y - 0.05, 1.0, 0.1),
                Direction::East => (x + 0.95, y, 0.1, 1.0),
                Direction::South => (x, y + 0.95, 1.0, 0.1),
                Direction::West => (x - 0.05, y, 0.1, 1.0),
            };
            shapes.push(rect(x, y, width, height, "#37474f"));
        }
    }
    Value::Array(shapes)
}
