//! The neutral JSON format: the corpus byte for byte, and what typical slips are told.

use ricochet_core::formats::{self, Format, Records};

const CORPUS: [&str; 5] = [
    include_str!("../../../../corpus/official/random.jsonl"),
    include_str!("../../../../corpus/official/hard.jsonl"),
    include_str!("../../../../corpus/records/records.jsonl"),
    include_str!("../../../../corpus/competitions/asp2015.jsonl"),
    include_str!("../../../../corpus/competitions/ipc2023.jsonl"),
];

const SMALL: &str =
    r#"{"width":2,"height":2,"walls":[9,3,12,6],"robots":[[0,0]],"active":0,"target":[1,1]}"#;

#[test]
fn the_corpus_comes_back_byte_for_byte() {
    let mut count = 0;
    for file in CORPUS {
        let setups = formats::read(file).expect("the corpus can be read");
        for (line, setup) in file.lines().zip(setups) {
            let puzzle = setup.validate().expect("the corpus is valid");
            let written = formats::write(Format::Json, &puzzle).unwrap();
            assert_eq!(written.text, line);
            assert!(written.notes.is_empty());
            count += 1;
        }
    }
    assert_eq!(count, 500 + 76 + 3 + 239 + 40);
}

#[test]
fn objects_may_span_lines_share_lines_or_stand_in_an_array() {
    let pretty = SMALL.replace(',', ",\r\n  ");
    for text in [
        format!("{SMALL}\n{SMALL}\n"),
        format!("{SMALL}\r\n\r\n# a comment\r\n{SMALL}"),
        format!("{pretty}\n{pretty}"),
        // The first line ends within a list, or within a string's key.
        SMALL.replace("[9,", "[9,\n") + "\n" + SMALL,
        SMALL.replace("\"active\":", "\"active\":\n") + SMALL,
        format!("[{SMALL},\n{pretty}]"),
        format!("\u{feff}[\n{SMALL},{SMALL}\n]\n"),
    ] {
        let setups = formats::read(&text).unwrap();
        assert_eq!(
            setups,
            formats::read(&format!("{SMALL}\n{SMALL}")).unwrap(),
            "{text}"
        );
        assert_eq!(setups.len(), 2);
    }
    let records: Vec<_> = Records::new(format!("\n{pretty}\n\n{pretty}").as_bytes())
        .map(|record| record.unwrap().line)
        .collect();
    assert_eq!(records, [2, 14]);
    let in_an_array: Vec<_> = Records::new(format!("[\n{SMALL},\n\n{SMALL}\n]").as_bytes())
        .map(|record| record.unwrap().line)
        .collect();
    assert_eq!(in_an_array, [2, 4]);
}

#[test]
fn a_first_line_that_is_cut_short_spoils_only_itself() {
    let file = format!("{}\n{SMALL}\n{SMALL}\n", &SMALL[..40]);
    let found: Vec<_> = Records::new(file.as_bytes()).collect();
    let error = found[0].as_ref().unwrap_err();
    assert_eq!((error.line, error.column), (1, 40), "{error}");
    let lines: Vec<_> = found[1..]
        .iter()
        .map(|record| record.as_ref().unwrap().line)
        .collect();
    assert_eq!(lines, [2, 3]);
    // Alone, it ends where it ends, not on a line that is not there.
    for end in [1, 10, 40, SMALL.len() - 1] {
        let error = formats::read(&SMALL[..end]).unwrap_err();
        assert_eq!((error.line, error.column), (1, end), "{error}");
    }
}

#[test]
fn the_extensions_are_understood() {
    let text = SMALL.replace(
        "\"active\":0",
        r#""active":null,"rules":{"must_ricochet":true},"diagonals":[[1,0,"\\","red"]],"targets":[[0,1,null,"vortex"],[1,1,"black","square"]],"colour of the box":{"a":[1,{}]},"optimal":null"#,
    );
    let setup = formats::read(&text).unwrap().remove(0);
    assert!(setup.rules.must_ricochet);
    assert_eq!(setup.active, None);
    let puzzle = setup.validate().unwrap();
    let written = formats::write(Format::Json, &puzzle).unwrap().text;
    assert!(written.ends_with(
        r#""active":null,"target":[1,1],"diagonals":[[1,0,"\\","red"]],"targets":[[0,1,null,"vortex"],[1,1,"silver","square"]],"rules":{"must_ricochet":true}}"#
    ));
    assert_eq!(
        formats::read(&written).unwrap().remove(0).validate(),
        Ok(puzzle)
    );
}

