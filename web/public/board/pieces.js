// Robots, ghosts, targets and diagonals: one element each, drawn around the middle of a cell.
// Colours come from the style sheet by `data-robot`.

/** @import {Cell, Diagonal, Shape, Target, View} from '../../types/page.d.ts' */
import { glyphs } from './glyphs.js';
import { COLORS, LETTERS, printedAtGoal } from './rules.js';
import { ANTENNA_TOP, CELL, ROBOT_RADIUS, WALL_WIDTH, middle, s } from './svg.js';

/** @param {number} robot */
export function robotPiece(robot) {
  const letter = LETTERS[robot];
  return s(
    'g',
    { class: 'robot', 'data-robot': letter },
    s('circle', { class: 'halo', r: ROBOT_RADIUS + 8 }),
    // The antenna tells a robot from a round target at a glance.
    s('path', { class: 'antenna', d: `M0-${ROBOT_RADIUS}V-${ANTENNA_TOP}` }),
    s('circle', { class: 'body', r: ROBOT_RADIUS }),
    glyphs(letter, 0, 0, 34),
  );
}

/** Where a robot started. @param {number} robot @param {Cell} cell */
export function ghostPiece(robot, cell) {
  const [x, y] = middle(cell);
  return s(
    'g',
    { class: 'ghost', 'data-robot': LETTERS[robot] },
    s('circle', { cx: x, cy: y, r: ROBOT_RADIUS }),
    glyphs(LETTERS[robot], x, y, 30),
  );
}

/** @param {Shape} shape */
function outline(shape) {
  switch (shape) {
    case 'triangle':
      return s('path', { d: 'M0-33L36 29L-36 29Z' });
    case 'square':
      return s('rect', { x: -27, y: -27, width: 54, height: 54, rx: 4 });
    case 'hexagon':
      return s('path', { d: 'M34 0L17 29.4L-17 29.4L-34 0L-17-29.4L17-29.4Z' });
    default:
      return s('circle', { r: 30 });
  }
}

/** Four curved blades, in the colours of the first four robots unless it has one of its own.
 * @param {string | null} robot @param {number} scale */
function vortex(robot, scale) {
  const blade = 'M0 0C-16-10-16-30 2-35C20-37 31-24 32-10C22-20 6-20 0 0Z';
  const blades = [0, 1, 2, 3].map((turn) =>
    s('path', { d: blade, 'data-robot': robot ?? LETTERS[turn], transform: `rotate(${turn * 90}) scale(${scale})` }),
  );
  return s('g', { class: 'vortex' }, ...blades);
}

/** @param {Shape} shape A triangle's middle is below the middle of its box. */
const drop = (shape) => (shape === 'triangle' ? 9 : 0);

/** A printed target. @param {Target} target */
export function targetPiece({ cell, robot, shape }) {
  const [x, y] = middle(cell);
  const group = s('g', { class: 'target', transform: `translate(${x} ${y})` });
  if (!robot || shape === 'vortex') group.append(vortex(robot ?? null, 0.9));
  else {
    group.setAttribute('data-robot', robot);
    group.append(outline(shape), glyphs(robot, 0, drop(shape), 20));
  }
  return group;
}

/** The goal: a tile in its robot's colour with its target on it in the colour of the board. @param {View} view */
export function goalPiece(view) {
  const { goal } = view;
  const [x, y] = middle(goal.cell);
  const group = s('g', { class: 'goal', transform: `translate(${x} ${y})` });
  const inset = WALL_WIDTH / 2 + 5;
  const side = CELL - 2 * inset;
  group.append(s('rect', { class: 'frame', x: -side / 2, y: -side / 2, width: side, height: side, rx: 12 }));
  const shape = printedAtGoal(view)?.shape;
  if (!goal.robot) {
    group.append(vortex(null, 1));
    return group;
  }
  group.setAttribute('data-robot', goal.robot);
  if (shape && shape !== 'vortex') group.append(s('g', { class: 'disc' }, outline(shape)), glyphs(goal.robot, 0, drop(shape), 24));
  else {
    group.append(s('circle', { class: 'ring', r: 30 }), s('circle', { class: 'disc', r: 22 }), glyphs(goal.robot, 0, 0, 23));
  }
  return group;
}

/** @param {Diagonal} diagonal */
export function diagonalPiece([x, y, lean, color]) {
  const letter = LETTERS[COLORS.indexOf(color)] ?? 'R';
  const [cx, cy] = middle([x, y]);
  const rise = lean === '/' ? -36 : 36;
  const line = { x1: -36, y1: -rise, x2: 36, y2: rise };
  return s(
    'g',
    { class: 'diagonal', 'data-robot': letter, transform: `translate(${cx} ${cy})` },
    s('line', { ...line, class: 'edge' }),
    s('line', line),
    glyphs(letter, lean === '/' ? -27 : 27, -25, 19),
  );
}
