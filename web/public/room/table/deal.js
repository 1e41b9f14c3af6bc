// What a game around a table begins with: a board, robots, a stack of chips.

/** @import {App} from '../../app/app.js' */
/** @import {Cell, View} from '../../../types/page.d.ts' */
/** @import {Deal} from './referee.js' */
import { diagonalAt, isClosed, same } from '../../board/rules.js';
import { DICE } from './referee.js';

/** Chips of a board that only the people see. */
const CHIPS = 17;

/** Four printed sides by chance. @param {string} faces */
export function randomLayout(faces) {
  const tiles = DICE.shuffle(4).map((tile) => tile + 1);
  return tiles.map((tile) => `${tile}${faces[DICE.place(faces.length)]}`).join('');
}

/** @param {App} app @param {string} layout empty: no board @param {number} robots @param {AbortSignal} signal @returns {Promise<Deal>} */
export async function dealFor(app, layout, robots, signal) {
  if (!layout) return { layout: '', robots: [], board: null, stack: DICE.shuffle(CHIPS) };
  /** @type {View} */
  const view = await app.engine.compose({ layout }, { signal });
  const { width, height, walls, diagonals, targets } = view;
  return { layout, board: { width, height, walls, diagonals, targets }, robots: startingCells(view, robots), stack: DICE.shuffle(targets.length) };
}

/** Robots by chance: not in the closed centre, not on a target, not on a diagonal. @param {View} view @param {number} count */
function startingCells(view, count) {
  /** @type {Cell[]} */
  const free = [];
  for (let y = 0; y < view.height; y += 1) {
    for (let x = 0; x < view.width; x += 1) {
      /** @type {Cell} */
      const cell = [x, y];
      if (!isClosed(view, cell) && !diagonalAt(view, cell) && !view.targets.some((target) => same(target.cell, cell))) free.push(cell);
    }
  }
  return Array.from({ length: count }, () => free.splice(DICE.place(free.length), 1)[0]);
}
