//! How to read or write where a format leaves it open.

/// Whether a `DriftingDroids` ID means the diagonals of the D sides.
///
/// `DriftingDroids` itself leaves them out of its boards; kevincox's site puts them in. The same ID
/// can therefore have two optima.
///
/// ```
/// use ricochet_core::formats::{DroidDiagonals, ReadOptions};
/// assert_eq!(ReadOptions::default().droid_diagonals, DroidDiagonals::Without);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DroidDiagonals {
    /// As `DriftingDroids` reads its IDs.
    #[default]
    Without,
    /// As kevincox's site reads them.
    With,
}

/// How to read.
///
/// ```
/// use ricochet_core::formats::{DroidDiagonals, ReadOptions, read_records};
/// let id = "C765+2F+00FF+F0"; // the north-west quadrant is 1D
/// let plain = read_records(id, None, ReadOptions::default()).unwrap();
/// assert!(plain[0].setup.diagonals.is_empty());
/// let options = ReadOptions { droid_diagonals: DroidDiagonals::With };
/// let full = read_records(id, None, options).unwrap();
/// assert!(!full[0].setup.diagonals.is_empty());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// The reading of `DriftingDroids` IDs.
    pub droid_diagonals: DroidDiagonals,
}

/// How to write.
///
/// ```
/// use ricochet_core::formats::{DroidDiagonals, Format, WriteOptions, read, write_with};
/// // The tile 1D has diagonals, so the ID is right only for those who put them on the board.
/// let puzzle = read("1D4B3B2B.1fc1f0c0.B9c").unwrap().remove(0).validate().unwrap();
/// let id = |droid_diagonals| {
///     write_with(Format::DriftingDroids, &puzzle, WriteOptions { droid_diagonals })
/// };
/// assert!(id(DroidDiagonals::With).is_ok() && id(DroidDiagonals::Without).is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteOptions {
    /// The reading for which a `DriftingDroids` ID is written.
    pub droid_diagonals: DroidDiagonals,
}
