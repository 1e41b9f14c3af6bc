// Keeping what was trained on this device, and taking it to another one as a file.

/** @import {Theme} from '../../types/api.d.ts' */
/** @import {DayRecord, Streak} from '../play/records.js' */
/** @import {Entry, SavedPuzzle, Training} from './log.js' */
/** @import {RatedPuzzle} from './puzzle-set.js' */
import { isDay, loadDays, loadStreak, saveDay, saveStreak } from '../play/records.js';
import { forget, load, save } from '../ui/storage.js';
import { MOST_ENTRIES, MOST_SAVED, OUTCOMES, SOURCES, merged, newTraining, withEntry } from './log.js';
import { THEMES } from './puzzle-set.js';

const STORE = 'training';
/** Versions of the file and of what is stored; a newer one is refused. */
const VERSION = 1;
const FORMAT = 'ricochet-training';
/** A full log has about 1.5 MB. */
export const MOST_BYTES = 5_000_000;

/** Read once, and again when another tab has written. @type {Training | null} */
let cached = null;
globalThis.addEventListener?.('storage', (event) => {
  if (event instanceof StorageEvent && event.key === `ricochet.${STORE}`) cached = null;
});

/** @returns {Training} */
export function loadTraining() {
  cached ??= readStored();
  return cached;
}

function readStored() {
  try {
    const value = load(STORE, /** @type {unknown} */ (null));
    return isObject(value) && value.version === VERSION ? readTraining(value) : newTraining();
  } catch {
    return newTraining();
  }
}

/** @param {Training} training @returns {boolean} whether it will last */
export function saveTraining(training) {
  cached = training;
  return save(STORE, { version: VERSION, ...training });
}

/** @param {Entry} entry @returns {boolean} whether it will last */
export const addEntry = (entry) => saveTraining(withEntry(loadTraining(), entry));

/** Forgets everything that was trained. */
export function forgetTraining() {
  cached = null;
  forget(STORE);
  forget('trained');
}

/** Saves a puzzle, or with what became known about it. @param {RatedPuzzle} puzzle */
export function savePuzzle({ line, rating, deviation, length, themes }) {
  const training = loadTraining();
  const at = training.saved.find((one) => one.line === line)?.at ?? Date.now();
  const others = training.saved.filter((one) => one.line !== line);
  return saveTraining({ ...training, saved: [{ line, rating, deviation, length, themes, at }, ...others].sort((a, b) => b.at - a.at).slice(0, MOST_SAVED) });
}

/** @param {string} line */
export function unsavePuzzle(line) {
  const training = loadTraining();
  return saveTraining({ ...training, saved: training.saved.filter((one) => one.line !== line) });
}

/** @param {string} line */
export const isSaved = (line) => loadTraining().saved.some((one) => one.line === line);

/** Why a file cannot be read: a text of `words/training.js`, with its values. */
export class FileError extends Error {
  /** @param {'fileLarge' | 'fileNotJson' | 'fileForeign' | 'fileNewer' | 'fileBroken'} reason @param {Record<string, string | number>} [values] */
  constructor(reason, values = {}) {
    super(`${reason} ${JSON.stringify(values)}`);
    this.reason = reason;
    this.values = values;
  }
}

/** Everything of this device's play as the text of a file. @param {Date} [now] */
export function exportText(now = new Date()) {
  const more = { days: loadDays(), streak: loadStreak(), storm: load('storm', 0) };
  return JSON.stringify({ format: FORMAT, version: VERSION, exported: now.toISOString(), ...loadTraining(), ...more });
}

/**
 * Merges a file into what this device has. Nothing changes if the file is wrong.
 * @param {string} text
 * @returns {{attempts: number, known: number, saved: number}} new attempts, those that were here already, newly saved puzzles
 */
export function importText(text) {
  const { training, days, streak, storm } = readFile(text);
  const mine = loadTraining();
  const keys = new Set(mine.log.map(({ at, line }) => `${at} ${line}`));
  const known = training.log.filter(({ at, line }) => keys.has(`${at} ${line}`)).length;
  const attempts = new Set(training.log.map(({ at, line }) => `${at} ${line}`)).size - known;
  const lines = new Set(mine.saved.map(({ line }) => line));
  const saved = training.saved.filter(({ line }) => !lines.has(line)).length;
  saveTraining(merged(mine, training));
  for (const [date, day] of Object.entries(days)) saveDay(date, day);
  const ours = loadStreak();
  const longest = Math.max(ours.longest, streak.longest);
  const later = streak.last > ours.last || (streak.last === ours.last && streak.days > ours.days) ? streak : ours;
  saveStreak({ ...later, longest });
  save('storm', Math.max(load('storm', 0), storm));
  return { attempts, known, saved };
}

/** @param {string} text */
function readFile(text) {
  if (text.length > MOST_BYTES) throw new FileError('fileLarge', { n: MOST_BYTES / 1_000_000 });
  /** @type {unknown} */
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new FileError('fileNotJson');
  }
  if (!isObject(value) || value.format !== FORMAT) throw new FileError('fileForeign');
  const { version } = value;
  if (typeof version === 'number' && version > VERSION) throw new FileError('fileNewer', { version });
  if (version !== VERSION) broken('version');
  const days = object(value.days ?? {}, 'days');
  return {
    training: readTraining(value, Date.now() + 2 * 86_400_000),
    days: /** @type {Record<string, DayRecord>} */ (Object.fromEntries(Object.entries(days).map(([date, day]) => [isDay(date) ? date : broken(`days.${date}`), readDay(day, `days.${date}`)]))),
    streak: readStreak(value.streak ?? { last: '', days: 0, longest: 0 }),
    storm: number(value.storm ?? 0, 'storm', 0, 10_000),
  };
}

