//! How much memory this process can still allocate according to the system, and returning freed
//! memory to it.

pub(crate) mod meter;

use std::fs;
use std::path::{Path, PathBuf};

/// Bytes that this process can still allocate: the least of what is free, what the control groups (versions 1 and 2) of a container leave, and what the limit on the address
/// space leaves. A search that would need more should stop with an answer before the system kills
/// the process.
///
/// `None` if the system does not report it (on systems other than Linux).
pub fn available_memory() -> Option<u64> {
    SystemFiles {
        root: PathBuf::from("/"),
    }
    .available()
}

/// The memory limit to use if the user gives none: nine tenths of [`available_memory`].
pub fn default_memory_limit() -> Option<u64> {
    available_memory().map(|bytes| bytes / 10 * 9)
}

/// Makes this process return large tables to the system as soon as they are freed.
///
/// A memory limit counts what a search holds. What it has freed may stay with the allocator, and a
/// program that solves one puzzle after the other grows beyond the limit of each. Programs that
/// keep to a limit over many puzzles call this once, before their first search, as `ricochet` does.
/// It is for the whole process, so no solver does it by itself. It does something with GNU's
/// allocator on Linux, nothing elsewhere.
pub fn return_freed_memory() {
    crate::lowlevel::allocator::return_large_tables();
}

/// The files in which Linux tells about memory.
struct SystemFiles {
    /// `/`, but in tests.
    root: PathBuf,
}

impl SystemFiles {
    fn available(&self) -> Option<u64> {
        [self.free(), self.control_groups(), self.address_space()]
            .into_iter()
            .flatten()
            .min()
    }

    fn read(&self, path: impl AsRef<Path>) -> Option<String> {
        fs::read_to_string(self.root.join(path)).ok()
    }

    /// What programs can take without swapping.
    fn free(&self) -> Option<u64> {
        kibibytes(&self.read("proc/meminfo")?, "MemAvailable:")
    }

    /// What the limit on the address space leaves.
    fn address_space(&self) -> Option<u64> {
        let limits = self.read("proc/self/limits")?;
        let limit = limits
            .lines()
            .find_map(|line| line.strip_prefix("Max address space"))?;
        let limit: u64 = limit.split_whitespace().next()?.parse().ok()?;
        let used = self
            .read("proc/self/status")
            .and_then(|status| kibibytes(&status, "VmSize:"));
        Some(limit.saturating_sub(used.unwrap_or(0)))
    }

    /// What the control groups that this process is in leave, and those around them.
    fn control_groups(&self) -> Option<u64> {
        let groups = self.read("proc/self/cgroup")?;
        let mut least: Option<u64> = None;
        // Lines are NUMBER:CONTROLLERS:PATH; version 2 has no controllers.
        for line in groups.lines() {
            let mut parts = line.splitn(3, ':').skip(1);
            let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else {
                continue;
            };
            let (mount, files) = if controllers.is_empty() {
                ("sys/fs/cgroup", &VERSION_2)
            } else if controllers.split(',').any(|name| name == "memory") {
                ("sys/fs/cgroup/memory", &VERSION_1)
            } else {
                continue;
            };
            // In a container the path may be one of the host that cannot be seen from inside; the
            // group at the mount is its own then. The limits of all groups around one hold for it.
            let mut group = PathBuf::from(path.trim_start_matches('/'));
            loop {
                let left = self.left_in(&Path::new(mount).join(&group), files);
                least = left.into_iter().chain(least).min();
                if !group.pop() {
                    break;
                }
            }
        }
        least
    }

    /// What one group leaves, if it has a limit.
    fn left_in(&self, group: &Path, files: &GroupFiles) -> Option<u64> {
        let number = |name| self.read(group.join(name))?.trim().parse::<u64>().ok();
        let limit = number(files.limit)?;
        let used = number(files.used).unwrap_or(0);
        // Files that the system has read and can forget again are counted as used.
        let stat = self.read(group.join("memory.stat")).unwrap_or_default();
        let forgettable = stat
            .lines()
            .find_map(|line| line.strip_prefix(files.forgettable)?.trim().parse().ok());
        Some(limit.saturating_sub(used.saturating_sub(forgettable.unwrap_or(0))))
    }
}

