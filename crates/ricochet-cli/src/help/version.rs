//! The text of `--version`: the version, and how this binary was built.

use std::sync::LazyLock;

/// For `-V`.
pub(crate) const SHORT: &str = env!("CARGO_PKG_VERSION");

/// For `--version`.
pub(crate) fn long() -> &'static str {
    static LONG: LazyLock<String> = LazyLock::new(build_facts);
    &LONG
}

fn build_facts() -> String {
    let commit = match env!("BUILD_COMMIT") {
        "" => "unknown",
        commit => commit,
    };
    format!(
        "{SHORT}\ncommit:  {commit}\ntarget:  {}\nprofile: {}\nrustc:   {}\ncpu:     {}",
        env!("BUILD_TARGET"),
        env!("BUILD_PROFILE"),
        env!("BUILD_RUSTC").trim_start_matches("rustc "),
        cpu_features(),
    )
}

/// The vector extensions of this processor that solvers use.
fn cpu_features() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx2") {
            return "avx2";
        }
        "no avx2"
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        "portable"
    }
}
