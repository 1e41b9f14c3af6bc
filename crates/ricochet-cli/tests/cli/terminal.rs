//! The program in a real terminal: keys, sizes, colours, the line of progress.
//!
//! `script` (util-linux) provides the pseudo-terminal. Every key waits for what the one before it
//! showed, so nothing depends on the speed of the machine.

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::manners::wait;

/// Far longer than anything here takes on a busy machine.
const GENEROUS: Duration = Duration::from_secs(60);

/// A command in a terminal of its own.
struct Session {
    child: Child,
    keys: ChildStdin,
    shown: Arc<Mutex<String>>,
    /// Ends when everything that was shown is in `shown`.
    reader: JoinHandle<()>,
    /// How much of `shown` was looked at.
    seen: usize,
}

impl Session {
    /// Starts a command line in a terminal of that size; `None` where there is no `script`.
    fn start(columns: u32, rows: u32, environment: &str, arguments: &str) -> Option<Self> {
        let program = env!("CARGO_BIN_EXE_ricochet");
        let command = format!(
            "stty rows {rows} cols {columns}; exec env {environment} '{program}' {arguments}"
        );
        let child = Command::new("script")
            .args([
                "--quiet",
                "--return",
                "--flush",
                "--command",
                &command,
                "/dev/null",
            ])
            .env("TERM", "xterm-256color")
            .env("SHELL", "/bin/sh")
            .env("LC_ALL", "C.UTF-8")
            .env_remove("NO_COLOR")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut child = match child {
            Ok(child) => child,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
            Err(error) => panic!("script does not start: {error}"),
        };
        let keys = child.stdin.take().expect("piped");
        let mut screen = child.stdout.take().expect("piped");
        let shown = Arc::new(Mutex::new(String::new()));
        let collected = Arc::clone(&shown);
        let reader = std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = screen.read(&mut bytes) {
                let text = String::from_utf8_lossy(&bytes[..count]);
                collected.lock().expect("not poisoned").push_str(&text);
            }
        });
        Some(Self {
            child,
            keys,
            shown,
            reader,
            seen: 0,
        })
    }

    /// Waits until something is shown that was not seen before.
    fn expect(&mut self, text: &str) -> &mut Self {
        let started = Instant::now();
        loop {
            let shown = self.shown.lock().expect("not poisoned").clone();
            if let Some(at) = shown[self.seen..].find(text) {
                self.seen += at + text.len();
                return self;
            }
            assert!(
                started.elapsed() < GENEROUS,
                "'{text}' was not shown:\n{}",
                shown[self.seen..].escape_debug()
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn press(&mut self, keys: &str) -> &mut Self {
        self.keys.write_all(keys.as_bytes()).expect("it listens");
        self.keys.flush().expect("it listens");
        self
    }

    /// What a terminal of that size shows now.
    fn screen(&self, columns: usize, rows: usize) -> String {
        screen_of(&self.shown.lock().expect("not poisoned"), columns, rows)
    }

    /// The exit code, and all that was shown.
    fn end(mut self) -> (Option<i32>, String) {
        let code = wait(&mut self.child);
        self.reader.join().expect("it only reads");
        let shown = self.shown.lock().expect("not poisoned").clone();
        (code, shown)
    }
}

/// What a program with a screen of its own shows before it leaves that screen.
fn during(shown: &str) -> &str {
    let left = shown.split_once("\u{1b}[?1049l");
    left.expect("it leaves its screen").0
}

/// What a terminal of that size shows after a text: long lines go on in the next row, what is too
/// much scrolls away, a cleared screen begins anew.
fn screen_of(text: &str, columns: usize, rows: usize) -> String {
    let mut lines = vec![String::new()];
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\u{1b}' if letters.peek() == Some(&'[') => {
                letters.next();
                let mut sequence = String::new();
                while let Some(&part) = letters.peek() {
                    letters.next();
                    sequence.push(part);
                    if part.is_ascii_alphabetic() {
                        break;
                    }
                }
                if sequence == "2J" {
                    lines = vec![String::new()];
                }
            }
            '\n' => lines.push(String::new()),
            '\r' => {}
            letter => {
                if lines.last().expect("never empty").chars().count() == columns {
                    lines.push(String::new());
                }
                lines.last_mut().expect("never empty").push(letter);
            }
        }
    }
    lines.split_off(lines.len().saturating_sub(rows)).join("\n")
}

