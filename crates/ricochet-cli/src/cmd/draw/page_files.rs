//! Writing pictures and pages to files: one file per page if the format has no pages.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use ricochet_core::describe::plural;
use ricochet_solve::atomic_file;

use crate::term::output::Output;
use crate::term::plain::Plain;

/// Pixels per inch of pages that are written as PNG: enough for a printer.
pub(crate) const PIXELS_PER_INCH: u32 = 150;

/// Writes a file and prints its size.
pub(crate) fn write_file(file: &Path, bytes: &[u8], output: &Output) -> anyhow::Result<()> {
    atomic_file::write_or_open_device(file, bytes)?;
    output.note(format_args!(
        "{}: {}",
        Plain(file.display()),
        plural(bytes.len(), "byte")
    ));
    Ok(())
}

/// Writes each page to a file of its own, numbered if there are several.
pub(crate) fn write_pages<P: AsRef<[u8]>>(
    file: &Path,
    pages: &[P],
    output: &Output,
) -> anyhow::Result<()> {
    for (number, page) in (1..).zip(pages) {
        let file = page_file(file, number, pages.len());
        write_file(&file, page.as_ref(), output)?;
    }
    Ok(())
}

/// `sheet.svg`, or `sheet-1.svg`, `sheet-2.svg`, … if there are several pages.
fn page_file(file: &Path, number: usize, pages: usize) -> PathBuf {
    if pages == 1 {
        return file.to_owned();
    }
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let name = match file.extension().and_then(OsStr::to_str) {
        Some(extension) => format!("{stem}-{number}.{extension}"),
        None => format!("{stem}-{number}"),
    };
    file.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_numbered_only_if_there_are_several() {
        let file = Path::new("out/sheet.svg");
        assert_eq!(page_file(file, 1, 1), file);
        assert_eq!(page_file(file, 2, 3), Path::new("out/sheet-2.svg"));
        let file = Path::new("sheet.v2.PNG");
        assert_eq!(page_file(file, 1, 2), Path::new("sheet.v2-1.PNG"));
        assert_eq!(page_file(Path::new("sheet"), 1, 2), Path::new("sheet-1"));
    }
}
