// Small pictures for buttons.

import { s } from '../board/svg.js';
import { button, fill, h } from './dom.js';

/** Drawn in 24 by 24. */
const PATHS = {
  undo: 'M9 7L4 12L9 17M4 12H15A5 5 0 0 1 15 22',
  redo: 'M15 7L20 12L15 17M20 12H9A5 5 0 0 0 9 22',
  reset: 'M4 5V10H9M4.6 10A8 8 0 1 1 4 14',
  hint: 'M9 18H15M10 21.5H14M8.6 14.5A6 6 0 1 1 15.4 14.5C14.6 15.2 14.6 16 14.6 16H9.4S9.4 15.2 8.6 14.5',
  solution: 'M5 21V4M5 4H18L15 8.5L18 13H5',
  first: 'M6 5V19M19 5L9 12L19 19Z',
  previous: 'M17 5L7 12L17 19Z',
  next: 'M7 5L17 12L7 19Z',
  last: 'M18 5V19M5 5L15 12L5 19Z',
  move: 'M12 3V21M3 12H21M12 3L9 6M12 3L15 6M12 21L9 18M12 21L15 18M3 12L6 9M3 12L6 15M21 12L18 9M21 12L18 15',
  pause: 'M8 5V19M16 5V19',
  new: 'M12 5V19M5 12H19',
  link: 'M10 14A4 4 0 0 0 15.7 14L19 10.7A4 4 0 0 0 13.3 5L12 6.3M14 10A4 4 0 0 0 8.3 10L5 13.3A4 4 0 0 0 10.7 19L12 17.7',
};

/** @param {keyof typeof PATHS} name */
export function icon(name) {
  return s('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, s('path', { d: PATHS[name] }));
}

/** A button with a picture and a text; on small screens only the picture is seen. @param {keyof typeof PATHS} name @param {string} text @param {() => void} run */
export function tool(name, text, run) {
  const made = button('', run, { class: 'tool', title: text });
  fill(made, [icon(name), h('span', {}, text)]);
  return made;
}
