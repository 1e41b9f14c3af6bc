// A move as the page writes it everywhere: the robot's letter and an arrow on its colour.

/** @import {Move} from '../../types/page.d.ts' */
import { LETTERS } from '../board/rules.js';
import { capitalize, directionName, robotName } from '../speech/sentences.js';
import { h } from './dom.js';

/** @type {Record<string, string>} */
const ARROWS = { N: '↑', E: '→', S: '↓', W: '←' };

/** A move as people say it. @param {Move} move */
export function moveName(move) {
  const robot = LETTERS.indexOf(move[0]);
  return `${capitalize(robotName(robot))} ${directionName(/** @type {'N'} */ (move[1]))}`;
}

/** A move on the screen, read out in full. @param {Move} move */
export function moveChip(move) {
  return h(
    'span',
    { class: 'move-chip', 'data-robot': move[0] },
    h('span', { 'aria-hidden': 'true' }, `${move[0]}${ARROWS[move[1]] ?? move[1]}`),
    h('span', { class: 'unseen' }, moveName(move)),
  );
}

/** A line of moves. @param {Move[]} moves */
export const moveChips = (moves) => h('span', { class: 'move-chips' }, ...moves.flatMap((move, i) => [i ? ' ' : '', moveChip(move)]));
