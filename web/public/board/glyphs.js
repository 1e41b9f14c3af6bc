// Letters and digits as lines of one width with round ends, as in the pictures of `ricochet draw`.
// A glyph is its width and a path in tenths of the height of a capital.

import { s } from './svg.js';

/** @type {Record<string, [number, string]>} */
const GLYPHS = {
  0: [6, 'M3 0C4.66 0 6 1.43 6 3.2L6 6.8C6 8.57 4.66 10 3 10C1.34 10 0 8.57 0 6.8L0 3.2C0 1.43 1.34 0 3 0'],
  1: [6, 'M1.2 2.2L3.6 0L3.6 10'],
  2: [6, 'M0.3 2.6C0.3 1.16 1.51 0 3 0C4.55 0 5.8 1.21 5.8 2.7C5.8 4.9 2.6 6.6 0.2 10L6 10'],
  3: [6, 'M0.4 0L5.6 0L2.7 4C4.47 4 5.9 5.34 5.9 7C5.9 8.66 4.6 10 3 10C1.4 10 0.1 9.02 0.1 7.8'],
  4: [6, 'M4.5 10L4.5 0L0 7.2L6.2 7.2'],
  5: [6, 'M5.4 0L1 0L0.6 4.6C1.2 3.9 2 3.6 3 3.6C4.66 3.6 6 5.03 6 6.8C6 8.57 4.66 10 3 10C1.4 10 0.1 9.15 0.1 8.1'],
  6: [6, 'M4.6 0C2 2 0 4.4 0 6.9M0 6.9A3 3.1 0 1 1 6 6.9A3 3.1 0 1 1 0 6.9Z'],
  7: [6, 'M0 0L6 0L2.2 10'],
  8: [6, 'M0.5 2.4A2.5 2.4 0 1 1 5.5 2.4A2.5 2.4 0 1 1 0.5 2.4ZM0 7.4A3 2.6 0 1 1 6 7.4A3 2.6 0 1 1 0 7.4Z'],
  9: [6, 'M1.4 10C4 8 6 5.6 6 3.1M0 3.1A3 3.1 0 1 1 6 3.1A3 3.1 0 1 1 0 3.1Z'],
  R: [6, 'M0 10L0 0L3 0C4.49 0 5.7 1.21 5.7 2.7C5.7 4.19 4.49 5.4 3 5.4L0 5.4M3 5.4L6 10'],
  G: [6.4, 'M6.2 2.6C6.2 1.16 4.86 0 3.2 0C1.43 0 0 1.57 0 3.5L0 6.5C0 8.43 1.43 10 3.2 10C4.97 10 6.4 8.66 6.4 7L6.4 5.3L3.7 5.3'],
  B: [6, 'M0 10L0 0L3 0C4.33 0 5.4 1.07 5.4 2.4C5.4 3.67 4.33 4.7 3 4.7L0 4.7M3 4.7C4.66 4.7 6 5.89 6 7.35C6 8.81 4.75 10 3.2 10L0 10'],
  Y: [6.6, 'M0 0L3.3 5L6.6 0M3.3 5L3.3 10'],
  W: [9.4, 'M0 0L2.3 10L4.7 1.4L7.1 10L9.4 0'],
  O: [6.6, 'M3.3 0C5.12 0 6.6 1.61 6.6 3.6L6.6 6.4C6.6 8.39 5.12 10 3.3 10C1.48 10 0 8.39 0 6.4L0 3.6C0 1.61 1.48 0 3.3 0'],
  P: [5.8, 'M0 10L0 0L3 0C4.55 0 5.8 1.25 5.8 2.8C5.8 4.35 4.55 5.6 3 5.6L0 5.6'],
  C: [6.2, 'M6.2 2.6C6.2 1.16 4.86 0 3.2 0C1.43 0 0 1.57 0 3.5L0 6.5C0 8.43 1.43 10 3.2 10C4.86 10 6.2 8.84 6.2 7.4'],
  N: [6.4, 'M0 10L0 0L6.4 10L6.4 0'],
  E: [5.2, 'M5.2 0L0 0L0 10L5.2 10M0 4.8L4.4 4.8'],
  S: [6, 'M5.6 2.3C5.6 1.03 4.39 0 2.9 0C1.46 0 0.3 1.12 0.3 2.5C0.3 4.2 1.6 4.6 3 5C4.5 5.4 6 6 6 7.4C6 8.84 4.66 10 3 10C1.34 10 0 8.97 0 7.7'],
  V: [6.6, 'M0 0L3.3 10L6.6 0'],
  '+': [5.4, 'M0 6L5.4 6M2.7 3.3L2.7 8.7'],
  '?': [4.8, 'M0 2.4C0 1.07 1.07 0 2.4 0C3.73 0 4.8 1.07 4.8 2.4C4.8 4.6 2.4 4.6 2.4 7M2.4 10L2.4 9.9'],
  '>': [5, 'M0 3L5 6L0 9'],
  '∞': [9, 'M4.5 6C3.5 4.4 2.9 4 2.1 4A2 2 0 1 0 2.1 8C2.9 8 3.5 7.6 4.5 6C5.5 4.4 6.1 4 6.9 4A2 2 0 1 1 6.9 8C6.1 8 5.5 7.6 4.5 6'],
  '/': [4.4, 'M0 10L4.4 0'],
  "'": [0.6, 'M0.3 0L0.3 3'],
  '-': [3.2, 'M0 6L3.2 6'],
};

/** Between two glyphs, and the width of the lines, in tenths of the height. */
const GAP = 1.5;
const WEIGHT = 1.75;

/**
 * A short text around a point; characters without a glyph are left out.
 * @param {string} text @param {number} x @param {number} y @param {number} height
 * @param {{weight?: number, class?: string}} [style]
 */
export function glyphs(text, x, y, height, style = {}) {
  const weight = style.weight ?? WEIGHT;
  const known = [...text].flatMap((character) => (GLYPHS[character] ? [GLYPHS[character]] : []));
  const gap = GAP + weight;
  const width = known.reduce((sum, [one]) => sum + one + gap, -gap);
  const unit = height / 10;
  const group = s('g', {
    class: `glyphs ${style.class ?? ''}`,
    transform: `translate(${x - (width * unit) / 2} ${y - height / 2}) scale(${unit})`,
    'stroke-width': weight,
  });
  let at = 0;
  for (const [one, path] of known) {
    group.append(s('path', { d: path, transform: `translate(${at} 0)` }));
    at += one + gap;
  }
  return group;
}
