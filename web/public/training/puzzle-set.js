// The puzzles that come with the page: official positions with their ratings and themes.

/** @import {Engine, View} from '../../types/page.d.ts' */
/** @import {Theme} from '../../types/api.d.ts' */

/**
 * A puzzle and what is known about it; all of it may be unknown (null) but its line.
 * @typedef {object} RatedPuzzle
 * @property {string} line one-line notation, without the optimum and a name
 * @property {number | null} rating
 * @property {number | null} deviation
 * @property {number | null} length moves of a shortest solution
 * @property {Theme[]} themes what happens in all shortest solutions
 */

/** The themes of `ricochet_solve::difficulty`, in its order. @type {readonly Theme[]} */
export const THEMES = [
  'solo', 'wall-at-target', 'robot-at-target', 'standing-blocker', 'placed-blocker', 'helper-stops-helper', 'goal-robot-blocks',
  'clear-the-way', 'there-and-back', 'round-trip', 'wall-twice', 'two-helpers', 'three-helpers', 'blocker-twice', 'chain',
  'over-the-target', 'away-from-target', 'quiet-start', 'diagonal',
];

/** The same position always has the same line: without the optimum and a name. @param {string} line */
export const plainLine = (line) => line.replace(/\.(?:o\d+|n[^.]*)(?=\.|$)/g, '');

/**
 * The puzzles of a file of `ricochet lab puzzle-set`: one per line with its id, position, rating, deviation,
 * length and themes. A line at the top says which letter stands for which theme.
 * @param {string} text @returns {RatedPuzzle[]}
 */
export function parsePuzzles(text) {
  const rows = text.split('\n');
  const names = rows.find((row) => row.startsWith('# themes '))?.split(' ').slice(2) ?? [];
  const letters = new Map(names.flatMap((name) => {
    const theme = THEMES.find((one) => one === name.slice(2));
    return theme ? [/** @type {const} */ ([name[0], theme])] : [];
  }));
  return rows.filter((row) => row && !row.startsWith('#')).map((row) => {
    const [, line, rating, deviation, length, themes] = row.split(' ');
    return { line, rating: Number(rating), deviation: Number(deviation), length: Number(length), themes: [...themes].flatMap((letter) => letters.get(letter) ?? []) };
  });
}

/** All puzzles, by line. @typedef {Map<string, RatedPuzzle>} PuzzleSet */

/** @type {Promise<PuzzleSet> | null} */
let loaded = null;

/** The puzzles, fetched once. @returns {Promise<PuzzleSet>} */
export function loadPuzzles() {
  loaded ??= fetchPuzzles().catch((error) => {
    // Another attempt may succeed.
    loaded = null;
    throw error;
  });
  return loaded;
}

async function fetchPuzzles() {
  const response = await fetch(new URL('../training/puzzles.txt', import.meta.url));
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  return new Map(parsePuzzles(await response.text()).map((puzzle) => [puzzle.line, puzzle]));
}

/** What the engine says about a puzzle that is not one of these.
 * @param {Engine} engine @param {View} view @param {AbortSignal} signal @returns {Promise<RatedPuzzle>} */
export async function ratePuzzle(engine, view, signal) {
  const { rating = null, deviation = null, length = null, themes } = await engine.ask('rate', { puzzle: view.line ?? '' }, { signal });
  return { line: plainLine(view.line ?? ''), rating, deviation, length, themes: themes ?? [] };
}

/**
 * The next puzzle: one of those near a rating that were not tried yet, chosen at random; if all were
 * tried, one of those that were tried longest ago.
 * @param {Iterable<RatedPuzzle>} puzzles
 * @param {object} wanted
 * @param {number | null} [wanted.near] null for any rating of the range
 * @param {Theme | null} [wanted.theme]
 * @param {readonly [number, number]} [wanted.range] lowest and highest rating
 * @param {ReadonlyMap<string, number>} tried when each line was last tried
 * @param {() => number} [random] from 0 up to 1
 * @returns {RatedPuzzle | null}
 */
export function choosePuzzle(puzzles, { near = null, theme = null, range: [least, most] = [-Infinity, Infinity] }, tried, random = Math.random) {
  const fitting = [...puzzles].filter(({ rating, themes }) => rating !== null && rating >= least && rating <= most && (theme === null || themes.includes(theme)));
  let open = fitting.filter(({ line }) => !tried.has(line));
  if (!open.length) {
    const times = fitting.map(({ line }) => tried.get(line) ?? 0).sort((a, b) => a - b);
    const until = times[Math.floor(times.length / 4)];
    open = fitting.filter(({ line }) => (tried.get(line) ?? 0) <= until);
  }
  if (near !== null) {
    const distance = (/** @type {RatedPuzzle} */ { rating }) => Math.abs((rating ?? 0) - near);
    open = open.sort((a, b) => distance(a) - distance(b)).slice(0, NEAREST);
  }
  return open[Math.floor(random() * open.length)] ?? null;
}

/** Among how many of the nearest puzzles one is chosen. */
const NEAREST = 20;
