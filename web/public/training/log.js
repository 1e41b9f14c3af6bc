// What was trained: a log of attempts. Rating, due mistakes and progress follow from it, so two devices
// are merged by merging their logs.

/** @import {Theme} from '../../types/api.d.ts' */
/** @import {Rating} from './glicko2.js' */
/** @import {RatedPuzzle} from './puzzle-set.js' */
import { afterGames, afterPause, newRating } from './glicko2.js';

/** @typedef {'solved' | 'longer' | 'helped' | 'gave-up' | 'skipped'} Outcome */

/** Where an attempt was made: only those in training count for the rating. @typedef {'training' | 'streak' | 'again'} Source */

/**
 * An attempt, with the puzzle as it was rated then.
 * @typedef {RatedPuzzle & {at: number, source: Source, outcome: Outcome, moves: number | null, ms: number, hints: number}} Entry
 */

/** A saved puzzle. @typedef {RatedPuzzle & {at: number}} SavedPuzzle */

/**
 * @typedef {object} Training
 * @property {Rating & {until: number}} base the rating before the first entry of the log, and the time of the last attempt in it
 * @property {Entry[]} log the oldest first
 * @property {SavedPuzzle[]} saved the newest first
 * @property {number} bestStreak
 */

export const OUTCOMES = /** @type {const} */ (['solved', 'longer', 'helped', 'gave-up', 'skipped']);
export const SOURCES = /** @type {const} */ (['training', 'streak', 'again']);

/** How much is kept; what is older only counts for the rating. */
export const MOST_ENTRIES = 5000;
export const MOST_SAVED = 500;

/** After a failure, a puzzle comes back after one day, and after each success later. */
export const GAPS = [1, 3, 7, 21];

const DAY = 86_400_000;

/** Nothing trained yet. @param {number} [rating] @returns {Training} */
export const newTraining = (rating) => ({ base: { ...newRating(rating), until: 0 }, log: [], saved: [], bestStreak: 0 });

/** @param {Entry} a @param {Entry} b */
const byTime = (a, b) => a.at - b.at || (a.line < b.line ? -1 : a.line > b.line ? 1 : 0);

/** @param {Training} training @param {Entry} entry @returns {Training} */
export const withEntry = (training, entry) => trimmed({ ...training, log: [...training.log, entry].sort(byTime) });

/** Drops the oldest entries that are too many; the rating still counts them. @param {Training} training @returns {Training} */
function trimmed(training) {
  const extra = training.log.length - MOST_ENTRIES;
  const saved = training.saved.slice(0, MOST_SAVED);
  if (extra <= 0) return { ...training, saved };
  const { rating, until } = ratingHistory({ ...training, log: training.log.slice(0, extra) });
  return { ...training, saved, base: { ...rating, until }, log: training.log.slice(extra) };
}

/** Whether an attempt succeeded: a shortest solution the first time, without help. @param {Pick<Entry, 'outcome'>} entry */
export const isSuccess = ({ outcome }) => outcome === 'solved';

/** How an attempt changed the rating. @typedef {{before: Rating, after: Rating}} Change */

/**
 * The rating after all attempts that count: the first attempt at each puzzle, if it was made in training.
 * Each is a period of its own, and each day in between a period without games.
 * @param {Training} training @returns {History}
 */
export function ratingHistory(training) {
  const known = histories.get(training) ?? computeHistory(training);
  histories.set(training, known);
  return known;
}

/** A log never changes: each new entry makes another one. @type {WeakMap<Training, History>} */
const histories = new WeakMap();

/** @typedef {{rating: Rating, until: number, changes: Map<Entry, Change>}} History */

/** @param {Training} training @returns {History} */
function computeHistory({ base, log }) {
  const { until: baseUntil, ...start } = base;
  /** @type {Map<Entry, Change>} */
  const changes = new Map();
  /** @type {Set<string>} */
  const known = new Set();
  let rating = /** @type {Rating} */ (start);
  let until = baseUntil;
  for (const entry of log) {
    const counts = entry.source === 'training' && !known.has(entry.line) && entry.rating !== null && entry.at > baseUntil;
    known.add(entry.line);
    if (!counts) continue;
    const before = afterPause(rating, daysBetween(until, entry.at));
    rating = afterGames(before, [{ rating: entry.rating ?? 0, deviation: entry.deviation ?? 0, score: isSuccess(entry) ? 1 : 0 }]);
    until = entry.at;
    changes.set(entry, { before, after: rating });
  }
  return { rating, until, changes };
}

/** Whole days between two times; none before the first attempt. @param {number} from @param {number} to */
const daysBetween = (from, to) => (from === 0 ? 0 : Math.max(0, Math.floor((to - from) / DAY)));