const LEFT: &str = "\u{1b}[D";
const UP: &str = "\u{1b}[A";
const CTRL_C: &str = "\u{3}";

#[test]
fn a_whole_game_by_keys_in_the_usual_size() {
    let Some(mut game) = Session::start(80, 24, "", "play random:2") else {
        return;
    };
    game.expect("The yellow robot has to reach its circle at (3,2).")
        .expect("Q quit")
        .press(LEFT)
        .expect("Select a robot first")
        .press("y")
        .expect("Selected: yellow")
        .expect("The arrow keys move the yellow robot.")
        .press(LEFT)
        .expect("Selected: yellow")
        .expect("1 move: YW")
        .press("h")
        .expect("Look at the yellow robot first.")
        .press("s")
        .expect("3 moves from here: yellow north, yellow west, yellow north.")
        .press(UP)
        .expect("2 moves: YW YN")
        .press("u")
        .expect("Took back YN.")
        .press("U")
        .expect("Played YN again.")
        .press(LEFT)
        .expect("3 moves")
        .press(UP)
        .expect("Solved in 4 moves, the fewest possible!")
        .press("t")
        .expect("0 moves")
        .expect("Round 2: the robots stay where they are.")
        .press("n")
        .expect("0 moves")
        .expect("A new puzzle on the same board, with 4 robots again.")
        .press("q")
        // The screen from before comes back, and below it the game as it ended.
        .expect("\u{1b}[?1049l")
        .expect("target 1 of 17")
        .expect("0 moves");
    let (code, shown) = game.end();
    assert_eq!(code, Some(0));
    assert!(shown.contains('▁'), "33 rows of a board do not fit in 24");
    assert!(shown.contains("38;5;"), "colours");
}

#[test]
fn ctrl_c_ends_a_game_and_gives_the_terminal_back() {
    let Some(mut game) = Session::start(100, 50, "NO_COLOR=1", "play random:2") else {
        return;
    };
    game.expect("Q quit").press(CTRL_C).expect("\u{1b}[?1049l");
    let (code, shown) = game.end();
    assert_eq!(code, Some(130));
    assert!(shown.contains('┃'), "the whole board fits in 50 rows");
    assert!(
        !shown.contains("38;5;"),
        "no colours: {}",
        shown.escape_debug()
    );
}

#[test]
fn a_terminal_that_is_too_small_says_so() {
    let Some(mut game) = Session::start(40, 12, "", "play random:2") else {
        return;
    };
    game.expect("The board needs 33 columns and 19 rows;")
        .press("y")
        .expect("Selected: yellow")
        .press("q");
    assert_eq!(game.end().0, Some(0));
}

/// The keys and the messages give way to the board, which never comes and goes.
#[test]
fn a_board_that_fits_with_its_task_is_always_there() {
    for rows in [19, 20, 22, 24] {
        let Some(mut game) = Session::start(80, rows, "NO_COLOR=1", "play random:2") else {
            return;
        };
        let task = "The yellow robot has to reach its circle at (3,2).";
        game.expect(task)
            .press("y")
            .expect("The arrow keys move the yellow robot.")
            .press(LEFT)
            .expect("1 move: YW")
            .press("?")
            .expect("Q quit")
            .press("q");
        let (code, shown) = game.end();
        assert_eq!(code, Some(0));
        assert!(!shown.contains("The board needs"), "80x{rows}: {shown}");
        // Each second draws the board again.
        let coordinates = during(&shown).matches(" 13  14  15").count();
        assert!(
            if rows == 19 {
                coordinates == 0
            } else {
                coordinates >= 4
            },
            "80x{rows}: {coordinates}"
        );
    }
}

