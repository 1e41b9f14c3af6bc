//! Overlays: shaded cells, their numbers, and the legend.

use ricochet_core::{Cell, Lean, Puzzle};

use crate::color::Color;
use crate::letters::glyphs::{Anchor, Font};
use crate::overlay::Overlay;
use crate::scene::board::BoardScene;
use crate::scene::{Point, Scene, at};

/// With more distinct values than this, the legend shows only some of them.
const LEGEND_VALUES: usize = 12;

impl BoardScene<'_> {
    fn shade(&self, overlay: &Overlay, value: u32) -> Color {
        let (least, greatest) = overlay.range().unwrap_or_default();
        let share = if greatest > least {
            (value - least) as f32 / (greatest - least) as f32
        } else {
            0.5
        };
        self.theme.shade(share)
    }

    pub(crate) fn shading(&self, scene: &mut Scene, overlay: &Overlay) {
        for cell in self.board.cells() {
            if let Some(value) = overlay.value(self.board, cell)
                && !self.board.is_closed(cell)
            {
                let corner = self.geometry.corner(f32::from(cell.x), f32::from(cell.y));
                let side = self.geometry.cell;
                scene.rect(corner.x, corner.y, side, side, self.shade(overlay, value));
            }
        }
    }

    /// The numbers of the empty cells; small and in a corner if a solution's paths need the middle.
    pub(crate) fn shading_numbers(
        &self,
        scene: &mut Scene,
        overlay: &Overlay,
        puzzle: &Puzzle,
        in_corners: bool,
    ) {
        let taken =
            |cell: Cell| cell == puzzle.goal().cell || puzzle.start().cells().contains(&cell);
        for cell in self.board.cells() {
            if let Some(value) = overlay.value(self.board, cell)
                && !self.board.is_closed(cell)
                && !taken(cell)
            {
                let text = value.to_string();
                // One ink for most shades, so that it does not change in the middle of a ramp.
                let ink = if self.shade(overlay, value).lightness() > 0.48 {
                    Color::hex(0x001a_1a1a)
                } else {
                    Color::WHITE
                };
                let mut font = Font::regular(self.geometry.cells(0.32), ink);
                font.height *= (self.geometry.cells(0.8) / font.width(&text)).min(1.0);
                let aside = self.geometry.cells(0.3);
                let corner = match self.board.diagonal(cell).map(|diagonal| diagonal.lean) {
                    // The corner that is free of the diagonal and of its letter.
                    Some(Lean::Slash) => Some((aside, aside)),
                    Some(Lean::Backslash) => Some((-aside, aside)),
                    None => in_corners.then_some((-aside, -aside)),
                };
                let mut place = self.geometry.middle(cell);
                if let Some((x, y)) = corner {
                    font.height *= 0.7;
                    place = place.plus(x, y);
                }
                font.draw(scene, &text, place, Anchor::Middle);
            }
        }
    }

    /// The entries of the legend: a value and its text.
    fn legend_entries(overlay: &Overlay) -> Vec<(u32, String)> {
        let values = overlay.distinct();
        let name = |value: u32| {
            let name = overlay.names().iter().find(|(of, _)| *of == value);
            name.map_or_else(|| value.to_string(), |(_, name)| name.clone())
        };
        let step = values.len().div_ceil(LEGEND_VALUES).max(1);
        let last = values.last().copied();
        let mut shown: Vec<u32> = values.iter().copied().step_by(step).collect();
        if shown.last().copied() != last {
            shown.extend(last);
        }
        shown
            .into_iter()
            .map(|value| (value, name(value)))
            .collect()
    }

    /// Draws the legend from `top` downwards; returns its height.
    pub(crate) fn legend(&self, scene: &mut Scene, overlay: &Overlay, top: Point) -> f32 {
        let height = self.geometry.text_height();
        let font = Font::regular(height, self.theme.ink);
        let line = height * 2.0;
        let right = top.x + self.geometry.width;
        let mut place = at(top.x, top.y + height * 1.4);
        if !overlay.title().is_empty() {
            let title = font.fit(overlay.title(), self.geometry.width);
            Font::bold(height, self.theme.ink).draw(scene, &title, place, Anchor::Left);
            place.y += line;
        }
        for (value, text) in Self::legend_entries(overlay) {
            let text = font.fit(&text, self.geometry.width - height * 2.0);
            let width = height * 1.9 + font.width(&text);
            if place.x > top.x && place.x + width > right {
                place = at(top.x, place.y + line);
            }
            let swatch = at(place.x, place.y - height * 1.15);
            let side = height * 1.3;
            scene.round_rect(swatch.x, swatch.y, side, side, 2.0, self.theme.faint);
            let inner = (swatch.x + 1.0, swatch.y + 1.0);
            let shade = self.shade(overlay, value);
            scene.round_rect(inner.0, inner.1, side - 2.0, side - 2.0, 1.0, shade);
            let text_place = at(place.x + height * 1.8, place.y);
            font.draw(scene, &text, text_place, Anchor::Left);
            place.x += width + height * 1.2;
        }
        place.y + height - top.y
    }
}
