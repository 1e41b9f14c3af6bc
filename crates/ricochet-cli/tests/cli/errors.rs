//! Every error of the libraries is an [`Error`] that `?` can box, in examples and across threads.

use std::error::Error;

/// Compiles only for errors.
fn boxes<E: Error + Send + Sync + 'static>() {}

#[test]
fn all_errors_of_the_libraries_can_be_boxed() {
    boxes::<ricochet_core::ValidationError>();
    boxes::<ricochet_core::Problem>();
    boxes::<ricochet_core::ParseMoveError>();
    boxes::<ricochet_core::ReplayError>();
    boxes::<ricochet_core::describe::DescriptionError>();
    boxes::<ricochet_core::formats::ParseFormatError>();
    boxes::<ricochet_core::formats::ReadError>();
    boxes::<ricochet_core::formats::WriteError>();
    boxes::<ricochet_core::generate::GenerateError>();
    boxes::<ricochet_core::quadrants::LayoutError>();
    boxes::<ricochet_core::quadrants::ParseEditionError>();
    boxes::<ricochet_solve::Failure>();
    boxes::<ricochet_solve::Limit>();
    boxes::<ricochet_solve::LimitReached>();
    boxes::<ricochet_solve::Unsupported>();
    boxes::<ricochet_solve::registry::SpecError>();
    boxes::<ricochet_solve::tablebase::TablebaseError>();
    boxes::<ricochet_draw::RasterError>();
    boxes::<ricochet_lab::run::solve::clock::ClockError>();
    boxes::<ricochet_lab::shard::ShardError>();
    boxes::<ricochet_service::Error>();
}

/// A program that uses three of the libraries writes `?` and nothing else.
#[test]
fn question_marks_suffice() {
    fn solve_within(line: &str, nodes: u64) -> Result<u32, Box<dyn Error + Send + Sync>> {
        let puzzle = ricochet_core::notation::parse_line(line)?.validate()?;
        let limits = ricochet_solve::Limits {
            nodes: Some(nodes),
            ..ricochet_solve::Limits::default()
        };
        let mut meter = ricochet_solve::Meter::start(&limits);
        meter.tick(1, 0)?;
        let all = ricochet_solve::all::all_of_length(&puzzle, 2, &limits)?;
        Ok(all.map_or(0, |all| all.length()))
    }
    assert_eq!(solve_within("8x8..0033.R77", 1000).unwrap(), 2);
    let said = |line, nodes| solve_within(line, nodes).unwrap_err().to_string();
    assert_eq!(said("8x8..0033.R77", 0), "node limit");
    assert!(!said("8x8..0000.R77", 1000).is_empty());
    assert!(!said("8 by 8", 1000).is_empty());
}
