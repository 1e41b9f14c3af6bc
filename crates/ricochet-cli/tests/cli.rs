//! Every command's output, and the README's commands, as they are printed.
//!
//! To write them anew after a change that is meant: `TRYCMD=overwrite cargo test -p ricochet-cli
//! --test cli`, then look at the difference and elide times with `[..]`.

use std::path::Path;

#[test]
fn commands_print_what_is_written_down() {
    // The commands name files of the corpus, as somebody at the root of the repository would.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::env::set_current_dir(root).expect("the root of the workspace exists");
    trycmd::TestCases::new()
        .env("NO_COLOR", "1")
        .case("crates/ricochet-cli/tests/cmd/*.trycmd")
        .case("README.md");
}
