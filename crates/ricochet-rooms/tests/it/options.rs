//! Each option by name: what it changes in a game.

use ricochet_core::{Direction, Move, Robot};
use ricochet_rooms::{Command, Event, Options, PlayerId, Refusal, RoundResult, ShowFailure, Style};

use crate::table::Table;

const P1: PlayerId = PlayerId(1);

/// A move of the goal's own robot that ends on the target, if the puzzle has one.
fn straight(table: &Table) -> Option<Move> {
    let puzzle = table.puzzle();
    let moves = Robot::ALL.into_iter().take(puzzle.start().len());
    let mut moves =
        moves.flat_map(|robot| Direction::ALL.map(|direction| Move { robot, direction }));
    moves.find(|play| {
        let after = puzzle.apply(puzzle.start(), play.robot, play.direction);
        after.is_some_and(|after| puzzle.is_on_target(after))
    })
}

/// A first round that one straight move would solve.
fn straight_table(options: &Options) -> (Table, Move) {
    for seed in 1.. {
        let mut table = Table::new(options.clone(), seed);
        table.ok(Command::join("P1"));
        table.ok(Command::Start { player: P1 });
        table.prepare();
        if let Some(play) = straight(&table) {
            return (table, play);
        }
    }
    unreachable!("one seed in a few has such a round")
}

#[test]
fn must_ricochet_a_straight_way_does_not_win() {
    let shown = |must_ricochet| {
        let options = Options {
            must_ricochet,
            ..Options::default()
        };
        let (mut table, play) = straight_table(&options);
        assert_eq!(table.puzzle().rules().must_ricochet, must_ricochet);
        table.bid(1, 1);
        table.wait(60_000);
        table.ok(Command::Show { player: P1, play })
    };
    let won = |events: &[Event]| {
        let is_won = |event: &Event| {
            matches!(
                event,
                Event::RoundEnded {
                    result: RoundResult::Won { .. },
                    ..
                }
            )
        };
        events.iter().any(is_won)
    };
    assert!(won(&shown(false)));
    let events = shown(true);
    assert!(!won(&events), "{events:?}");
    let failed = |event: &Event| {
        matches!(
            event,
            Event::ShowFailed {
                reason: ShowFailure::TooManyMoves,
                ..
            }
        )
    };
    assert!(events.iter().any(failed), "{events:?}");
}

#[test]
fn must_ricochet_a_straight_solution_is_not_taken_in_secret() {
    let options = Options {
        must_ricochet: true,
        style: Style::Secret,
        ..Options::default()
    };
    let (mut table, play) = straight_table(&options);
    let refusal = table.say(Command::Submit {
        player: P1,
        moves: vec![play],
    });
    assert!(
        matches!(refusal, Err(Refusal::NotASolution { .. })),
        "{refusal:?}"
    );
}

#[test]
fn five_robots_stand_on_the_board() {
    for robots in [4, 5] {
        let options = Options {
            robots,
            ..Options::default()
        };
        let table = Table::playing(options, 1);
        assert_eq!(table.puzzle().start().len(), usize::from(robots));
    }
}

#[test]
fn the_edition_and_diagonals_choose_the_board() {
    for (edition, diagonals, faces) in [
        (1999, None, "AB"),
        (2003, None, "CD"),
        (2003, Some(false), "C"),
        (2013, Some(false), "ABC"),
        (2013, Some(true), "ABCD"),
    ] {
        let options = Options {
            edition,
            diagonals,
            ..Options::default()
        };
        let layout = Table::playing(options, 1).view().game.unwrap().layout;
        let letters = layout.chars().filter(char::is_ascii_uppercase);
        let printed: String = letters.collect();
        assert!(
            printed.chars().all(|face| faces.contains(face)),
            "{edition}: {layout}"
        );
        if let Some(wanted) = diagonals {
            assert_eq!(printed.contains('D'), wanted, "{edition}: {layout}");
        }
    }
}

#[test]
fn the_sand_is_as_long_as_the_room_says() {
    for sand_ms in [5_000, 90_000] {
        let options = Options {
            sand_ms,
            ..Options::default()
        };
        let mut table = Table::playing(options, 1);
        table.bid(1, 9);
        assert_eq!(table.room.deadline(), Some(table.now.after(sand_ms)));
    }
}
