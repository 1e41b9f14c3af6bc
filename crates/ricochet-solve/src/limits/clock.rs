//! The clock that time limits look at, chosen in one place: the system's, or on bare WebAssembly,
//! where there is none, one that the host gives.

#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
pub(crate) use std::time::Instant;

#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
pub(crate) use host::Instant;
#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
pub use host::set_clock;

/// A clock of milliseconds from the host. It is compiled for the tests as well, so that it
/// keeps compiling on machines that do not build for WebAssembly.
#[cfg(any(test, all(target_arch = "wasm32", target_os = "unknown")))]
mod host {
    use std::sync::OnceLock;
    use std::time::Duration;

    static CLOCK: OnceLock<fn() -> f64> = OnceLock::new();

    /// Gives the crate a clock: milliseconds since any moment, such as JavaScript's
    /// `performance.now`. The first one counts. Without one, time stands still and time limits
    /// never strike.
    #[allow(unreachable_pub, reason = "only WebAssembly exports it")]
    pub fn set_clock(milliseconds: fn() -> f64) {
        let _ = CLOCK.set(milliseconds);
    }

    /// A moment of the host's clock: what is used here of [`std::time::Instant`].
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub(crate) struct Instant(Duration);

    impl Instant {
        pub(crate) fn now() -> Self {
            let milliseconds = CLOCK.get().map_or(0.0, |clock| clock());
            // A clock that goes wrong stands still.
            Self(Duration::try_from_secs_f64(milliseconds / 1000.0).unwrap_or_default())
        }

        pub(crate) fn elapsed(&self) -> Duration {
            Self::now().0.saturating_sub(self.0)
        }

        pub(crate) fn checked_add(&self, time: Duration) -> Option<Self> {
            self.0.checked_add(time).map(Self)
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn time_is_what_the_host_says() {
            let before = Instant::now();
            assert_eq!(
                before.elapsed(),
                Duration::ZERO,
                "without a clock, time stands still"
            );
            set_clock(|| 1500.0);
            assert_eq!(before.elapsed(), Duration::from_millis(1500));
            let deadline = before.checked_add(Duration::from_secs(1)).unwrap();
            assert!(Instant::now() >= deadline);
            set_clock(|| 0.0);
            assert_eq!(
                before.elapsed(),
                Duration::from_millis(1500),
                "the first clock counts"
            );
        }
    }
}
