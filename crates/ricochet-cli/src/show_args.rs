//! How boards are drawn in the terminal.

use ricochet_draw::Terminal;

/// How boards are drawn, for every command that shows some.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Drawing")]
pub(crate) struct ShowArgs {
    /// Draw with ASCII characters only
    #[arg(long)]
    pub(crate) ascii: bool,

    /// Leave out the numbers of columns and rows
    #[arg(long)]
    pub(crate) no_coordinates: bool,
}

impl ShowArgs {
    pub(crate) fn terminal(self) -> Terminal {
        let terminal = if self.ascii {
            Terminal::ascii()
        } else {
            Terminal::unicode()
        };
        if self.no_coordinates {
            terminal.without_coordinates()
        } else {
            terminal
        }
    }
}