/** The rating now. @param {Training} training @param {number} now @returns {Rating} */
export function ratingNow(training, now) {
  const { rating, until } = ratingHistory(training);
  return afterPause(rating, daysBetween(until, now));
}

/** When each puzzle was last tried, by line. @param {Training} training @returns {Map<string, number>} */
export const lastTried = ({ log }) => new Map(log.map(({ line, at }) => [line, at]));

/** A mistake that comes back: at the beginning of which day, and after how many successes. @typedef {{puzzle: RatedPuzzle, due: number, step: number}} Mistake */

/** The beginning of a day of the player's calendar. @param {number} at @param {number} days later */
function dayAfter(at, days) {
  const day = new Date(at);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + days).getTime();
}

/** The mistakes that were not yet made up for, the first due first. @param {Training} training @returns {Mistake[]} */
export function mistakes({ log }) {
  /** @type {Map<string, Mistake>} */
  const open = new Map();
  for (const entry of log) {
    const { line, at } = entry;
    const mistake = open.get(line);
    if (!isSuccess(entry)) open.set(line, { puzzle: entry, step: 0, due: dayAfter(at, GAPS[0]) });
    else if (mistake && at >= mistake.due) {
      const step = mistake.step + 1;
      if (step === GAPS.length) open.delete(line);
      else open.set(line, { puzzle: entry, step, due: dayAfter(at, GAPS[step]) });
    }
  }
  return [...open.values()].sort((a, b) => a.due - b.due);
}

/** Those that are due. @param {Training} training @param {number} now */
export const dueMistakes = (training, now) => mistakes(training).filter(({ due }) => due <= now);

/** How first attempts at puzzles with a theme went. @typedef {{theme: Theme, tried: number, solved: number, rating: Rating}} ThemeProgress */

/**
 * Per theme: first attempts, solved ones, and the rating that they alone would give.
 * @param {Training} training @returns {Map<Theme, ThemeProgress>}
 */
export function themeProgress(training) {
  /** @type {Map<Theme, ThemeProgress>} */
  const themes = new Map();
  for (const entry of ratingHistory(training).changes.keys()) {
    const { rating: puzzle, deviation } = entry;
    for (const theme of entry.themes) {
      const before = themes.get(theme) ?? { theme, tried: 0, solved: 0, rating: newRating() };
      const score = isSuccess(entry) ? 1 : 0;
      const rating = afterGames(before.rating, [{ rating: puzzle ?? 0, deviation: deviation ?? 0, score }]);
      themes.set(theme, { theme, tried: before.tried + 1, solved: before.solved + score, rating });
    }
  }
  return themes;
}

/**
 * Which entries to show. @typedef {object} EntryFilter
 * @property {'all' | 'solved' | 'failed'} result
 * @property {Theme | ''} theme
 * @property {readonly [number, number]} range lowest rating, and the one above the highest
 * @property {number} since a time
 */

/** The entries that pass a filter, the newest first. @param {Training} training @param {EntryFilter} filter */
export const filtered = ({ log }, { result, theme, range: [least, most], since }) =>
  log.filter((entry) =>
    (result === 'all' || isSuccess(entry) === (result === 'solved')) &&
    (theme === '' || entry.themes.includes(theme)) &&
    (entry.rating === null ? least === -Infinity : entry.rating >= least && entry.rating < most) &&
    entry.at >= since).reverse();

/** What two devices have trained: every attempt and saved puzzle of both, once. @param {Training} mine @param {Training} theirs @returns {Training} */
export function merged(mine, theirs) {
  const keyOf = (/** @type {Entry} */ { at, line }) => `${at} ${line}`;
  const log = new Map([...theirs.log, ...mine.log].map((entry) => [keyOf(entry), entry]));
  const saved = new Map([...theirs.saved, ...mine.saved].sort((a, b) => b.at - a.at).reverse().map((puzzle) => [puzzle.line, puzzle]));
  return trimmed({
    base: laterBase(mine, theirs),
    log: [...log.values()].sort(byTime),
    saved: [...saved.values()].sort((a, b) => b.at - a.at),
    bestStreak: Math.max(mine.bestStreak, theirs.bestStreak),
  });
}

/** The base that counts more attempts; of two without any, the one of whoever began first. @param {Training} a @param {Training} b */
function laterBase(a, b) {
  if (a.base.until !== b.base.until) return a.base.until > b.base.until ? a.base : b.base;
  const began = (/** @type {Training} */ { log }) => log.at(0)?.at ?? Infinity;
  return began(b) < began(a) ? b.base : a.base;
}
