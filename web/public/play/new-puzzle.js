// New puzzles from the engine.

/** @import {AskOptions, Engine, RequestOf, View} from '../../types/page.d.ts' */
import { load, save } from '../ui/storage.js';

/**
 * What a player wishes for. @typedef {object} Wishes
 * @property {'any' | 'easy' | 'medium' | 'hard' | 'expert'} difficulty
 * @property {'1999' | '2003' | '2013' | 'layout' | 'random'} board
 * @property {string} layout four sides, for the board 'layout'
 * @property {number} size columns and rows, for the board 'random'
 * @property {number} robots
 */

/** @type {Wishes} */
const FIRST = { difficulty: 'easy', board: '1999', layout: '1A4B3B2B', size: 12, robots: 4 };

/** @returns {Wishes} */
export const loadWishes = () => ({ ...FIRST, ...load('wishes', {}) });

/** @param {Wishes} wishes */
export const saveWishes = (wishes) => save('wishes', wishes);

/**
 * A grade is the engine's measure of difficulty, the one of `ricochet rate`. It comes with the lengths
 * that most often have it, as a length is found in moments while rating takes some time: of official
 * positions of 7 to 9 moves nine in ten are hard, of those of 11 and 12 as many are for experts. On
 * other boards a grade has other lengths.
 * @type {Record<Exclude<Wishes['difficulty'], 'any'>, {official: [number, number], other: [number, number]}>}
 */
const LENGTHS = {
  easy: { official: [2, 5], other: [2, 8] },
  medium: { official: [4, 7], other: [4, 10] },
  hard: { official: [7, 9], other: [6, 14] },
  expert: { official: [11, 12], other: [9, 14] },
};

/** The engine's fields for wishes. @param {Wishes} wishes @returns {RequestOf<'generate'>} */
export function fieldsOf({ difficulty, board, layout, size, robots }) {
  /** @type {RequestOf<'generate'>} */
  const fields = { robots };
  if (difficulty !== 'any') Object.assign(fields, { difficulty, moves: LENGTHS[difficulty][board === 'random' ? 'other' : 'official'] });
  if (board === 'layout') fields.layout = layout;
  else if (board === 'random') Object.assign(fields, { size: [size, size], any_cell: true });
  else fields.edition = board;
  return fields;
}

/**
 * What to make ahead: the next puzzle as wished, and one for experts, which takes the longest to find.
 * @param {Wishes} wishes @returns {RequestOf<'generate'>[]}
 */
export function ahead(wishes) {
  const official = wishes.board !== 'random' && wishes.robots <= 5;
  return [fieldsOf(wishes), ...(official ? [fieldsOf({ ...wishes, difficulty: 'expert' })] : [])];
}

/** A search is asked to go on this often before it is given up. */
const MOST_ASKED = 8;

/**
 * A puzzle as wished, or null if none was found in time.
 * @param {Engine} engine @param {RequestOf<'generate'>} fields @param {AbortSignal} signal @param {AskOptions} [options]
 * @returns {Promise<View | null>}
 */
export async function makePuzzle(engine, fields, signal, options = {}) {
  // Seeds from here: all of them are exact in a number of JavaScript.
  const seed = Math.floor(Math.random() * 2 ** 48);
  let number = 0;
  for (let asked = 0; asked < MOST_ASKED; asked += 1) {
    const answer = await engine.ask('generate', { ...fields, seed, number, limits: { ms: 3000 } }, { ...options, signal });
    if (answer.puzzle) return answer.puzzle;
    // Where one candidate took all the time, the next one may be quicker.
    number = Math.max(answer.number, number + 1);
  }
  return null;
}

/** The line without what it says about the optimum: an address must not give that away.
 * @param {View} view @returns {string} */
export function openLine(view) {
  return (view.line ?? '').replace(/\.o\d+(?=\.|$)/, '');
}
