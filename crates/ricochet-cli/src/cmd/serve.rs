//! `ricochet serve`

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use clap::{Args as _, FromArgMatches};
use ricochet_server::{Clock, Config, RoomLimits, RoomPrefix};

use crate::args::limits::{parse_duration, parse_size};
use crate::args::whole_number::whole_number;
use crate::exit_code::ExitCode;
use crate::term::browser;
use crate::term::output::Output;

/// Serve the web page and the HTTP API
///
/// Prints the address once the server is ready. It listens on this machine only, unless --listen
/// says otherwise. Ctrl-C stops it. The API is documented at /api.
#[derive(clap::Args, Clone, Debug)]
#[allow(clippy::struct_excessive_bools)] // each is a switch of its own on the command line
pub(crate) struct Args {
    /// Open the page in a browser
    #[arg(long)]
    open: bool,

    /// The address to listen on: 0.0.0.0 for the whole network
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), value_parser = parse_address)]
    listen: IpAddr,

    /// The port, 0 to 65535. Default: 8017, or a free one if that is taken
    #[arg(long, value_name = "PORT", value_parser = whole_number::<u16>(..))]
    port: Option<u16>,

    /// Accept requests for this host name as well, such as robots.example.org
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,

    /// Trust the X-Forwarded-For header of a proxy in front of the server
    #[arg(long, hide_short_help = true)]
    behind_proxy: bool,

    /// The directory for results and saved puzzles, created if necessary. Default: ricochet in
    /// the user's data directory
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,

    /// Check the configuration, the data directory and the limits, and exit
    #[arg(long, hide_short_help = true)]
    check: bool,

    /// Copy the database of the data directory to a new file, even while a server is running, and exit
    #[arg(long, value_name = "FILE", hide_short_help = true, conflicts_with_all = ["check", "restore"])]
    backup: Option<PathBuf>,

    /// Replace the database of the data directory with a copy and exit; stop the server first. The
    /// previous one is kept as before-restore.sqlite
    #[arg(
        long,
        value_name = "FILE",
        hide_short_help = true,
        conflicts_with = "check"
    )]
    restore: Option<PathBuf>,

    /// Stop each request after this time
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_duration)]
    time_limit: Duration,

    /// Stop each search before it uses more than this much memory: 2GiB, 500MB; a plain number
    /// means bytes. The limit applies to each search; up to one search per core runs at a time
    #[arg(long, value_name = "SIZE", default_value = "256MiB", value_parser = parse_size, hide_short_help = true)]
    memory_limit: u64,

    /// Seconds of solver time per minute that each remote machine may use; 0 means no limit
    #[arg(
        hide_short_help = true,
        long,
        value_name = "SECONDS",
        default_value_t = 30
    )]
    budget: u64,

    /// Keep a public room open, where rounds run by themselves and bots join in
    #[arg(long, help_heading = "Rooms")]
    public_room: bool,

    /// Print players' reports of abuse, and exit
    #[arg(
        long,
        hide_short_help = true,
        help_heading = "Rooms",
        conflicts_with_all = ["check", "backup", "restore"]
    )]
    reports: bool,

    /// Close a room and delete its data, even while a server is running, and exit
    #[arg(
        long,
        value_name = "ROOM",
        hide_short_help = true,
        help_heading = "Rooms",
        conflicts_with_all = ["check", "backup", "restore", "reports"]
    )]
    close_room: Option<String>,

    /// Delete a saved puzzle, even while a server is running, and exit
    #[arg(
        long,
        value_name = "ID",
        hide_short_help = true,
        conflicts_with_all = ["check", "backup", "restore", "reports", "close_room"]
    )]
    delete_puzzle: Option<String>,

    /// Maximum number of rooms in memory
    #[arg(long, value_name = "N", default_value_t = 1000, help_heading = "Rooms", value_parser = whole_number::<usize>(..))]
    rooms: usize,

    /// Maximum number of connections to rooms
    #[arg(long, value_name = "N", default_value_t = 4096, help_heading = "Rooms", value_parser = whole_number::<usize>(..))]
    room_connections: usize,

    /// Maximum number of spectators in a room
    #[arg(long, value_name = "N", default_value_t = 200, help_heading = "Rooms", value_parser = whole_number::<usize>(..))]
    room_spectators: usize,

    /// Delete a room after this many days (0 to 65535) without activity
    #[arg(long, value_name = "N", default_value_t = 30, help_heading = "Rooms", value_parser = whole_number::<u16>(..))]
    room_days: u16,

    /// Prefix for the names of this server's rooms, so that a proxy can tell which server hosts a
    /// room
    ///
    /// One or two letters or digits; docs/serve/several.md has a complete configuration.
    #[arg(
        long,
        value_name = "PREFIX",
        default_value = "",
        hide_default_value = true,
        hide_short_help = true,
        help_heading = "Rooms"
    )]
    room_prefix: RoomPrefix,

    /// Another server behind the same proxy, such as 127.0.0.1:8022, whose public rooms are also listed
    #[arg(
        long,
        value_name = "ADDRESS:PORT",
        hide_short_help = true,
        help_heading = "Rooms"
    )]
    room_peer: Vec<String>,

    /// Log one JSON object per line
    #[arg(long, hide_short_help = true)]
    log_json: bool,
}