/// A message takes the place of the goal if there is no room for both.
#[test]
fn keys_are_answered_below_a_narrow_board() {
    let line = "play 1A4B3B2B.18c1f0c0.G6e";
    let Some(mut game) = Session::start(40, 20, "NO_COLOR=1", line) else {
        return;
    };
    game.expect("green → hexagon (6,14)")
        .press("h")
        .expect("Look at the ")
        .press("s")
        .expect("12 moves from here: ")
        .press("?")
        .expect("R G B Y, arrows, U undo")
        .press("q");
    let (code, shown) = game.end();
    assert_eq!(code, Some(0));
    assert!(!shown.contains("The board needs"), "{shown}");
}

#[test]
fn a_narrow_terminal_gets_the_narrow_board_and_a_wrapped_task() {
    for columns in [60, 40] {
        let Some(mut game) = Session::start(columns, 24, "NO_COLOR=1", "play random:2") else {
            return;
        };
        game.expect(" 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5")
            .expect("┃y]")
            .expect("The yellow robot has to reach its circle")
            .expect("at (3,2).")
            .press("q");
        let (code, shown) = game.end();
        assert_eq!(code, Some(0));
        let is_broken = !during(&shown).contains("circle at (3,2)");
        assert_eq!(is_broken, columns == 40, "{columns}: {shown}");
    }
}

#[test]
fn a_round_that_is_solved_at_its_start_says_so_at_once() {
    let Some(mut game) = Session::start(120, 24, "", "play 1A4B3B2B.2f6ef4c0.G6e") else {
        return;
    };
    let already = "The green robot is already on its target: T turns up the next target";
    game.expect(already)
        .expect("? lists the keys.")
        .press("g")
        .expect("Selected: green")
        .press(LEFT)
        .expect(already)
        .press("t")
        .expect("Round 2: the robots stay where they are.")
        .press("q");
    let (code, shown) = game.end();
    assert_eq!(code, Some(0));
    assert!(!shown.contains("takes a move back"), "{shown}");
}

#[test]
fn a_board_is_described_by_answering_questions() {
    let Some(mut guide) = Session::start(100, 50, "", "new") else {
        return;
    };
    guide
        .expect("Which quadrant is in the north-west?")
        .press("1A 4B 3B 2B\r")
        .expect("Where is the red robot?")
        .press("1,8\r")
        .expect("Where is the green robot?")
        .press("back\r")
        .expect("Where is the red robot?")
        .press("b9\r")
        .expect("Where is the green robot?")
        .press("12,1\r")
        .expect("Where is the blue robot?")
        .press("15,0\r")
        .expect("Where is the yellow robot?")
        .press("12,0\r")
        .expect("What is the target?")
        .press("green hexagon\r")
        .expect("ricochet solve 1A4B3B2B.18c1f0c0.G6e");
    assert_eq!(guide.end().0, Some(0));
}

#[test]
fn all_robots_can_be_given_in_one_answer() {
    let Some(mut guide) = Session::start(80, 24, "", "new") else {
        return;
    };
    guide
        .expect("Which quadrant is in the north-west?")
        .press("1A 4B 3B 2B\r")
        .expect("or all: R 1,8 G 12,1 …")
        .press("R 1,8 G 8,8 B 15,0 Y 12,0\r")
        .expect("closed centre")
        .expect("Where is the red robot?")
        .press("R 1,8 blue 15,0\r")
        .expect("Where is the green robot? It comes before blue")
        .expect("Where is the red robot?")
        .press("R 1,8 G\r")
        .expect("Expected the cell of the green robot")
        .press("R 1,8 G 12,1 B 15,0 Y 12,0 W 3,3\r")
        .expect("no silver robot: --robot-count 5 adds it")
        .press("1,8\r")
        .expect("Where is the green robot?")
        .press("red 1,8 green 12,1\r")
        .expect("The red robot is already at (1,8)")
        .press("Y 12,0; blue p1, green m2\r")
        .expect("What is the target?")
        .press("green hexagon\r")
        .expect("ricochet solve 1A4B3B2B.18c1f0c0.G6e");
    assert_eq!(guide.end().0, Some(0));
}

