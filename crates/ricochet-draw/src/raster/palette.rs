//! A palette of at most 255 colours: the flat colours of the theme exactly, the blended colours of
//! edges by median cut.

use std::collections::HashMap;

/// Red, green, blue.
pub(crate) type Rgb = [u8; 3];

/// The most colours of a palette; one index is left for 'transparent'.
pub(crate) const MAX_COLORS: usize = 255;

/// Colours, and the index of the one that replaces each colour of the pixels.
pub(crate) struct Palette {
    pub(crate) colors: Vec<Rgb>,
    index: HashMap<Rgb, u8>,
}

impl Palette {
    /// A palette for pixels with these counts of colours.
    pub(crate) fn new(counts: &HashMap<Rgb, u64>) -> Self {
        let mut sorted: Vec<(Rgb, u64)> = counts.iter().map(|(&rgb, &n)| (rgb, n)).collect();
        // Most frequent first; ties are broken by colour, so that the order does not depend on hashes.
        sorted.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        let exact = if sorted.len() <= MAX_COLORS {
            sorted.len()
        } else {
            MAX_COLORS / 2
        };
        let mut colors: Vec<Rgb> = sorted[..exact].iter().map(|&(rgb, _)| rgb).collect();
        let blends = median_cut(sorted.split_off(exact), MAX_COLORS - exact);
        colors.extend(blends);
        let index = counts
            .keys()
            .map(|&rgb| (rgb, nearest(&colors, rgb)))
            .collect();
        Self { colors, index }
    }

    /// The index of the colour that replaces `rgb`.
    pub(crate) fn index(&self, rgb: Rgb) -> u8 {
        let known = self.index.get(&rgb).copied();
        known.unwrap_or_else(|| nearest(&self.colors, rgb))
    }
}

fn nearest(colors: &[Rgb], rgb: Rgb) -> u8 {
    let distance = |color: &Rgb| -> i32 {
        color
            .iter()
            .zip(rgb)
            .zip([3, 4, 2])
            .map(|((&a, b), weight)| weight * (i32::from(a) - i32::from(b)).pow(2))
            .sum()
    };
    let best = colors
        .iter()
        .enumerate()
        .min_by_key(|(_, color)| distance(color));
    best.map_or(0, |(at, _)| at as u8)
}

/// At most `most` means of boxes that hold about equally many pixels.
fn median_cut(colors: Vec<(Rgb, u64)>, most: usize) -> Vec<Rgb> {
    if colors.is_empty() || most == 0 {
        return Vec::new();
    }
    let mut boxes = vec![colors];
    while boxes.len() < most {
        // Split the box with the most pixels times extent.
        let weight = |colors: &[(Rgb, u64)]| {
            let pixels: u64 = colors.iter().map(|&(_, n)| n).sum();
            let extent = widest(colors).1;
            pixels.saturating_mul(u64::from(extent).pow(2))
        };
        let heaviest = (0..boxes.len()).max_by_key(|&i| (weight(&boxes[i]), boxes.len() - i));
        let Some(i) = heaviest.filter(|&i| boxes[i].len() > 1 && widest(&boxes[i]).1 > 0) else {
            break;
        };
        let mut whole = boxes.swap_remove(i);
        let (channel, _) = widest(&whole);
        whole.sort_unstable_by_key(|&(rgb, _)| (rgb[channel], rgb));
        let half = whole.iter().map(|&(_, n)| n).sum::<u64>() / 2;
        let mut seen = 0;
        let middle = whole.iter().position(|&(_, n)| {
            seen += n;
            seen > half
        });
        let at = middle.unwrap_or(0).clamp(1, whole.len() - 1);
        let upper = whole.split_off(at);
        boxes.extend([whole, upper]);
    }
    boxes.iter().map(|colors| mean(colors)).collect()
}

/// The channel in which the colours differ most, and by how much.
fn widest(colors: &[(Rgb, u64)]) -> (usize, u8) {
    let extent = |channel: usize| {
        let values = || colors.iter().map(|(rgb, _)| rgb[channel]);
        values().max().unwrap_or(0) - values().min().unwrap_or(0)
    };
    let best = (0..3).max_by_key(|&channel| extent(channel)).unwrap_or(0);
    (best, extent(best))
}

fn mean(colors: &[(Rgb, u64)]) -> Rgb {
    let pixels: u64 = colors.iter().map(|&(_, n)| n).sum::<u64>().max(1);
    [0, 1, 2].map(|channel| {
        let sum: u64 = colors
            .iter()
            .map(|&(rgb, n)| u64::from(rgb[channel]) * n)
            .sum();
        ((sum + pixels / 2) / pixels) as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_stay_exact() {
        let counts = (0..200u8)
            .map(|i| ([i, 255 - i, i / 2], u64::from(i) + 1))
            .collect();
        let palette = Palette::new(&counts);
        assert_eq!(palette.colors.len(), 200);
        for rgb in counts.keys() {
            assert_eq!(&palette.colors[usize::from(palette.index(*rgb))], rgb);
        }
    }

    #[test]
    fn of_many_colours_the_frequent_stay_exact_and_all_stay_near() {
        let mut counts = HashMap::new();
        for r in 0..32u8 {
            for g in 0..32u8 {
                counts.insert([r * 8, g * 8, r * 4 + g * 4], 1);
            }
        }
        counts.insert([250, 247, 240], 1_000_000);
        let palette = Palette::new(&counts);
        assert!(palette.colors.len() <= MAX_COLORS);
        let chosen = |rgb: Rgb| palette.colors[usize::from(palette.index(rgb))];
        assert_eq!(chosen([250, 247, 240]), [250, 247, 240]);
        for &rgb in counts.keys() {
            let far = rgb
                .iter()
                .zip(chosen(rgb))
                .map(|(&a, b)| a.abs_diff(b))
                .max();
            assert!(far <= Some(32), "{rgb:?} became {:?}", chosen(rgb));
        }
    }
}
