//! What readers say about typical slips: the format, the place, what was expected.

use ricochet_core::formats::{self, Format, MAX_LINE, Records, read_as};

fn says(format: Format, text: &str, message: &str) {
    let error = match read_as(format, text) {
        Err(error) => error.to_string(),
        Ok(setups) => panic!("{text} was read: {setups:?}"),
    };
    assert_eq!(error, message, "for {text}");
}

#[test]
fn line() {
    let says = |text, message| says(Format::Line, text, message);
    says(
        "1A4B3B2E.00.R11",
        "line, line 1, column 8: expected a letter A to D, found 'E'",
    );
    says(
        "1A4B3B1B.00.R11",
        "line, line 1, column 1: quadrant 1 is used twice: each of the quadrants 1 to 4 lies on the board once",
    );
    says(
        "1A4B3B2B",
        "line, line 1, column 9: expected '.', found the end of the text",
    );
    says(
        "1A4B3B2B..R11",
        "line, line 1, column 10: expected a column (0-9, a-v), found '.'",
    );
    says(
        "1A4B3B2B.00.Z11",
        "line, line 1, column 13: expected a robot (R G B Y W O P C) or V for any robot, found 'Z'",
    );
    says(
        "1A4B3B2B.00.R1",
        "line, line 1, column 15: expected a row (0-9, a-v), found the end of the text",
    );
    says(
        "1A4B3B2B.00.R11.q",
        "line, line 1, column 17: expected an option (m, d, t, o or n), found 'q'",
    );
    says(
        "1A4B3B2B.00.R11.m.m",
        "line, line 1, column 19: option 'm' twice",
    );
    says(
        "1A4B3B2B.00.R11.dxR00",
        "line, line 1, column 18: expected a diagonal: s for / or b for \\, found 'x'",
    );
    says(
        "1A4B3B2B.00.R11.ofive",
        "line, line 1, column 18: expected a number of moves, found 'f'",
    );
    says(
        "1A4B3B2B.00.R11.na~4",
        "line, line 1, column 21: expected two hexadecimal digits, found the end of the text",
    );
    says(
        "33x16..00.R11",
        "line, line 1, column 1: expected a width of at most 32, found '33'",
    );
    says(
        "2x2.AA.00.R11",
        "line, line 1, column 6: expected '.': a board of 2x2 has no more walls",
    );
    says(
        "2x2._.00.R11",
        "line, line 1, column 5: expected zero bits after the last wall",
    );
    says(
        "\n1A4B3B2B.00.R11\n1A4B3B2B.00.R",
        "line, line 3, column 14: expected a column (0-9, a-v), found the end of the text",
    );
}

#[test]
fn text() {
    let says = |text, message| says(Format::Text, text, message);
    says(
        "+---+\n| R |\n+---+",
        "text, line 1, column 1: expected a 'goal:' line above the drawing, or a goal such as [r] in it",
    );
    says(
        "goal: red\n+---+---+\n| R   |\n+---+---+",
        "text, line 3, column 7: expected a robot (R G B Y W O P C), '*', '#', '/' or '\\', found '|'",
    );
    says(
        "goal: red\n+---+\n| R |\n+-- +",
        "text, line 4, column 4: expected a whole wall (---) or none, found ' '",
    );
    says(
        "goal: red\n+---+\n| R |\n",
        "text, line 3, column 1: expected a line of walls (+---+) below this one",
    );
    says(
        "goal: red\n+---+\n| R |\n+---+",
        "text, line 2, column 1: expected a '*' in the drawing, or a cell in the 'goal:' line",
    );
    says(
        "goal: red 0,0\n+---+\n| R*|\n+---+",
        "text, line 2, column 1: the goal's cell is given by 'goal:' and by '*' as well",
    );
    says(
        "goal: red\n+---+\n|*G |\n+---+",
        "text, line 2, column 1: expected robot R: robots are drawn without gaps in the order RGBYWOPC",
    );
    says(
        "goal: red\n+---+---+\n|*R   R |\n+---+---+",
        "text, line 3, column 7: expected each robot once, found a second red one",
    );
    says(
        "goal: red\n+---+---+\n|*R   / |\n+---+---+",
        "text, line 3, column 8: expected the colour (r g b y w o p c) right after a diagonal",
    );
    says(
        "goal: beige\n+---+\n|*R |\n+---+",
        "text, line 1, column 7: 'beige' is neither a colour nor a shape nor a cell: expected a target such as 'green hexagon' (circle, triangle, square, hexagon), 'vortex' or 'blue 9,12'",
    );
    says(
        "gaol: red\n",
        "text, line 1, column 1: expected 'goal:', 'id:', 'optimal:', 'rules:', 'target:' or a drawing (+---+---+), found 'gaol: red'",
    );
    says(
        "goal: red\ngoal: red\n",
        "text, line 2, column 1: 'goal:' twice",
    );
    says(
        "goal: red\n+---+--+\n",
        "text, line 2, column 8: expected the upper edge of a drawing (+---+---+)",
    );
    says(
        "goal: red\n+---+\n| R * |\n+---+",
        "text, line 3, column 6: expected the drawing's line to end here",
    );
    says(
        "goal: red\n\n",
        "text, line 2, column 1: expected a drawing (+---+---+) after these lines",
    );
    says(
        "goal: red\n+---+\n|\tR*|\n+---+",
        "text, line 3, column 2: expected plain characters and spaces, found '\\t'",
    );
}