/// What the files of a group are called.
struct GroupFiles {
    limit: &'static str,
    used: &'static str,
    forgettable: &'static str,
}

const VERSION_1: GroupFiles = GroupFiles {
    limit: "memory.limit_in_bytes",
    used: "memory.usage_in_bytes",
    forgettable: "total_inactive_file ",
};

const VERSION_2: GroupFiles = GroupFiles {
    limit: "memory.max",
    used: "memory.current",
    forgettable: "inactive_file ",
};

/// The value of a line such as `MemAvailable:  123 kB`, in bytes.
fn kibibytes(text: &str, key: &str) -> Option<u64> {
    let value = text.lines().find_map(|line| line.strip_prefix(key))?;
    let number: u64 = value.trim().strip_suffix("kB")?.trim().parse().ok()?;
    number.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A system of files in a temporary folder, with 1000 KiB free.
    fn system(files: &[(&str, &str)]) -> (tempfile::TempDir, Option<u64>) {
        let folder = tempfile::tempdir().unwrap();
        let free = (
            "proc/meminfo",
            "MemTotal: 9000 kB\nMemAvailable:    1000 kB\n",
        );
        for (path, text) in [free].iter().chain(files) {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let files = SystemFiles {
            root: folder.path().to_owned(),
        };
        let available = files.available();
        (folder, available)
    }

    const LIMITS: &str = "Limit  Soft Limit  Hard Limit  Units\n\
                          Max address space         700000               unlimited            bytes\n";

    #[test]
    fn free_memory_alone() {
        let no_limit = LIMITS.replace("700000   ", "unlimited");
        assert_eq!(system(&[]).1, Some(1_024_000));
        assert_eq!(
            system(&[("proc/self/limits", &no_limit)]).1,
            Some(1_024_000)
        );
        let nothing = SystemFiles {
            root: "/nowhere".into(),
        };
        assert_eq!(nothing.available(), None);
    }

    #[test]
    fn the_address_space() {
        let files = [
            ("proc/self/limits", LIMITS),
            ("proc/self/status", "Name: x\nVmSize:   100 kB\n"),
        ];
        assert_eq!(system(&files).1, Some(700_000 - 102_400));
    }

    #[test]
    fn a_group_of_version_2_and_those_around_it() {
        let own = [
            ("proc/self/cgroup", "0::/system/job\n"),
            ("sys/fs/cgroup/system/job/memory.max", "max\n"),
            ("sys/fs/cgroup/system/job/memory.current", "5000\n"),
            ("sys/fs/cgroup/system/memory.max", "500000\n"),
            ("sys/fs/cgroup/system/memory.current", "300000\n"),
            (
                "sys/fs/cgroup/system/memory.stat",
                "anon 1\ninactive_file 100000\n",
            ),
        ];
        assert_eq!(system(&own).1, Some(300_000));
    }

    #[test]
    fn a_group_of_version_1_in_a_container() {
        // The host's path does not exist inside: the limit is at the mount.
        let files = [
            (
                "proc/self/cgroup",
                "5:cpu,cpuacct:/docker/abc\n4:memory:/docker/abc\n",
            ),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "400000\n"),
            ("sys/fs/cgroup/memory/memory.usage_in_bytes", "100000\n"),
        ];
        assert_eq!(system(&files).1, Some(300_000));
    }

    #[test]
    fn a_group_that_is_full_leaves_nothing() {
        let files = [
            ("proc/self/cgroup", "0::/\n"),
            ("sys/fs/cgroup/memory.max", "1000\n"),
            ("sys/fs/cgroup/memory.current", "2000\n"),
        ];
        assert_eq!(system(&files).1, Some(0));
    }
}
