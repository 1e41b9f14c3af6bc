// New puzzles from the engine.

/** @import {AskOptions, Engine, RequestOf, View} from '../../types/page.d.ts' */
import { load, save } from '../ui/storage.js';

/**
 * What a player chooses. @typedef {object} PuzzleFilter
 * @property {'any' | 'easy' | 'medium' | 'hard' | 'expert'} difficulty
 * @property {'1999' | '2003' | '2013' | 'layout' | 'random'} board
 * @property {string} layout four sides, for the board 'layout'
 * @property {number} size columns and rows, for the board 'random'
 * @property {number} robots
 */

/** @type {PuzzleFilter} */
const DEFAULTS = { difficulty: 'easy', board: '1999', layout: '1A4B3B2B', size: 12, robots: 4 };

/** @returns {PuzzleFilter} */
export const loadFilter = () => ({ ...DEFAULTS, ...load('wishes', {}) });

/** @param {PuzzleFilter} filter */
export const saveFilter = (filter) => save('wishes', filter);

/**
 * A grade is the engine's measure of difficulty, the one of `ricochet rate`. It comes with the lengths
 * that most often have it, as a length is found in moments while rating takes some time: of official
 * positions of 7 to 9 moves nine in ten are hard, of those of 11 and 12 as many are for experts. On
 * other boards a grade has other lengths.
 * @type {Record<Exclude<PuzzleFilter['difficulty'], 'any'>, {official: [number, number], other: [number, number]}>}
 */
const LENGTHS = {
  easy: { official: [2, 5], other: [2, 8] },
  medium: { official: [4, 7], other: [4, 10] },
  hard: { official: [7, 9], other: [6, 14] },
  expert: { official: [11, 12], other: [9, 14] },
};

/** The engine's request for a filter. @param {PuzzleFilter} filter @returns {RequestOf<'generate'>} */
export function requestFor({ difficulty, board, layout, size, robots }) {
  /** @type {RequestOf<'generate'>} */
  const fields = { robots };
  if (difficulty !== 'any') Object.assign(fields, { difficulty, moves: LENGTHS[difficulty][board === 'random' ? 'other' : 'official'] });
  if (board === 'layout') fields.layout = layout;
  else if (board === 'random') Object.assign(fields, { size: [size, size], any_cell: true });
  else fields.edition = board;
  return fields;
}

/**
 * What to make ahead: the next puzzle that passes the filter, and one for experts, which takes the longest to find.
 * @param {PuzzleFilter} filter @returns {RequestOf<'generate'>[]}
 */
export function requestsAhead(filter) {
  const official = filter.board !== 'random' && filter.robots <= 5;
  return [requestFor(filter), ...(official ? [requestFor({ ...filter, difficulty: 'expert' })] : [])];
}

/** A search is asked to go on this often before it is given up. */
const MOST_ASKED = 8;

/**
 * A puzzle as requested, or null if none was found in time.
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
    // If one candidate took all the time, the next one may be quicker.
    number = Math.max(answer.number, number + 1);
  }
  return null;
}

/** A list in random order. @template T @param {T[]} list */
export function shuffle(list) {
  const order = [...list];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1));
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}

/** The line without the optimum, which an address must not give away.
 * @param {View} view @returns {string} */
export function lineWithoutOptimum(view) {
  return (view.line ?? '').replace(/\.o\d+(?=\.|$)/, '');
}
