//! Opening a page in the user's browser.

use std::ffi::OsStr;
use std::io;
use std::process::{Command, Stdio};

/// Opens a URL or a file with the program that the system uses for it.
///
/// # Errors
/// If that program cannot be started.
pub(crate) fn open(page: impl AsRef<OsStr>) -> io::Result<()> {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    };
    Command::new(program)
        .args(arguments)
        .arg(page)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map(drop)
}

/// Whether the session has a screen. Without one, `xdg-open` may start a browser in the terminal.
pub(crate) fn has_screen() -> bool {
    cfg!(any(windows, target_os = "macos"))
        || ["DISPLAY", "WAYLAND_DISPLAY"]
            .iter()
            .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}
