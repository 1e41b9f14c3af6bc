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
  home: 'M4 11L12 4L20 11V20H4ZM10 20V14H14V20',
  play: 'M12 8V4.5M6 8H18A2 2 0 0 1 20 10V17A2 2 0 0 1 18 19H6A2 2 0 0 1 4 17V10A2 2 0 0 1 6 8M9 13V14M15 13V14',
  analyse: 'M4 20V12M10 20V4M16 20V9M21 20H3',
  edit: 'M4 20L5 15.5L16.5 4L20 7.5L8.5 19ZM14 6.5L17.5 10',
  watch: 'M2 12C5 7 8.5 5 12 5S19 7 22 12C19 17 15.5 19 12 19S5 17 2 12M12 15A3 3 0 1 0 12 9A3 3 0 0 0 12 15',
  read: 'M12 6C10 4.5 7 4 3 4V18C7 18 10 18.5 12 20C14 18.5 17 18 21 18V4C17 4 14 4.5 12 6ZM12 6V20',
  learn: 'M2 9L12 5L22 9L12 13ZM6 11V16.5C8 19 16 19 18 16.5V11M22 9V15',
  room: 'M8.5 11A3.5 3.5 0 1 0 8.5 4A3.5 3.5 0 0 0 8.5 11M2.5 20A6 6 0 0 1 14.5 20M15.5 4.3A3.5 3.5 0 0 1 15.5 10.7M17.5 14.5A6 6 0 0 1 21.5 20',
  share: 'M12 15V3M12 3L8 7M12 3L16 7M5 12V20H19V12',
  picture: 'M4 5H20V19H4ZM4 16L9 11L13 15L15.5 12.5L20 17M15.5 9V9.1',
  clock: 'M12 21A9 9 0 1 0 12 3A9 9 0 0 0 12 21M12 7V12L15 14',
  target: 'M12 21A9 9 0 1 0 12 3A9 9 0 0 0 12 21M12 16A4 4 0 1 0 12 8A4 4 0 0 0 12 16',
  bolt: 'M13 3L5 14H11L10 21L19 10H13Z',
  dice: 'M5 4H19V20H5ZM9 8.5V8.6M15 15.5V15.6M12 12V12.1',
  flag: 'M5 21V4M5 4H18L15 8.5L18 13H5',
  calendar: 'M4 6H20V20H4ZM4 10H20M8 3V6M16 3V6',
  bookmark: 'M7 4H17V20L12 16L7 20Z',
  close: 'M6 6L18 18M18 6L6 18',
  link: 'M10 14A4 4 0 0 0 15.7 14L19 10.7A4 4 0 0 0 13.3 5L12 6.3M14 10A4 4 0 0 0 8.3 10L5 13.3A4 4 0 0 0 10.7 19L12 17.7',
};

/** @param {keyof typeof PATHS} name */
export function icon(name) {
  return s('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, s('path', { d: PATHS[name] }));
}

/** @typedef {keyof typeof PATHS} IconName */

/** A button with a picture and its name; on phones the name is below the picture. @param {keyof typeof PATHS} name @param {string} text @param {() => void} run */
export function tool(name, text, run) {
  const made = button('', run, { class: 'tool', title: text });
  fill(made, [icon(name), h('span', {}, text)]);
  return made;
}