/// Runs `ricochet` without a command: `ricochet serve --open`.
pub(crate) fn run_default(output: &mut Output) -> anyhow::Result<ExitCode> {
    output.note("ricochet serve --open (`ricochet help` lists the other commands)");
    let command = Args::augment_args(clap::Command::new("ricochet serve"));
    let matches = command.try_get_matches_from(["ricochet serve", "--open"])?;
    run(&Args::from_arg_matches(&matches)?, output)
}

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    ricochet_server::log(args.log_json);
    let data = data_directory(args.data.as_deref())?;
    if let Some(file) = &args.backup {
        ricochet_server::backup(&data, file)
            .with_context(|| format!("cannot copy the database of {}", data.display()))?;
        return Ok(ExitCode::Solved);
    }
    if let Some(file) = &args.restore {
        ricochet_server::restore(&data, file, &Clock::system())
            .with_context(|| format!("cannot restore the database of {}", data.display()))?;
        return Ok(ExitCode::Solved);
    }
    if args.reports {
        return print_reports(&data, output);
    }
    if let Some(room) = &args.close_room {
        let deleted = ricochet_server::close_room(&data, room)
            .with_context(|| format!("cannot change the database of {}", data.display()))?;
        anyhow::ensure!(deleted, "there is no room {room}");
        return Ok(ExitCode::Solved);
    }
    if let Some(puzzle) = &args.delete_puzzle {
        let deleted = ricochet_server::delete_puzzle(&data, puzzle)
            .with_context(|| format!("cannot change the database of {}", data.display()))?;
        anyhow::ensure!(deleted, "there is no saved puzzle {puzzle}");
        return Ok(ExitCode::Solved);
    }
    let mut config = Config {
        listen: args.listen,
        port: args.port,
        hosts: args.host.clone(),
        behind_proxy: args.behind_proxy,
        data: Some(data),
        budget: Some(args.budget).filter(|&seconds| seconds > 0),
        rooms: rooms(args),
        room_prefix: args.room_prefix.clone(),
        room_peers: args.room_peer.clone(),
        public_room: args.public_room,
        ..Config::default()
    };
    config.policy.ms = Some(args.time_limit.as_millis() as u64);
    config.policy.memory_mib = Some(args.memory_limit.div_ceil(1 << 20));
    if args.check {
        let notes = ricochet_server::check(&config).context("the server would not start")?;
        for note in notes {
            output.record(format_args!("{note}\n"))?;
        }
        return Ok(ExitCode::Solved);
    }
    // Without its address the server is useless, so failing to print it is an error.
    ricochet_server::serve(config, |address| announce(args, address, output)).with_context(
        || match args.port {
            Some(port) => format!("cannot serve on {}, port {port}", args.listen),
            None => format!("cannot serve on {}", args.listen),
        },
    )?;
    Ok(ExitCode::Solved)
}

/// Prints one JSON object per report, the latest first.
fn print_reports(data: &Path, output: &mut Output) -> anyhow::Result<ExitCode> {
    let reports = ricochet_server::reports(data)
        .with_context(|| format!("cannot read the database of {}", data.display()))?;
    for report in reports {
        let line = serde_json::json!({
            "at": report.at,
            "room": report.room,
            "event": report.event,
            "reporter": report.reporter,
            "player": report.reported,
            "name": report.name,
            "said": report.said,
        });
        output.record(format_args!("{line}\n"))?;
    }
    Ok(ExitCode::Solved)
}

fn parse_address(text: &str) -> Result<IpAddr, String> {
    text.parse().map_err(|_| match text.parse::<SocketAddr>() {
        Ok(both) => format!(
            "give the port separately: --listen {} --port {}",
            both.ip(),
            both.port()
        ),
        Err(_) => "expected an IP address, such as 127.0.0.1 or 0.0.0.0".to_owned(),
    })
}

/// The limits of rooms: ten can be stored for each that is in memory.
fn rooms(args: &Args) -> RoomLimits {
    RoomLimits {
        awake: args.rooms,
        stored: args.rooms.saturating_mul(10),
        // The runtime cannot count more.
        sockets: args.room_connections.min(1 << 20),
        spectators: args.room_spectators,
        kept: Duration::from_secs(24 * 60 * 60 * u64::from(args.room_days)),
        ..RoomLimits::default()
    }
}

/// The directory of the database: the given one, or one in the user's data directory.
fn data_directory(named: Option<&Path>) -> anyhow::Result<PathBuf> {
    if let Some(named) = named {
        return Ok(named.to_owned());
    }
    let variable = |name: &str| {
        let path = std::env::var_os(name).map(PathBuf::from);
        path.filter(|path| path.is_absolute())
    };
    let base = if cfg!(windows) {
        variable("APPDATA")
    } else if cfg!(target_os = "macos") {
        variable("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        variable("XDG_DATA_HOME").or_else(|| Some(variable("HOME")?.join(".local/share")))
    };
    let base = base.context("there is no home directory: choose a directory with --data")?;
    Ok(base.join("ricochet"))
}

fn announce(args: &Args, address: SocketAddr, output: &mut Output) -> io::Result<()> {
    // The unspecified address cannot be opened in a browser.
    let mut visited = address;
    if visited.ip().is_unspecified() {
        visited.set_ip(IpAddr::V4(Ipv4Addr::LOCALHOST));
    }
    let url = format!("http://{visited}/");
    output.record(format_args!("{url}\n"))?;
    output.flush()?;
    if args.open && !(browser::has_screen() && browser::open(&url).is_ok()) {
        output.note(format_args!(
            "No browser could be opened here: open {url} yourself."
        ));
    }
    output.note("Ctrl-C stops the server.");
    Ok(())
}