#[test]
fn drifting_droids() {
    let says = |text, message| says(Format::DriftingDroids, text, message);
    says(
        "765+42+E2302B12+C9",
        "drifting-droids, line 1, column 4: expected a quadrant (0 to F) as a hexadecimal digit, found '+'",
    );
    says(
        "7655+42+E2302B12+C9",
        "drifting-droids, line 1, column 1: quadrant 2 is used twice: each of the quadrants 1 to 4 lies on the board once",
    );
    says(
        "7650+72+E2302B12+C9",
        "drifting-droids, line 1, column 6: expected 1 to 5 robots, found 7",
    );
    says(
        "7650+42+E2302B+C9",
        "drifting-droids, line 1, column 15: expected a robot's cell as a hexadecimal digit, found '+'",
    );
    says(
        "7650+42+E2302B1212+C9",
        "drifting-droids, line 1, column 17: expected '+', found '1'",
    );
    says(
        "7650+42+E2302B12+C",
        "drifting-droids, line 1, column 19: expected the goal's cell as a hexadecimal digit, found the end of the text",
    );
    says(
        "7650+42+E2302B12+C9 x",
        "drifting-droids, line 1, column 20: expected the end of the ID, found ' '",
    );
}

#[test]
fn drifting_droids_dump() {
    let puzzle = formats::read("7650+42+E2302B12+C9")
        .unwrap()
        .remove(0)
        .validate()
        .unwrap();
    let dump = formats::write(Format::DriftingDroidsDump, &puzzle)
        .unwrap()
        .text;
    let mut wrapped = String::new();
    for part in dump.as_bytes().chunks(60) {
        wrapped.extend(["  ", &String::from_utf8_lossy(part), "\r\n"]);
    }
    assert_eq!(
        formats::read(&format!("{wrapped}\n{dump}")).unwrap().len(),
        2,
        "white space is ignored"
    );
    let says = |text: &str, message| says(Format::DriftingDroidsDump, text, message);
    says(
        "DriftingDroids_game!",
        "drifting-droids-dump, line 1, column 1: expected '!', found 'D'",
    );
    says(
        "!DriftingDroids_gam!12345678!AAAA!",
        "drifting-droids-dump, line 1, column 2: expected 'DriftingDroids_game', found 'DriftingDroids_gam'",
    );
    says(
        "!DriftingDroids_game!1234567!AAAA!",
        "drifting-droids-dump, line 1, column 22: expected a check sum of 8 hexadecimal digits, found '1234567'",
    );
    says(
        "!DriftingDroids_game!12345678!AAAA!",
        "drifting-droids-dump, line 1, column 31: the check sum is 12345678, that of the data is 9B0D08F1: the text was changed or cut",
    );
    says(
        "!DriftingDroids_game!9B0D08F1!AAAA!",
        "drifting-droids-dump, line 1, column 31: expected the length of the data in the first 4 bytes",
    );
    says(
        &dump[..dump.len() - 1],
        "drifting-droids-dump, line 2, column 1: expected '!', found the end of the text",
    );
}