/// The question, the sides it is about, the board so far and the prompt are on the screen together,
/// at every step.
#[test]
fn every_question_about_a_board_fits_on_the_screen_with_its_pictures() {
    for (columns, rows) in [(80, 24), (80, 25), (100, 50), (132, 45)] {
        for (environment, arguments) in [("", "new"), ("NO_COLOR=1", "new --ascii")] {
            let Some(mut guide) = Session::start(columns, rows, environment, arguments) else {
                return;
            };
            let (columns, rows) = (columns as usize, rows as usize);
            let mut asked = |question: &str, answer: &str, pictures: &[&str]| {
                guide.expect(question).expect("? for help)");
                let screen = guide.screen(columns, rows);
                for picture in pictures {
                    assert!(screen.contains(picture), "{picture}:\n{screen}");
                }
                guide.expect("> ");
                let screen = guide.screen(columns, rows);
                assert!(screen.contains(question), "{question}:\n{screen}");
                assert!(screen.ends_with("> "), "{question}:\n{screen}");
                guide.press(answer);
            };
            let first = "Which quadrant is in the north-west?";
            let sides = ["The board so far", "1A (", "1B (", "1C (", "1D (", "1: r"];
            asked(first, "2\r", &sides);
            asked(first, "?\r", &["2A (", "2B (", "2C (", "2D ("]);
            asked(first, "1A\r", &["A quadrant is", "2D ("]);
            let second = "Which quadrant is in the north-east?";
            asked(second, "1B\r", &["The board so far", "2A (", "2D ("]);
            asked(
                second,
                "4B\r",
                &["Quadrant 1 is already on the board", "2D ("],
            );
            asked("in the south-east?", "3B\r", &["The board so far", "3: r"]);
            asked(
                "in the south-west?",
                "2B\r",
                &["The board so far", "2A (", "2D ("],
            );
            // Columns and rows are numbered, and all rows of the board are there.
            let board = ["0   1   2 ", " 14  15\n", "\n 0 ", "\n15 "];
            asked("Where is the red robot?", "8,8\r", &board);
            asked("Where is the red robot?", "1,8\r", &["closed centre"]);
            asked("Where is the green robot?", "12,1\r", &[" R "]);
            asked("Where is the blue robot?", "15,0\r", &[" G "]);
            asked("Where is the yellow robot?", "12,0\r", &board);
            asked("What is the target?", "green hexagon\r", &["Y"]);
            guide.expect("1A4B3B2B.18c1f0c0.G6e\r\n");
            let (code, shown) = guide.end();
            assert_eq!(code, Some(0));
            let screen = screen_of(&shown, columns, rows);
            assert!(screen.contains("[g]"), "{screen}");
            assert!(screen.contains("\n 0 "), "{screen}");
            assert!(screen.contains("ricochet solve 1A4B3B2B"), "{screen}");
        }
    }
}

/// The first question shows the quadrants of a tile wherever they fit.
#[test]
fn the_first_question_has_pictures_in_narrow_terminals() {
    let Some(mut guide) = Session::start(60, 24, "", "new") else {
        return;
    };
    guide.expect("> ");
    let screen = guide.screen(60, 24);
    assert!(screen.contains("1A (1999, 2013)"), "{screen}");
    assert!(screen.contains("A quadrant is a number"), "{screen}");
    assert!(
        screen.contains("Which quadrant is in the north-west?"),
        "{screen}"
    );
    guide.press(CTRL_C);
    guide.end();
}

