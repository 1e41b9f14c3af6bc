//! What has to hold for any bytes at all. The fuzz targets and the tests share it.

use ricochet_core::formats::{self, Format, Note, NoteSubject, ReadOptions, Records};
use ricochet_core::{Puzzle, Setup};

/// Reads bytes in a format (or in whatever format they are in) and takes every valid puzzle through
/// all formats.
pub(crate) fn any_bytes(format: Option<Format>, bytes: &[u8]) {
    let records = Records::with_options(bytes, format, ReadOptions::default());
    for record in records.flatten().take(20) {
        if let Ok(puzzle) = record.setup.validate() {
            through_all_formats(&puzzle);
        }
    }
}

/// As [`any_bytes`] for dumps, and once more with the bytes packed as a dump's data: no mutation
/// gets past a check sum.
pub(crate) fn any_dump(bytes: &[u8]) {
    use base64::Engine as _;
    use std::io::Write as _;
    any_bytes(Some(Format::DriftingDroidsDump), bytes);
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    let mut packed = (bytes.len() as u32).to_be_bytes().to_vec();
    packed.extend(encoder.finish().unwrap());
    let text = base64::engine::general_purpose::STANDARD.encode(packed);
    let sum = crc32fast::hash(text.as_bytes());
    let dump = format!("!DriftingDroids_game!{sum:08X}!{text}!");
    any_bytes(Some(Format::DriftingDroidsDump), dump.as_bytes());
}

/// Whatever a format can express comes back unchanged, and is recognised; what it leaves out, it
/// has noted. Returns the number of formats that can express the puzzle.
pub(crate) fn through_all_formats(puzzle: &Puzzle) -> usize {
    let mut able = 0;
    for format in Format::ALL {
        let Ok(written) = formats::write(format, puzzle) else {
            continue;
        };
        able += 1;
        let text = &written.text;
        assert_eq!(formats::detect(text), Some(format), "{text}");
        let back = match formats::read_as(format, text) {
            Ok(setups) => setups,
            Err(error) => panic!("{format} cannot read what it wrote: {error}\n{text}"),
        };
        assert_eq!(back.len(), 1, "{text}");
        let back = back[0]
            .clone()
            .validate()
            .expect("what was written is valid");
        let notes = &written.notes;
        assert_eq!(
            without(back.to_setup(), notes),
            without(puzzle.to_setup(), notes),
            "{text}\n{notes:?}"
        );
        let crlf = text.replace('\n', "\r\n") + "\r\n";
        let again = formats::read(&crlf).expect("CRLF is accepted, and the format recognised");
        assert_eq!(again[0].clone().validate(), Ok(back), "{text}");
    }
    able
}

/// A setup without the annotations that notes say are not carried over.
fn without(mut setup: Setup, notes: &[Note]) -> Setup {
    for note in notes {
        match note.about {
            NoteSubject::Id => setup.id = None,
            NoteSubject::Optimal => setup.optimal = None,
            NoteSubject::Targets => setup.targets.clear(),
            NoteSubject::Diagonals
            | NoteSubject::Goal
            | NoteSubject::Robots
            | NoteSubject::Solution => {}
        }
    }
    setup
}
