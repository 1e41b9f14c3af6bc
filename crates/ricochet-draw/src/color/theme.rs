//! The colours of pictures.

use ricochet_core::Robot;

use crate::color::Color;

/// The colours of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theme {
    /// Around the board.
    pub background: Color,
    /// An open cell.
    pub board: Color,
    /// The lines between cells.
    pub grid: Color,
    /// Walls and the rim.
    pub wall: Color,
    /// A closed cell.
    pub closed: Color,
    /// Text.
    pub ink: Color,
    /// Less important text.
    pub faint: Color,
    /// Robots, in the order of [`Robot::ALL`].
    pub robots: [Color; 8],
    /// Letters are dark on backgrounds of at least this lightness, in per cent.
    pub dark_letters_from: u8,
    /// The shading of an overlay's least, middle and greatest value.
    pub shades: [Color; 3],
    /// Whether each robot's lines are dashed differently, to distinguish them without colour.
    pub dashes: bool,
    /// Whether targets are light outlines and robots have a strong dark rim, which distinguishes them
    /// at a glance if both are grey.
    pub outlined_targets: bool,
}

impl Theme {
    /// The names that [`Theme::from_name`] accepts.
    pub const NAMES: [&'static str; 4] = ["light", "dark", "print", "color-blind"];

    /// Dark walls on a light board.
    pub const LIGHT: Self = Self {
        background: Color::hex(0xff_ffff),
        board: Color::hex(0xfa_f7f0),
        grid: Color::hex(0xe3_dccd),
        wall: Color::hex(0x3a_3632),
        closed: Color::hex(0x8c_857a),
        ink: Color::hex(0x2b_2825),
        faint: Color::hex(0x8a_8378),
        robots: Color::hexes([
            0xd6_2f2f, 0x2b_9648, 0x2a_6fd6, 0xf2_bd1d, 0x8f_98a3, 0xe8_7a1a, 0x8c_4fc4, 0x14_a3ad,
        ]),
        dark_letters_from: 60,
        shades: Color::hexes([0xff_f4cc, 0x8c_cdbb, 0x6f_9bc8]),
        dashes: false,
        outlined_targets: false,
    };

    /// Light walls on a dark board.
    pub const DARK: Self = Self {
        background: Color::hex(0x16_1412),
        board: Color::hex(0x21_1e1a),
        grid: Color::hex(0x35_3029),
        wall: Color::hex(0xe3_d9c8),
        closed: Color::hex(0x5f_564a),
        ink: Color::hex(0xef_e8dc),
        faint: Color::hex(0xa0_978a),
        robots: Color::hexes([
            0xf2_5c54, 0x4c_c26b, 0x4d_9bff, 0xff_d14a, 0xb8_c1cc, 0xff_9a3d, 0xb5_82ee, 0x3d_cfd6,
        ]),
        dark_letters_from: 45,
        shades: Color::hexes([0xe3_b341, 0x3b_827f, 0x26_3a5e]),
        dashes: false,
        outlined_targets: false,
    };

    /// Black, white and greys, for paper. Lines are dashed differently for each robot; robots are
    /// filled and have a black rim, targets are outlines.
    pub const PRINT: Self = Self {
        background: Color::hex(0xff_ffff),
        board: Color::hex(0xff_ffff),
        grid: Color::hex(0xd8_d8d8),
        wall: Color::hex(0x00_0000),
        closed: Color::hex(0xa8_a8a8),
        ink: Color::hex(0x00_0000),
        faint: Color::hex(0x60_6060),
        // Eight greys at equal steps; the four robots of every game are two steps apart.
        robots: Color::hexes([
            0x1c_1c1c, 0x98_9898, 0x5a_5a5a, 0xd6_d6d6, 0xf4_f4f4, 0xb7_b7b7, 0x3b_3b3b, 0x79_7979,
        ]),
        dark_letters_from: 55,
        shades: Color::hexes([0xe8_e8e8, 0xc8_c8c8, 0xa0_a0a0]),
        dashes: true,
        outlined_targets: true,
    };

    /// The colours of M. Okabe and K. Ito, which people with any kind of colour vision can
    /// distinguish, and differently dashed lines.
    pub const COLOR_BLIND: Self = Self {
        background: Color::hex(0xff_ffff),
        board: Color::hex(0xfb_fbf8),
        grid: Color::hex(0xdd_ddd6),
        wall: Color::hex(0x22_2222),
        closed: Color::hex(0x8a_8a8a),
        ink: Color::hex(0x1c_1c1c),
        faint: Color::hex(0x75_7575),
        robots: Color::hexes([
            0xd5_5e00, 0x00_9e73, 0x00_72b2, 0xf0_e442, 0xbb_bbbb, 0xe6_9f00, 0xcc_79a7, 0x56_b4e9,
        ]),
        dark_letters_from: 52,
        shades: Color::hexes([0xff_f6d0, 0x9c_c9e0, 0x74_a3cc]),
        dashes: true,
        outlined_targets: false,
    };

    /// The theme with this name, in upper or lower case.
    pub fn from_name(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "light" => Some(Self::LIGHT),
            "dark" => Some(Self::DARK),
            "print" => Some(Self::PRINT),
            "color-blind" => Some(Self::COLOR_BLIND),
            _ => None,
        }
    }

    /// The colour of a robot.
    pub fn robot(&self, robot: Robot) -> Color {
        self.robots[robot.index()]
    }

    /// The colour of a letter on a background.
    pub fn letter_on(&self, ground: Color) -> Color {
        if ground.lightness() * 100.0 >= f32::from(self.dark_letters_from) {
            Color::hex(0x1a_1a1a)
        } else {
            Color::WHITE
        }
    }

    /// A robot's colour for text or thin lines on the board: darker or lighter if it would be hard to
    /// see.
    pub fn robot_line(&self, robot: Robot) -> Color {
        let color = self.robot(robot);
        let contrast = (color.lightness() - self.board.lightness()).abs();
        if contrast < 0.4 {
            color.mix(self.wall, (0.4 - contrast).min(0.35) + 0.1)
        } else {
            color
        }
    }

    /// The shade of a value at `share` (0 to 1) of an overlay's range.
    pub(crate) fn shade(&self, share: f32) -> Color {
        let [least, middle, greatest] = self.shades;
        if share < 0.5 {
            least.mix(middle, share * 2.0)
        } else {
            middle.mix(greatest, share * 2.0 - 1.0)
        }
    }

    /// The lengths of dashes and gaps of a robot's lines, in widths of the line.
    pub(crate) fn dash(&self, robot: Robot) -> &'static [f32] {
        const DASHES: [&[f32]; 8] = [
            &[],
            &[4.0, 2.5],
            &[1.2, 2.2],
            &[7.0, 2.5, 1.0, 2.5],
            &[9.0, 3.0],
            &[2.5, 2.5],
            &[6.0, 2.5, 1.0, 2.5, 1.0, 2.5],
            &[0.1, 2.0],
        ];
        if self.dashes {
            DASHES[robot.index()]
        } else {
            &[]
        }
    }
}

impl Default for Theme {
    fn default() -> Self {
        Self::LIGHT
    }
}