#[test]
fn kevincox() {
    let puzzle = formats::read("7650+42+E2302B12+C9")
        .unwrap()
        .remove(0)
        .validate()
        .unwrap();
    let text = formats::write(Format::Kevincox, &puzzle).unwrap().text;
    let says = |from: &str, to: &str, message: &str| {
        assert!(text.contains(from));
        says(Format::Kevincox, &text.replacen(from, to, 1), message);
    };
    says(
        "board 16 16",
        "board 8 16",
        "kevincox, line 1, column 7: expected the width 16, found '8'",
    );
    says(
        "CCCCCWCCCCWCCCCC",
        "CCCCCWCCCCWCCCC",
        "kevincox, line 2, column 1: expected a row of 16 letters, found 'CCCCCWCCCCWCCCC'",
    );
    says(
        "CCCCCWCCCCWCCCCC",
        "CCCCCWCCCCWCCCCX",
        "kevincox, line 2, column 16: expected B, N, W or C, found 'X'",
    );
    says(
        "robots 5",
        "robots 4",
        "kevincox, line 18, column 8: expected 5 robots, found '4'",
    );
    says(
        "2 14",
        "2 16",
        "kevincox, line 20, column 3: expected a robot's row within 0..=15, found '16'",
    );
    says(
        "9 12 4",
        "9 12 5",
        "kevincox, line 24, column 15: expected a robot (0 to 4, -1 for any), found '5'",
    );
    says(
        "target 0 9 12 4",
        "",
        "kevincox, line 24, column 1: expected 'target', found the end of the text",
    );
    says(
        "robots 5",
        "mirrors 1\n3 4 | red\nrobots 5",
        "kevincox, line 19, column 5: expected '/' or '\\', found '|'",
    );
}

#[test]
fn kevincox_url() {
    let says = |text, message| says(Format::KevincoxUrl, text, message);
    says(
        "https://example.org/",
        "kevincox-url, line 1, column 21: expected '#s=' and the puzzle's data",
    );
    says(
        "#s=A*A",
        "kevincox-url, line 1, column 4: expected base64url: Invalid symbol 42, offset 1.",
    );
    says(
        "#s=EBA",
        "kevincox-url, line 1, column 4: the data ends where the mask of a column was expected",
    );
    says(
        "#s=CBA",
        "kevincox-url, line 1, column 4: expected the width 16, found 8",
    );
}

#[test]
fn roboyard() {
    let says = |text, message| says(Format::Roboyard, text, message);
    says(
        "board:16;",
        "roboyard, line 1, column 9: expected ',', found ';'",
    );
    says(
        "board:40,16;",
        "roboyard, line 1, column 7: expected the width of at most 32, found '40'",
    );
    says(
        "board:4,4;\nh9,0;",
        "roboyard, line 2, column 1: expected a wall on the board, found 9,0",
    );
    says(
        "board:4,4;\nrr0,0;\n",
        "roboyard, line 1, column 1: expected a target (tr tg tb ty ts) on this board",
    );
    says(
        "board:4,4;\ntr0,0;\nrg1,1;",
        "roboyard, line 1, column 1: expected a red robot: robots come without gaps in the order red, green, blue, yellow, silver",
    );
    says(
        "board:4,4;\ntr0,0;\ntg0,1;",
        "roboyard, line 3, column 1: a second target: a puzzle has one goal",
    );
    says(
        "board:4,4;\nrr0,0;rr1,1;",
        "roboyard, line 2, column 7: a second red robot",
    );
    says(
        "board:4,4;\nwx0,0;",
        "roboyard, line 2, column 1: expected a wall (h, v), a target (tr tg tb ty ts) or a robot (rr rg rb ry rs), found 'wx'",
    );
    says(
        "board:4,4;\nrr0,0 tr",
        "roboyard, line 2, column 6: expected ';', found ' '",
    );
}

#[test]
fn asp() {
    let says = |text, message| says(Format::Asp, text, message);
    says(
        "barier(1,2,east).",
        "asp, line 1, column 1: expected barrier, pos, target, length or dim, found 'barier'",
    );
    says(
        "barrier(1,2,up).",
        "asp, line 1, column 13: expected north, east, south or west, found 'up'",
    );
    says(
        "barrier(0,2,east).",
        "asp, line 1, column 9: expected a column from 1 on, found 0",
    );
    says(
        "pos(beige,2,2).",
        "asp, line 1, column 5: expected a colour (red, green, blue, yellow, …), found 'beige'",
    );
    says(
        "pos(red,2,2)\ntarget(red,1,1).",
        "asp, line 1, column 13: expected '.', found the end of the line",
    );
    says(
        "pos(red,2,2).",
        "asp, line 1, column 1: expected a fact target(colour,x,y)",
    );
    says(
        "pos(blue,2,2). target(blue,1,1).",
        "asp, line 1, column 1: expected a fact pos(red,x,y): robots come without gaps in the order red, green, blue, yellow, silver, …",
    );
    says(
        "pos(red,2,2). pos(red,2,3).",
        "asp, line 1, column 15: a second place for the red robot",
    );
    says(
        "pos(red,2,2). target(red,1,1). barrier(9,9,east). dim(4).",
        "asp, line 1, column 1: the barrier at 9,9 is off the board of 4×4 cells",
    );
}

