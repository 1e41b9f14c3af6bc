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
        background: Color::hex(0x00ff_ffff),
        board: Color::hex(0x00fa_f7f0),
        grid: Color::hex(0x00e3_dccd),
        wall: Color::hex(0x003a_3632),
        closed: Color::hex(0x008c_857a),
        ink: Color::hex(0x002b_2825),
        faint: Color::hex(0x008a_8378),
        robots: [
            Color::hex(0x00d6_2f2f),
            Color::hex(0x002b_9648),
            Color::hex(0x002a_6fd6),
            Color::hex(0x00f2_bd1d),
            Color::hex(0x008f_98a3),
            Color::hex(0x00e8_7a1a),
            Color::hex(0x008c_4fc4),
            Color::hex(0x0014_a3ad),
        ],
        dark_letters_from: 60,
        shades: [
            Color::hex(0x00ff_f4cc),
            Color::hex(0x008c_cdbb),
            Color::hex(0x006f_9bc8),
        ],
        dashes: false,
        outlined_targets: false,
    };

    /// Light walls on a dark board.
    pub const DARK: Self = Self {
        background: Color::hex(0x0014_171c),
        board: Color::hex(0x001e_232b),
        grid: Color::hex(0x002f_3641),
        wall: Color::hex(0x00d5_dae1),
        closed: Color::hex(0x0055_5f6e),
        ink: Color::hex(0x00e6_e9ee),
        faint: Color::hex(0x008a_95a5),
        robots: [
            Color::hex(0x00f2_5c54),
            Color::hex(0x004c_c26b),
            Color::hex(0x004d_9bff),
            Color::hex(0x00ff_d14a),
            Color::hex(0x00b8_c1cc),
            Color::hex(0x00ff_9a3d),
            Color::hex(0x00b5_82ee),
            Color::hex(0x003d_cfd6),
        ],
        dark_letters_from: 45,
        shades: [
            Color::hex(0x00e3_b341),
            Color::hex(0x003b_827f),
            Color::hex(0x0026_3a5e),
        ],
        dashes: false,
        outlined_targets: false,
    };

    /// Black, white and greys, for paper. Lines are dashed differently for each robot; robots are
    /// filled and have a black rim, targets are outlines.
    pub const PRINT: Self = Self {
        background: Color::hex(0x00ff_ffff),
        board: Color::hex(0x00ff_ffff),
        grid: Color::hex(0x00d8_d8d8),
        wall: Color::hex(0x0000_0000),
        closed: Color::hex(0x00a8_a8a8),
        ink: Color::hex(0x0000_0000),
        faint: Color::hex(0x0060_6060),
        // Eight greys at equal steps; the four robots of every game are two steps apart.
        robots: [
            Color::hex(0x001c_1c1c),
            Color::hex(0x0098_9898),
            Color::hex(0x005a_5a5a),
            Color::hex(0x00d6_d6d6),
            Color::hex(0x00f4_f4f4),
            Color::hex(0x00b7_b7b7),
            Color::hex(0x003b_3b3b),
            Color::hex(0x0079_7979),
        ],
        dark_letters_from: 55,
        shades: [
            Color::hex(0x00e8_e8e8),
            Color::hex(0x00c8_c8c8),
            Color::hex(0x00a0_a0a0),
        ],
        dashes: true,
        outlined_targets: true,
    };

    /// The colours of M. Okabe and K. Ito, which people with any kind of colour vision can
    /// distinguish, and differently dashed lines.
    pub const COLOR_BLIND: Self = Self {
        background: Color::hex(0x00ff_ffff),
        board: Color::hex(0x00fb_fbf8),
        grid: Color::hex(0x00dd_ddd6),
        wall: Color::hex(0x0022_2222),
        closed: Color::hex(0x008a_8a8a),
        ink: Color::hex(0x001c_1c1c),
        faint: Color::hex(0x0075_7575),
        robots: [
            Color::hex(0x00d5_5e00),
            Color::hex(0x0000_9e73),
            Color::hex(0x0000_72b2),
            Color::hex(0x00f0_e442),
            Color::hex(0x00bb_bbbb),
            Color::hex(0x00e6_9f00),
            Color::hex(0x00cc_79a7),
            Color::hex(0x0056_b4e9),
        ],
        dark_letters_from: 52,
        shades: [
            Color::hex(0x00ff_f6d0),
            Color::hex(0x009c_c9e0),
            Color::hex(0x0074_a3cc),
        ],
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
            Color::hex(0x001a_1a1a)
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
