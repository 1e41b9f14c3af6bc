//! Completions, as bash asks for them.

use std::process::Command;

/// What bash offers for the last word of a command line.
fn completed(words: &[&str]) -> Option<Vec<String>> {
    let program = env!("CARGO_BIN_EXE_ricochet");
    let (last, rest) = words.split_last()?;
    let before = rest.last()?;
    let script = format!(
        "source <('{program}' completions bash); COMP_WORDS=({}); COMP_CWORD={}; \
         _ricochet ricochet '{last}' '{before}'; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
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
    let cases: [(&[&str], &str); 8] = [
        (&["ricochet", "solve", "--solver", "fl"], "flagship"),
        (&["ricochet", "compare", "--solvers", "gr"], "graph-v1"),
        (&["ricochet", "bench", "--corpus", "re"], "records"),
        (&["ricochet", "bench", "--baseline", "id"], "iddfs"),
        (&["ricochet", "solve", "ran"], "random"),
        (&["ricochet", "draw", "--to", "s"], "svg"),
        (&["ricochet", "convert", "--to", "kev"], "kevincox-url"),
        (&["ricochet", "so"], "solve"),
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
