//! Facts about the machine and the build, stored with every measurement.

use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// The machine and build of a measurement.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// Model name of the processor.
    pub cpu: String,
    /// Threads that the program may use.
    pub threads: usize,
    /// Memory in MiB.
    pub memory_mib: u64,
    /// Operating system and kernel.
    pub system: String,
    /// Vector extensions found at run time.
    pub simd: String,
    /// Compiler.
    pub rustc: String,
    /// Target, profile, optimisation level, and features of the build.
    pub build: String,
    /// Version of this program.
    pub version: String,
    /// When the run started, UTC.
    pub started: String,
    /// Load average over the last minute when the run started: other work makes times noisy.
    pub load: String,
}

impl Machine {
    /// The facts of this machine, now.
    pub fn detect() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            cpu: field("/proc/cpuinfo", "model name").unwrap_or_else(|| "unknown".into()),
            threads,
            memory_mib: field("/proc/meminfo", "MemTotal")
                .and_then(|text| text.split_whitespace().next()?.parse::<u64>().ok())
                .map_or(0, |kib| kib / 1024),
            system: system(),
            simd: simd().join(" "),
            rustc: env!("RICOCHET_RUSTC").into(),
            build: format!(
                "{} {} opt-level {} features {}",
                env!("RICOCHET_TARGET"),
                env!("RICOCHET_PROFILE"),
                env!("RICOCHET_OPT_LEVEL"),
                env!("RICOCHET_TARGET_FEATURES"),
            ),
            version: env!("CARGO_PKG_VERSION").into(),
            started: utc(SystemTime::now()),
            load: fs::read_to_string("/proc/loadavg")
                .ok()
                .and_then(|text| text.split_whitespace().next().map(str::to_owned))
                .unwrap_or_else(|| "unknown".into()),
        }
    }

    /// The first difference that forbids rows of both in one file: another processor or build.
    pub fn difference(&self, other: &Self) -> Option<String> {
        let facts = [
            ("cpu", &self.cpu, &other.cpu),
            ("system", &self.system, &other.system),
            ("rustc", &self.rustc, &other.rustc),
            ("build", &self.build, &other.build),
            ("version", &self.version, &other.version),
        ];
        facts
            .into_iter()
            .find(|(_, a, b)| a != b)
            .map(|(name, a, b)| format!("{name}: '{a}' then, '{b}' now"))
    }

    /// The names and values of the facts, for tables.
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        vec![
            ("Processor", self.cpu.clone()),
            ("Threads", self.threads.to_string()),
            ("Memory", format!("{} MiB", self.memory_mib)),
            ("System", self.system.clone()),
            ("SIMD", self.simd.clone()),
            ("Compiler", self.rustc.clone()),
            ("Build", self.build.clone()),
            ("Version", self.version.clone()),
            ("Started", self.started.clone()),
            ("Load at the start", self.load.clone()),
        ]
    }
}

/// The value of the first `name : value` line.
fn field(path: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn system() -> String {
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    format!("{} {}", std::env::consts::OS, kernel.trim())
        .trim()
        .to_owned()
}

#[cfg(target_arch = "x86_64")]
fn simd() -> Vec<&'static str> {
    let mut found = Vec::new();
    for (name, present) in [
        ("sse4.2", is_x86_feature_detected!("sse4.2")),
        ("avx2", is_x86_feature_detected!("avx2")),
        ("bmi2", is_x86_feature_detected!("bmi2")),
        ("avx512f", is_x86_feature_detected!("avx512f")),
    ] {
        if present {
            found.push(name);
        }
    }
    found
}

#[cfg(not(target_arch = "x86_64"))]
fn simd() -> Vec<&'static str> {
    Vec::new()
}

/// `2026-11-15 21:04:05 UTC`.
pub fn utc(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let (year, month, day) = civil(seconds / 86_400);
    let (hour, minute) = (seconds / 3600 % 24, seconds / 60 % 60);
    let second = seconds % 60;
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
}

/// Year, month and day of a number of days since 1970-01-01 in the Gregorian calendar.
fn civil(days: u64) -> (u64, u64, u64) {
    let leap = |year: u64| {
        (year.is_multiple_of(4) && !year.is_multiple_of(100)) || year.is_multiple_of(400)
    };
    // Whole cycles of 400 years first, so that the loop below is short for any date.
    let (cycles, mut rest) = (days / 146_097, days % 146_097);
    let mut year = 1970 + 400 * cycles;
    loop {
        let length = if leap(year) { 366 } else { 365 };
        if rest < length {
            break;
        }
        rest -= length;
        year += 1;
    }
    let february = if leap(year) { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if rest < length {
            break;
        }
        rest -= length;
        month += 1;
    }
    (year, month, rest + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn dates_of_known_seconds() {
        let at = |seconds| utc(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01 00:00:00 UTC");
        assert_eq!(at(58 * 86_400), "1970-02-28 00:00:00 UTC");
        assert_eq!(at(59 * 86_400), "1970-03-01 00:00:00 UTC");
        assert_eq!(at(951_782_400), "2000-02-29 00:00:00 UTC");
        assert_eq!(at(20_818 * 86_400), "2026-12-31 00:00:00 UTC");
        assert_eq!(at(20_819 * 86_400), "2027-01-01 00:00:00 UTC");
        assert_eq!(at(1_709_251_199), "2024-02-29 23:59:59 UTC");
        assert_eq!(at(4_102_444_800), "2100-01-01 00:00:00 UTC");
    }

    #[test]
    fn differences_are_named_and_time_is_none() {
        let mut then = Machine::detect();
        let now = Machine::detect();
        then.started = "long ago".into();
        assert_eq!(then.difference(&now), None);
        then.cpu = "abacus".into();
        assert!(then.difference(&now).unwrap().contains("abacus"));
    }
}
