//! What nobody may learn from the wire.

use ricochet_rooms::{Command, Options, PlayerId, Style};

use crate::table::easy_table;

#[test]
fn nobody_sees_the_optimum_the_chips_to_come_or_the_seed_before_the_end() {
    let (mut table, solution) = easy_table(&Options::default(), 2);
    table.bid(1, 9);
    let text = solution.to_string();
    for viewer in [None, Some(PlayerId(1)), Some(PlayerId(2))] {
        for numbered in &table.log {
            let seen = serde_json::to_string(&numbered.seen_by(viewer)).unwrap();
            assert!(!seen.contains(&text), "{seen}");
            assert!(!seen.contains("\"stack\":["), "{seen}");
            assert!(
                seen.contains("\"seed\":null") || !seen.contains("\"seed\""),
                "{seen}"
            );
        }
        let view = serde_json::to_string(&table.room.view(viewer)).unwrap();
        assert!(!view.contains(&text) && !view.contains("stack") && !view.contains("seed"));
    }
}

#[test]
fn nobody_sees_anothers_hidden_solution() {
    let options = Options {
        style: Style::Secret,
        ..Options::default()
    };
    let (mut table, solution) = easy_table(&options, 2);
    table.ok(Command::Submit {
        player: PlayerId(1),
        moves: solution.moves().to_vec(),
    });
    let text = solution.to_string();
    let seen_by = |viewer| -> String {
        let events = table.log.iter().map(|it| it.seen_by(viewer));
        let events = serde_json::to_string(&events.collect::<Vec<_>>()).unwrap();
        events + &serde_json::to_string(&table.room.view(viewer)).unwrap()
    };
    assert!(!seen_by(None).contains(&text));
    assert!(!seen_by(Some(PlayerId(2))).contains(&text));
    assert!(
        seen_by(Some(PlayerId(1))).contains(&text),
        "one's own is one's own"
    );
}

#[test]
fn events_survive_json() {
    let (mut table, solution) = easy_table(&Options::default(), 2);
    table.bid(1, 9);
    table.wait(60_000);
    table.show_all(1, &solution);
    for numbered in &table.log {
        let text = serde_json::to_string(numbered).unwrap();
        assert_eq!(
            &serde_json::from_str::<ricochet_rooms::LogEntry>(&text).unwrap(),
            numbered
        );
    }
}