/// If there is no room for pictures, words are enough.
#[test]
fn a_board_can_be_described_in_any_terminal() {
    for (columns, rows) in [(40, 12), (60, 20), (30, 10)] {
        let Some(mut guide) = Session::start(columns, rows, "", "new") else {
            return;
        };
        for (question, answer) in [
            ("Which", "1A 4B 3B 2B\r"),
            ("red robot?", "1,8\r"),
            ("green robot?", "12,1\r"),
            ("blue robot?", "15,0\r"),
            ("yellow robot?", "12,0\r"),
            ("target?", "vortex\r"),
        ] {
            let (columns, rows) = (columns as usize, rows as usize);
            guide.expect("> ");
            let screen = guide.screen(columns, rows).replace('\n', " ");
            assert!(screen.contains(question), "{columns}x{rows}: {screen}");
            guide.press(answer);
        }
        guide.expect("1A4B3B2B.18c1f0c0.V");
        assert_eq!(guide.end().0, Some(0));
    }
}

#[test]
fn a_long_search_tells_how_far_it_is() {
    let arguments = "solve --solver iddfs:memo=off:bound=off records:1";
    let Some(mut search) = Session::start(100, 50, "", arguments) else {
        return;
    };
    search
        .expect("depth ")
        .expect("at least ")
        .expect("nodes")
        .press(CTRL_C);
    assert_eq!(search.end().0, Some(130));
}

/// What follows a search takes longer than the search itself: it tells its nodes too.
#[test]
fn rating_and_listing_tell_how_far_they_are() {
    for (arguments, stage) in [
        ("rate records:1", "22 moves needed, rating, "),
        (
            "solve --all records:1",
            "22 moves needed, counting solutions, ",
        ),
    ] {
        let Some(mut work) = Session::start(100, 50, "", arguments) else {
            return;
        };
        work.expect(stage).expect(" nodes").expect(stage);
        work.press(CTRL_C);
        assert_eq!(work.end().0, Some(130), "{arguments}");
    }
}

/// A command that prints something and ends, in a terminal of that size: what is to be seen of it
/// while the shell's prompt waits in the last row.
fn printed(columns: u32, rows: u32, arguments: &str) -> Option<String> {
    let session = Session::start(columns, rows, "NO_COLOR=1", arguments)?;
    let (_, shown) = session.end();
    Some(screen_of(&shown, columns as usize, rows as usize))
}

#[test]
fn a_board_and_its_solution_fit_in_the_usual_terminal() {
    let described = "--layout '1A 4B 3B 2B' --robots 'R 1,8 G 12,1 B 15,0 Y 12,0' --target vortex";
    for (arguments, last) in [
        ("solve random:2", "flagship took"),
        (
            &format!("solve {described}"),
            "in one line, for any command",
        ),
        ("solve --quiet records:1", "flagship took"),
        ("solve random:2 --ascii", "flagship took"),
        ("show random:2", "2C1B4B3C.f019d67a.Y32.t.o4.nR00001"),
        ("show random:2 --overlay reach", "2C1B4B3C.f019d67a"),
        ("distances random:2", "distances took"),
        ("demo", "lists the commands"),
    ] {
        let Some(screen) = printed(80, 24, arguments) else {
            return;
        };
        assert!(screen.contains(" 13  14  15\n"), "{arguments}:\n{screen}");
        assert!(screen.contains("\n15 "), "{arguments}:\n{screen}");
        assert!(screen.contains(last), "{arguments}:\n{screen}");
        assert!(screen.ends_with('\n'), "{arguments}:\n{screen}");
    }
    let solved = printed(80, 24, "solve random:2").expect("there is `script`");
    for part in ["3◄──────2", "4▲", "1◄───── Y", "[y]"] {
        assert!(solved.contains(part), "{part}:\n{solved}");
    }
    // A solution that takes two boards: the first is drawn, and a word tells of the second.
    for arguments in [
        "solve -j1 1A2A3A4A.18c1f0c0.Ge5",
        "solve -j1 --layout '1A 2A 3A 4A' --robots 'R 1,8 G 12,1 B 15,0 Y 12,0' \
         --target 'green hexagon'",
    ] {
        let solved = printed(80, 24, arguments).expect("there is `script`");
        for part in [
            "▼",
            " 13  14  15\n",
            "\n5 moves, optimal; moves 1 to 2 are drawn, --compact=off draws all\n",
        ] {
            assert!(solved.contains(part), "{part}:\n{solved}");
        }
    }
}

