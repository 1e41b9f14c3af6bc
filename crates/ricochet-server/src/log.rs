//! What the server says while it runs.

use tracing_subscriber::EnvFilter;

/// Starts to log on standard error, for people or as one JSON object per line. The variable
/// `RUST_LOG` chooses how much; warnings and errors if it is not set. Only the first call counts.
///
/// ```
/// ricochet_server::log(true);
/// ```
pub fn log(json: bool) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("warn"));
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    let _ = if json {
        builder.json().try_init()
    } else {
        builder.try_init()
    };
}
