//! Colours, themes, and what each colour is for.

pub(crate) mod role;
mod style;
pub(crate) mod theme;

pub use style::style_json;

use std::fmt;

/// An sRGB colour with an opacity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Color {
    /// Red.
    pub r: u8,
    /// Green.
    pub g: u8,
    /// Blue.
    pub b: u8,
    /// Opacity: 255 is opaque.
    pub a: u8,
}

impl Color {
    /// White.
    pub const WHITE: Self = Self::hex(0xff_ffff);
    /// Black.
    pub const BLACK: Self = Self::hex(0);

    /// The opaque colour `0xRRGGBB`; higher bits are ignored.
    pub const fn hex(rgb: u32) -> Self {
        Self {
            r: (rgb >> 16) as u8,
            g: (rgb >> 8) as u8,
            b: rgb as u8,
            a: 255,
        }
    }

    pub(crate) const fn hexes<const N: usize>(rgb: [u32; N]) -> [Self; N] {
        let mut colors = [Self::BLACK; N];
        let mut i = 0;
        while i < N {
            colors[i] = Self::hex(rgb[i]);
            i += 1;
        }
        colors
    }

    /// The same colour with an opacity of 0 to 1.
    #[must_use]
    pub fn with_opacity(mut self, opacity: f32) -> Self {
        self.a = (opacity.clamp(0.0, 1.0) * 255.0).round() as u8;
        self
    }

    /// The opacity, 0 to 1.
    pub fn opacity(self) -> f32 {
        f32::from(self.a) / 255.0
    }

    /// A mixture: this colour if `share` is 0, the other if it is 1.
    #[must_use]
    pub fn mix(self, other: Self, share: f32) -> Self {
        let share = share.clamp(0.0, 1.0);
        let mix =
            |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * share).round() as u8;
        Self {
            r: mix(self.r, other.r),
            g: mix(self.g, other.g),
            b: mix(self.b, other.b),
            a: mix(self.a, other.a),
        }
    }

    /// Perceived lightness, 0 for black to 1 for white (weights of Rec. 709 on the sRGB values).
    pub fn lightness(self) -> f32 {
        (0.2126 * f32::from(self.r) + 0.7152 * f32::from(self.g) + 0.0722 * f32::from(self.b))
            / 255.0
    }
}

impl fmt::Display for Color {
    /// `#rrggbb`, without the opacity.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.r, self.g, self.b)
    }
}