#[test]
fn slips_are_named_with_their_place() {
    let with = |from: &str, to: &str| SMALL.replace(from, to);
    for (text, message) in [
        (
            with("\"width\":2", "\"width\":\"2\""),
            "json, line 1, column 12: `width`: invalid type: string \"2\", expected a whole number",
        ),
        (
            with("\"width\":2", "\"width\":-2"),
            "json, line 1, column 11: `width`: invalid value: integer `-2`, expected a whole number",
        ),
        (
            with("[9,3,12,6]", "[9,3,300,6]"),
            "json, line 1, column 38: `walls`: invalid value: integer `300`, expected a wall mask within 0..=15",
        ),
        (
            with("[9,3,12,6]", "\"9,3,12,6\""),
            "json, line 1, column 40: `walls`: invalid type: string \"9,3,12,6\", expected a list",
        ),
        (
            with("[[0,0]]", "[[0]]"),
            "json, line 1, column 54: `robots`: the list ends where y was expected",
        ),
        (
            with("[[0,0]]", "[[0,0,0]]"),
            "json, line 1, column 58: `robots`: more entries than [x,y]",
        ),
        (
            with("\"target\":[1,1]", "\"target\":[1,999]"),
            "json, line 1, column 84: `target`: invalid value: integer `999`, expected a coordinate within 0..=255",
        ),
        (
            with(",\"active\":0", ""),
            "json, line 1, column 73: this object has no `active`",
        ),
        (
            with("\"height\":2", "\"width\":2"),
            "json, line 1, column 18: key `width` twice",
        ),
        (
            with("\"active\":0", "\"active\":0,\"rules\":{\"fast\":true}"),
            "json, line 1, column 84: `rules`: unknown field `fast`, expected `must_ricochet`",
        ),
        (
            with(
                "\"active\":0",
                "\"active\":0,\"diagonals\":[[0,0,\"|\",\"red\"]]",
            ),
            "json, line 1, column 97: `diagonals`: invalid value: string \"|\", expected \"/\" or \"\\\\\"",
        ),
        (
            format!("\n{SMALL}\n{}", &SMALL[..40]),
            "json, line 3, column 40: EOF while parsing an object",
        ),
        (
            format!("{SMALL}\nnonsense"),
            "line 2, column 1: expected a puzzle in one of the formats",
        ),
        (
            String::new(),
            "line 1, column 1: expected a puzzle, found nothing",
        ),
    ] {
        let error = formats::read(&text).unwrap_err().to_string();
        assert!(error.starts_with(message), "{text}\n{error}\n{message}");
    }
}

#[test]
fn invalid_positions_can_be_read_so_that_validation_can_name_them() {
    let text = SMALL.replace("[9,3,12,6]", "[9,3,12]");
    let setup = formats::read(&text).unwrap().remove(0);
    assert!(setup.validate().is_err());
}

#[test]
fn deep_nesting_is_refused_not_recursed_into() {
    let text = format!("{{\"x\":{}", "[".repeat(100_000));
    assert!(formats::read(&text).is_err());
}

#[test]
fn answers_that_contain_a_puzzle_are_read() {
    let line = "4x3..0012.R31.nsmall";
    let direct = formats::read_one(line).unwrap();
    let object = r#"{"id":"small","width":2,"height":2,"walls":[9,3,12,6],"robots":[[0,0]],"active":0,"target":[1,1]}"#;
    for answer in [
        format!(r#"{{"line":"{line}","walls":[1],"targets":[{{"cell":[1,1]}}]}}"#),
        format!(r#"{{"targets":[{{"cell":[1,1]}}],"line":"{line}"}}"#),
        format!(r#"{{"outcome":"found","puzzle":{{"line":"{line}","goal":{{}}}}}}"#),
        format!(r#"{{"ask":"solve","puzzle":"{line}"}}"#),
    ] {
        assert_eq!(formats::read_one(&answer).unwrap(), direct, "{answer}");
        let spread = answer.replace('{', "{\n");
        assert_eq!(formats::read_one(&spread).unwrap(), direct, "{spread}");
        let list = format!("[{answer},{answer}]");
        assert_eq!(formats::read(&list).unwrap().len(), 2, "{list}");
    }
    let wrapped = formats::read_one(&format!(r#"{{"puzzle":{object}}}"#)).unwrap();
    assert_eq!(wrapped, formats::read_one(object).unwrap());
    for (answer, expected) in [
        (
            r#"{"outcome":"limit","puzzle":null}"#,
            "this object has no `width`",
        ),
        (
            r#"{"outcome":"error","line":3}"#,
            "this object has no `width`",
        ),
        (r#"{"puzzle":{"line":"4x3..zz.R31"}}"#, "`line`: "),
        (r#"{"puzzle":{"width":3}}"#, "this object has no `height`"),
    ] {
        let error = formats::read_one(answer).unwrap_err().to_string();
        assert!(error.contains(expected), "{answer}: {error}");
    }
}
