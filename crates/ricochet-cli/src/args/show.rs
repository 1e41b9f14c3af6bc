//! How boards are drawn in the terminal.

use ricochet_draw::Terminal;

/// How boards are drawn, for every command that shows some.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Drawing")]
pub(crate) struct ShowArgs {
    /// Draw with ASCII characters only
    #[arg(long)]
    pub(crate) ascii: bool,

    /// Show the numbers of columns and rows
    #[arg(
        long,
        value_name = "WHEN",
        num_args = 0..=1,
        require_equals = true,
        default_value = "on",
        default_missing_value = "on"
    )]
    pub(crate) coordinates: Switch,
}

/// On or off, for options that can be either by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Switch {
    #[default]
    On,
    Off,
}

impl ShowArgs {
    pub(crate) fn terminal(self) -> Terminal {
        let terminal = if self.ascii {
            Terminal::ascii()
        } else {
            Terminal::unicode()
        };
        match self.coordinates {
            Switch::On => terminal,
            Switch::Off => terminal.without_coordinates(),
        }
    }
}
