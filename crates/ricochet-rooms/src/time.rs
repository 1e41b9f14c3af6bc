//! Points in time, as the caller tells them.

use serde::{Deserialize, Serialize};

/// Milliseconds since the Unix epoch. A room never looks at a clock: whoever drives it says what
/// time it is.
///
/// ```
/// use ricochet_rooms::Time;
/// let noon = Time(1_000_000);
/// assert_eq!(noon.after(500), Time(1_000_500));
/// assert_eq!(noon.after(500).since(noon), 500);
/// assert_eq!(noon.since(noon.after(500)), 0, "never negative");
/// ```
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Time(pub u64);

impl Time {
    /// This many milliseconds later.
    ///
    /// ```
    /// use ricochet_rooms::Time;
    /// assert_eq!(Time(u64::MAX).after(1), Time(u64::MAX));
    /// ```
    #[must_use]
    pub const fn after(self, milliseconds: u64) -> Self {
        Self(self.0.saturating_add(milliseconds))
    }

    /// Milliseconds from `earlier` to now; 0 if `earlier` is later.
    ///
    /// ```
    /// use ricochet_rooms::Time;
    /// assert_eq!(Time(70).since(Time(20)), 50);
    /// ```
    #[must_use]
    pub const fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}
