//! `ricochet serve` as a process: it prints its address, ends well, and loses nothing that it
//! acknowledged when it is killed.

use std::collections::BTreeSet;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use crate::server::{Server, ask};

#[test]
fn it_serves_the_page_and_answers() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&folder.path().join("data"));
    let (status, page) = server.ask("GET", "/", "").unwrap();
    assert_eq!(status, 200);
    assert!(page.contains("<html"));
    let (status, answer) = server
        .ask("POST", "/api/v1/solve", r#"{"puzzle":"4x3..0012.R31"}"#)
        .unwrap();
    assert_eq!(status, 200);
    assert!(answer.contains("\"length\":3"), "{answer}");
}

#[cfg(unix)]
#[test]
fn it_ends_when_it_is_told_to() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path());
    let id = server.child.id().to_string();
    let told = Command::new("kill").args(["-TERM", &id]).status().unwrap();
    assert!(told.success());
    let status = server.child.wait().unwrap();
    assert!(status.success(), "{status}");
}

#[cfg(target_os = "linux")]
#[test]
fn it_ends_when_its_address_cannot_be_printed() {
    let folder = tempfile::tempdir().unwrap();
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let status = Command::new(env!("CARGO_BIN_EXE_ricochet"))
        .args(["serve", "--port", "0", "--data"])
        .arg(folder.path())
        .stdout(full)
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(2));
}

#[test]
fn it_is_checked_backed_up_and_restored() {
    let folder = tempfile::tempdir().unwrap();
    let (data, copy) = (folder.path().join("data"), folder.path().join("copy"));
    let serve = |option: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_ricochet"))
            .args(["serve", "--data"])
            .arg(&data)
            .args(option)
            .output()
            .unwrap();
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8(text).unwrap();
        (output.status.code().unwrap(), text)
    };
    let path_of_copy = copy.to_str().unwrap();
    let (status, text) = serve(&["--backup", path_of_copy]);
    assert_eq!(status, 2, "there is nothing yet: {text}");
    let mut server = Server::start(&data);
    let body = r#"{"puzzle":"8x8..00.R77","listed":true}"#;
    server.ask("POST", "/api/v1/puzzles", body).unwrap();
    let (status, text) = serve(&["--backup", path_of_copy]);
    assert_eq!(status, 0, "{text}");
    server.ask("POST", "/api/v1/puzzles", body).unwrap();
    for option in [
        &["--check", "--port", "0"][..],
        &["--restore", path_of_copy],
    ] {
        let (status, text) = serve(option);
        assert_eq!(status, 2, "{text}");
        assert!(text.contains("another server uses it"), "{text}");
    }
    server.child.kill().unwrap();
    server.child.wait().unwrap();
    let (status, text) = serve(&["--check", "--port", "0"]);
    // Too few open files are reported as well; that depends on the machine.
    assert!(status == 0 || text.contains("open files"), "{text}");
    let (status, text) = serve(&["--restore", path_of_copy]);
    assert_eq!(status, 0, "{text}");
    let server = Server::start(&data);
    let (_, saved) = server.ask("GET", "/api/v1/puzzles", "").unwrap();
    assert_eq!(saved.matches("8x8..00.R77").count(), 1, "{saved}");
}

#[test]
fn an_operator_deletes_and_reads_reports_while_it_runs() {
    let folder = tempfile::tempdir().unwrap();
    let operate = |option: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_ricochet"))
            .args(["serve", "--data"])
            .arg(folder.path())
            .args(option)
            .output()
            .unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(text).unwrap())
    };
    let server = Server::start(folder.path());
    let id_in = |answer: &str, field: &str| {
        let answer: serde_json::Value = serde_json::from_str(answer).unwrap();
        answer[field].as_str().unwrap().to_owned()
    };
    let body = r#"{"puzzle":"8x8..00.R77"}"#;
    let (_, saved) = server.ask("POST", "/api/v1/puzzles", body).unwrap();
    let puzzle = id_in(&saved, "id");
    let (_, opened) = server.ask("POST", "/api/v1/rooms", "{}").unwrap();
    let room = id_in(&opened, "room");
    for (option, name) in [("--delete-puzzle", &puzzle), ("--close-room", &room)] {
        let (status, text) = operate(&[option, name]);
        assert_eq!(status, Some(0), "{text}");
        let (status, text) = operate(&[option, name]);
        assert_eq!(status, Some(2), "{text}");
        assert!(text.contains("there is no"), "{text}");
    }
    let path = format!("/api/v1/puzzles/{puzzle}");
    assert_eq!(server.ask("GET", &path, "").unwrap().0, 404);
    assert_eq!(operate(&["--reports"]), (Some(0), String::new()));
}

/// Rounds of kill -9 while several clients save puzzles; KILLS says how many.
#[test]
fn what_was_acknowledged_survives_kill_9() {
    let rounds: usize = std::env::var("KILLS").map_or(3, |text| text.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let acknowledged = Mutex::new(BTreeSet::<(String, String)>::new());
    for round in 0..rounds {
        let mut server = Server::start(folder.path());
        let address = server.address.clone();
        let before = acknowledged.lock().unwrap().len();
        thread::scope(|scope| {
            for client in 0..4 {
                let (address, acknowledged) = (&address, &acknowledged);
                scope.spawn(move || {
                    for number in 0.. {
                        let title = format!("{round}-{client}-{number}");
                        let body = format!(r#"{{"puzzle":"8x8..00.R77","title":"{title}"}}"#);
                        match ask(address, "POST", "/api/v1/puzzles", &body) {
                            Some((201, saved)) => {
                                let (_, id) = saved.split_once("\"id\":\"").unwrap();
                                let id = id.split('"').next().unwrap().to_owned();
                                acknowledged.lock().unwrap().insert((id, title));
                            }
                            Some((status, body)) => assert_eq!(status, 503, "{body}"),
                            // The server is gone.
                            None => return,
                        }
                    }
                });
            }
            while acknowledged.lock().unwrap().len() < before + 20 {
                thread::sleep(Duration::from_millis(2));
            }
            server.child.kill().unwrap();
            server.child.wait().unwrap();
        });
        let server = Server::start(folder.path());
        for (id, title) in acknowledged.lock().unwrap().iter() {
            let path = format!("/api/v1/puzzles/{id}");
            let (_, saved) = server.ask("GET", &path, "").unwrap();
            let kept = saved.contains(&format!("\"title\":\"{title}\""));
            assert!(
                kept,
                "{title} was acknowledged in one of {} rounds and is lost",
                round + 1
            );
        }
    }
}
