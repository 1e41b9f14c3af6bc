//! Every format that can express a puzzle gives it back unchanged.

use crate::support::{check, random};
use proptest::prelude::*;
use ricochet_core::formats::Format;

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, max_shrink_iters: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn every_puzzle_goes_through_every_format_that_can_express_it(puzzle in random::any_puzzle()) {
        // Ours and JSON can express everything.
        prop_assert!(check::through_all_formats(&puzzle) >= 3);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, max_shrink_iters: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn official_boards_go_through_every_format_that_can_express_them(puzzle in random::official_puzzle()) {
        prop_assert!(check::through_all_formats(&puzzle) >= 3);
    }
}

/// What the fuzzers start from, and everything they ever found.
#[test]
fn the_kept_fuzz_corpus_is_harmless() {
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus");
    let mut files = 0;
    for target in std::fs::read_dir(corpus).expect("fuzz/corpus exists") {
        let target = target.unwrap();
        let name = target.file_name().to_string_lossy().replace('_', "-");
        // The target `detect` names no format: it takes whatever comes.
        let format = name.parse::<Format>().ok();
        for file in std::fs::read_dir(target.path()).unwrap() {
            let bytes = std::fs::read(file.unwrap().path()).unwrap();
            match format {
                Some(Format::DriftingDroidsDump) => check::any_dump(&bytes),
                _ => check::any_bytes(format, &bytes),
            }
            files += 1;
        }
    }
    assert!(files >= 30, "only {files} files: is the corpus there?");
}