#[test]
fn lireer() {
    let says = |text, message| says(Format::Lireer, text, message);
    says(
        r#"[{"rob_position":[[0,0]]}]"#,
        "lireer, line 1, column 26: invalid length 1, expected a tuple of size 2",
    );
    says(
        r#"[{"rob_position":[[0,0]]},{"fields":[[{"bottom":1,"right":true}]]}]"#,
        "lireer, line 1, column 49: invalid type: integer `1`, expected a boolean",
    );
    says(
        r#"[{"rob_position":[[0,0]]},{"fields":[]}]"#,
        "lireer, line 1, column 1: expected 1 to 32 columns and rows of fields, found 0 and 0",
    );
    says(
        r#"[{"rob_position":[[0,0]]},{"fields":[[{"bottom":true,"right":true,"target":{"Red":"Star"}}]]}]"#,
        "lireer, line 1, column 89: expected a colour and a shape such as {\"Red\":\"Circle\"}",
    );
}

#[test]
fn nothing_we_know() {
    let error = formats::read("Ricochet Robots is a game\n")
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "line 1, column 1: expected a puzzle in one of the formats line, text, json, drifting-droids, drifting-droids-dump, kevincox, kevincox-url, roboyard, skub, asp, lireer, found 'Ricochet Robots is a game'"
    );
    let latin1: Vec<_> = Records::new(&b"\n caf\xe9"[..]).collect();
    let error = latin1[0].as_ref().unwrap_err().to_string();
    assert_eq!(
        error,
        "line 2, column 5: expected UTF-8 text, found other bytes"
    );
}

/// A reader that counts what is taken from it.
struct Counted<'a> {
    bytes: &'a [u8],
    taken: &'a std::cell::Cell<usize>,
}

impl std::io::Read for Counted<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let count = self.bytes.len().min(into.len());
        into[..count].copy_from_slice(&self.bytes[..count]);
        self.bytes = &self.bytes[count..];
        self.taken.set(self.taken.get() + count);
        Ok(count)
    }
}

#[test]
fn a_line_without_end_is_given_up_soon() {
    let endless = vec![b'{'; 10 << 20];
    let taken = std::cell::Cell::new(0);
    let reader = std::io::BufReader::new(Counted {
        bytes: &endless,
        taken: &taken,
    });
    let found: Vec<_> = Records::new(reader).collect();
    let error = found[0].as_ref().unwrap_err().to_string();
    assert_eq!(found.len(), 1);
    assert_eq!(
        error,
        format!(
            "line 1, column {}: expected lines of at most {MAX_LINE} bytes, this one is longer",
            MAX_LINE + 1
        )
    );
    assert!(
        taken.get() <= MAX_LINE + (64 << 10),
        "{} bytes were read",
        taken.get()
    );
}

#[test]
fn noise_is_an_error_in_every_format() {
    // A small generator of noise; with line breaks, so that no line is too long.
    let mut seed = 0x2545_F491_4F6C_DD1D_u64;
    let mut noise = move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed
    };
    let text: String = (0..1 << 20)
        .map(|_| match noise() % 97 {
            96 => '\n',
            letter => char::from(b' ' + letter as u8 % 95),
        })
        .collect();
    for format in Format::ALL {
        for start in [
            "",
            "{",
            "[",
            "+---+\n",
            "goal: red\n+---+\n",
            "board:4,4;",
            "board 16 16\n",
            "!",
            "pos(",
            "#s=",
            "1A4B",
            "7650+",
        ] {
            assert!(
                read_as(format, &format!("{start}{text}")).is_err(),
                "{format} {start}"
            );
        }
    }
    assert!(formats::read(&text).is_err());
}
