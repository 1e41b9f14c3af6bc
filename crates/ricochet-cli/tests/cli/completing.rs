//! Completions, as bash asks for them.

use std::process::Command;

/// What bash offers for the last word of a command line.
fn completed(words: &[&str]) -> Option<Vec<String>> {
    let program = env!("CARGO_BIN_EXE_ricochet");
    let (last, rest) = words.split_last()?;
    let before = rest.last()?;
    let script = format!(
        "source <('{program}' completions bash); COMP_WORDS=({}); COMP_CWORD={}; \
         _ricochet_words ricochet '{last}' '{before}'; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        words.join(" "),
        words.len() - 1
    );
    let output = Command::new("bash").args(["-c", &script]).output().ok()?;
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    Some(text.lines().map(str::to_owned).collect())
}

#[test]
fn solvers_corpora_and_formats_are_offered_by_name() {
    let cases: [(&[&str], &str); 21] = [
        (&["ricochet", "solve", "--solver", "fl"], "flagship"),
        (&["ricochet", "compare", "--solvers", "gr"], "graph-v1"),
        (&["ricochet", "bench", "--corpus", "re"], "records"),
        (&["ricochet", "bench", "--baseline", "id"], "iddfs"),
        (&["ricochet", "solve", "ran"], "random"),
        (&["ricochet", "draw", "--to", "s"], "svg"),
        (&["ricochet", "convert", "--to", "kev"], "kevincox-url"),
        (&["ricochet", "so"], "solve"),
        (&["ricochet", "evaluate", "ran"], "random"),
        (&["ricochet", "next", "rec"], "records"),
        (&["ricochet", "help", "no"], "notation"),
        (&["ricochet", "help", "so"], "solve"),
        (&["ricochet", "solve", "--solver", "=", "fl"], "flagship"),
        (&["ricochet", "solve", "--compact", "="], "auto"),
        // Files, also where the first letters are those of a corpus.
        (&["ricochet", "solve", "Car"], "Cargo.toml"),
        (&["ricochet", "report", "sr"], "src"),
        (&["ricochet", "hint", "da"], "daily"),
        // Every name of a list, not only the first.
        (
            &["ricochet", "compare", "--solvers", "naive,fl"],
            "naive,flagship",
        ),
        (
            &["ricochet", "bench", "--solvers", "naive,iddfs,gr"],
            "naive,iddfs,graph-v1",
        ),
        (
            &["ricochet", "perft", "--columns", "states,so"],
            "states,sorted",
        ),
        (
            &["ricochet", "lab", "thesis", "--solvers", "naive,"],
            "naive,iddfs",
        ),
    ];
    for (words, wanted) in cases {
        let Some(offered) = completed(words) else {
            // There is no bash here.
            return;
        };
        assert!(
            offered.iter().any(|it| it == wanted),
            "{words:?}: {wanted} is not among {offered:?}"
        );
    }
}

/// The number of a puzzle is for the user to say.
#[test]
fn nothing_is_offered_behind_a_colon() {
    for words in [
        &["ricochet", "solve", "random", ":"][..],
        &["ricochet", "solve", "random", ":", "1"],
    ] {
        let Some(offered) = completed(words) else {
            return;
        };
        assert_eq!(offered, [""], "{words:?}");
    }
}

/// fish can be asked; zsh cannot without a terminal, so its script is only looked at.
#[test]
fn lists_are_completed_in_other_shells_too() {
    let script = |shell: &str| {
        let program = Command::new(env!("CARGO_BIN_EXE_ricochet"))
            .args(["completions", shell])
            .output()
            .expect("it runs");
        String::from_utf8(program.stdout).expect("UTF-8")
    };
    let zsh = script("zsh");
    assert!(zsh.contains(":_sequence compadd - flagship iddfs "));
    assert!(zsh.contains(":_sequence compadd - sequences onward "));
    // Files beside corpora, and options behind puzzles, which two colons would forbid.
    assert!(zsh.contains(":_ricochet_puzzles' "));
    assert!(!zsh.contains("\n'*::"));
    assert!(zsh.contains("commands=('notation:A topic' "));
    let fish = script("fish");
    assert!(fish.contains("__fish_ricochet_using_subcommand explain\" -a \"asp2015 "));
    assert!(fish.contains("-f -a \"notation formats robots corpora\""));
    assert!(script("fish").contains("-l solvers -d 'Only these"));
    assert!(script("fish").contains(" -f -a \"(__fish_append , flagship iddfs "));
    let ask =
        "ricochet completions fish | source; complete -C 'ricochet compare --solvers naive,fl'";
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_ricochet"));
    let folder = program.parent().expect("in a folder");
    let path = format!(
        "{}:{}",
        folder.display(),
        std::env::var("PATH").expect("set")
    );
    let Ok(fish) = Command::new("fish")
        .args(["--no-config", "-c", ask])
        .env("PATH", path)
        .output()
    else {
        // There is no fish here.
        return;
    };
    let offered = String::from_utf8_lossy(&fish.stdout);
    let mut offered = offered.lines().map(|line| line.split('\t').next());
    assert!(offered.any(|it| it == Some("naive,flagship")), "{fish:?}");
}