#[test]
fn a_narrow_terminal_gets_a_narrow_board() {
    for (columns, arguments, last) in [
        (60, "solve random:2", "flagship took"),
        (60, "solve --compact random:2", "flagship took"),
        (40, "solve --ascii records:1", "flagship took"),
        (60, "show random:2", "2C1B4B3C.f019d67a.Y32.t.o4.nR00001"),
        (60, "show random:2 --overlay reach", "2C1B4B3C.f019d67a"),
        (60, "distances random:2", "distances took"),
        (60, "demo", "solves yours"),
    ] {
        // One row more for the last words in 60 columns.
        let Some(screen) = printed(columns, 25, arguments) else {
            return;
        };
        let numbers = "    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5\n";
        assert!(screen.contains(numbers), "{arguments}:\n{screen}");
        assert!(screen.contains("\n15 "), "{arguments}:\n{screen}");
        assert!(screen.contains(last), "{arguments}:\n{screen}");
    }
    let moves = printed(40, 24, "solve -j1 records:1").expect("there is `script`");
    assert!(
        moves.contains(" RN RW BS\nGS GW "),
        "broken between moves:\n{moves}"
    );
    let wide = printed(60, 60, "solve --compact=off random:2").expect("there is `script`");
    assert!(wide.contains('━'), "{wide}");
}

#[test]
fn the_sides_of_a_tile_fit_in_the_usual_terminal() {
    let Some(screen) = printed(80, 24, "quadrants 1") else {
        return;
    };
    for name in ["1A (1999, 2013)", "1B (", "1C (", "1D ("] {
        assert!(screen.contains(name), "{name}:\n{screen}");
    }
    let two = printed(80, 24, "quadrants 1A 1B").expect("there is `script`");
    assert!(two.contains('━'), "the full drawing fits:\n{two}");
    let narrow = printed(40, 24, "quadrants 1").expect("there is `script`");
    assert!(
        narrow.contains("1A (") && narrow.contains("1D ("),
        "{narrow}"
    );
}

#[test]
fn a_tall_terminal_gets_the_full_drawing_and_arguments_have_the_last_word() {
    for (rows, option, is_full) in [
        (50, "", true),
        (50, "--compact", false),
        (24, "--compact=off", true),
    ] {
        for command in ["solve", "show", "distances"] {
            let arguments = format!("{command} random:2 {option}");
            let Some(mut session) = Session::start(80, rows, "", &arguments) else {
                return;
            };
            session.expect("┃");
            let (_, shown) = session.end();
            assert_eq!(shown.contains('━'), is_full, "{arguments}:\n{shown}");
            assert_eq!(shown.contains('▁'), !is_full, "{arguments}:\n{shown}");
        }
    }
}

#[test]
fn sentences_are_broken_between_words_in_a_terminal() {
    let Some(explained) = printed(80, 40, "explain random:1") else {
        return;
    };
    for line in [
        "  2. YE: Yellow goes east from (1,11) to (5,11); a wall stops it. There it will\n",
        "\n     stop red in move 3.\n",
    ] {
        assert!(explained.contains(line), "{line}\n{explained}");
    }
    let failed = printed(60, 40, "check random:2 YW YN YW YW").expect("there is `script`");
    assert!(failed.contains("cannot go\n  west"), "{failed}");
    let refused = printed(80, 40, "solve --layout 1A4B3B random:1").expect("there is `script`");
    assert!(
        refused.contains("a layout:\n  expected four quadrants"),
        "{refused}"
    );
    let hint = printed(20, 40, "hint random:1").expect("there is `script`");
    assert!(hint.contains("random:1: Solvable\n  in fewer"), "{hint}");
}
