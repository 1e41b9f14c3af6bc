// A number per cell, as shades and digits.

/** @import {Overlay, View} from '../../types/page.d.ts' */
import { glyphs } from './glyphs.js';
import { CELL, s } from './svg.js';

/** @param {View} view @param {Overlay} overlay */
export function overlayLayer(view, { values, labels }) {
  const layer = s('g', { class: 'overlay' });
  const numbers = values.filter((value) => value !== null);
  const least = Math.min(...numbers);
  const range = Math.max(...numbers) - least || 1;
  for (const [at, value] of values.entries()) {
    if (value === null) continue;
    const x = (at % view.width) * CELL;
    const y = Math.floor(at / view.width) * CELL;
    // The style sheet mixes the theme's shades: it has eleven steps.
    const step = Math.round(((value - least) / range) * 10);
    layer.append(s('rect', { x, y, width: CELL, height: CELL, class: `shade-${step}` }));
    const label = labels ? labels[at] : String(value);
    if (label) layer.append(glyphs(label, x + 50, y + 50, 24));
  }
  return layer;
}