/** @param {string} where @returns {never} */
function broken(where) {
  throw new FileError('fileBroken', { where });
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** @param {unknown} value @param {string} where */
const object = (value, where) => (isObject(value) ? value : broken(where));

/** @param {unknown} value @param {string} where @param {number} most */
const list = (value, where, most) => (Array.isArray(value) && value.length <= most ? value : broken(where));

/** @param {unknown} value @param {string} where @param {number} least @param {number} most */
const number = (value, where, least, most) => (typeof value === 'number' && value >= least && value <= most ? value : broken(where));

/** @template T @param {unknown} value @param {(value: unknown) => T} read */
const orNull = (value, read) => (value === null ? null : read(value));

/** @template {string} T @param {unknown} value @param {readonly T[]} known @param {string} where */
const oneOf = (value, known, where) => known.find((one) => one === value) ?? broken(where);

/** @param {Record<string, unknown>} value @param {number} [latest] a time @returns {Training} */
function readTraining(value, latest = Infinity) {
  const base = object(value.base, 'base');
  return {
    base: {
      rating: number(base.rating, 'base.rating', -10_000, 20_000),
      deviation: number(base.deviation, 'base.deviation', 1, 350),
      volatility: number(base.volatility, 'base.volatility', 0, 10),
      until: number(base.until, 'base.until', 0, latest),
    },
    log: list(value.log, 'log', 4 * MOST_ENTRIES).map((entry, i) => readEntry(entry, `log[${i}]`, latest)),
    saved: list(value.saved, 'saved', 4 * MOST_SAVED).map((puzzle, i) => readSaved(puzzle, `saved[${i}]`, latest)),
    bestStreak: number(value.bestStreak, 'bestStreak', 0, 100_000),
  };
}

/** @param {unknown} value @param {string} where @param {number} latest @returns {Entry} */
function readEntry(value, where, latest) {
  const entry = object(value, where);
  return {
    ...readPuzzle(entry, where),
    at: number(entry.at, `${where}.at`, 1, latest),
    source: oneOf(entry.source, SOURCES, `${where}.source`),
    outcome: oneOf(entry.outcome, OUTCOMES, `${where}.outcome`),
    moves: orNull(entry.moves, (moves) => number(moves, `${where}.moves`, 0, 10_000)),
    ms: number(entry.ms, `${where}.ms`, 0, 1e12),
    hints: number(entry.hints, `${where}.hints`, 0, 10_000),
  };
}

/** @param {unknown} value @param {string} where @param {number} latest @returns {SavedPuzzle} */
function readSaved(value, where, latest) {
  const puzzle = object(value, where);
  return { ...readPuzzle(puzzle, where), at: number(puzzle.at, `${where}.at`, 1, latest) };
}

/** @param {Record<string, unknown>} puzzle @param {string} where @returns {RatedPuzzle} */
function readPuzzle({ line, rating, deviation, length, themes }, where) {
  if (typeof line !== 'string' || line.length > 4000 || !/^[\x21-\x7e]+$/.test(line)) broken(`${where}.line`);
  return {
    line: /** @type {string} */ (line),
    rating: orNull(rating, (it) => number(it, `${where}.rating`, -10_000, 20_000)),
    deviation: orNull(deviation, (it) => number(it, `${where}.deviation`, 0, 10_000)),
    length: orNull(length, (it) => number(it, `${where}.length`, 0, 1000)),
    // A theme that this version does not know is left out.
    themes: list(themes, `${where}.themes`, 100).flatMap((name) => THEMES.find((one) => one === /** @type {Theme} */ (name)) ?? []),
  };
}

/** @param {unknown} value @param {string} where @returns {DayRecord} */
function readDay(value, where) {
  const day = object(value, where);
  return {
    moves: orNull(day.moves, (moves) => number(moves, `${where}.moves`, 0, 10_000)),
    stars: orNull(day.stars, (stars) => number(stars, `${where}.stars`, 0, 3)),
    ms: number(day.ms, `${where}.ms`, 0, 1e12),
    hints: number(day.hints, `${where}.hints`, 0, 10_000),
  };
}

/** @param {unknown} value @returns {Streak} */
function readStreak(value) {
  const streak = object(value, 'streak');
  if (typeof streak.last !== 'string' || (streak.last !== '' && !isDay(streak.last))) broken('streak.last');
  return {
    last: /** @type {string} */ (streak.last),
    days: number(streak.days, 'streak.days', 0, 100_000),
    longest: number(streak.longest, 'streak.longest', 0, 100_000),
  };
}

/**
 * What is under way on this device only.
 * @typedef {object} Current
 * @property {Record<string, string>} open the lines of puzzles that are not decided yet, by kind of training
 * @property {number} streak how long the streak is that has not ended
 * @property {'easier' | 'normal' | 'harder' | 'range'} level
 * @property {Theme | ''} theme
 * @property {[number, number]} range
 * @property {boolean} begun whether the player has said how strong they are
 */

/** @type {Current} */
const NOTHING = { open: {}, streak: 0, level: 'normal', theme: '', range: [1000, 2000], begun: false };

/** @returns {Current} */
export const loadCurrent = () => ({ ...NOTHING, ...load('trained', {}) });

/** @param {Partial<Current>} changes */
export const changeCurrent = (changes) => void save('trained', { ...loadCurrent(), ...changes });
