// What is remembered between visits: attempts, the streak of daily puzzles, training.

/** @import {Move} from '../../types/page.d.ts' */
/** @import {Attempt, AttemptRecord} from './attempt.js' */
import { forget, load, save } from '../ui/storage.js';

/** How many puzzles are remembered. */
const MOST_KEPT = 100;

/** @param {string | null} line @returns {Partial<AttemptRecord>} */
export function loadAttempt(line) {
  return load('attempts', /** @type {[string, AttemptRecord][]} */ ([])).find(([one]) => one === line)?.[1] ?? {};
}

/** @param {string | null} line @param {AttemptRecord} kept */
export function saveAttempt(line, kept) {
  if (!line) return;
  const others = load('attempts', /** @type {[string, AttemptRecord][]} */ ([])).filter(([one]) => one !== line);
  save('attempts', [[line, kept], ...others].slice(0, MOST_KEPT));
}

/** Keeps the puzzle that is being played, so that a page opened without an address goes on with it.
 * @param {Attempt} attempt @param {string} line */
export function saveUnfinished(attempt, line) {
  if (attempt.moves.length && !attempt.solved) save('open', { line, moves: attempt.moves });
  else forget('open');
}

/** A puzzle that was begun and not solved. @returns {{line: string, moves: Move[]} | null} */
export const loadUnfinished = () => load('open', null);

/** @typedef {{last: string, days: number, longest: number}} Streak */

/** The day before or after, in the calendar. @param {string} date 2026-11-17 @param {number} by */
export function shiftDate(date, by) {
  const day = new Date(`${date}T12:00:00Z`);
  day.setUTCDate(day.getUTCDate() + by);
  return day.toISOString().slice(0, 10);
}

/** Whether a text is a day of the calendar. @param {string} text */
export function isDay(text) {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T12:00:00Z`)) && shiftDate(text, 0) === text;
}

/** Today's date in the player's time zone. */
export function today() {
  const now = new Date();
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/** A streak after a day was solved; only the day itself counts, not one that is made up for later.
 * @param {Streak} streak @param {string} date @param {string} now @returns {Streak} */
export function extendStreak(streak, date, now) {
  if (date !== now || streak.last === date) return streak;
  const days = streak.last === shiftDate(date, -1) ? streak.days + 1 : 1;
  return { last: date, days, longest: Math.max(days, streak.longest) };
}

/** A streak that ended is shown as none. @param {Streak} streak @param {string} now */
export function streakNow(streak, now) {
  return streak.last === now || streak.last === shiftDate(now, -1) ? streak.days : 0;
}

/** @returns {Streak} */
export const loadStreak = () => load('streak', { last: '', days: 0, longest: 0 });

/** @param {Streak} streak */
export const saveStreak = (streak) => save('streak', streak);

/** @typedef {{solved: number, perfect: number}} TrainingRecord */

/** @param {number} length @returns {TrainingRecord} */
export function trainingRecord(length) {
  return load('training', /** @type {Record<string, TrainingRecord>} */ ({}))[length] ?? { solved: 0, perfect: 0 };
}

/** @param {number} length @param {boolean} perfect */
export function addTraining(length, perfect) {
  const all = load('training', /** @type {Record<string, TrainingRecord>} */ ({}));
  const { solved, perfect: before } = trainingRecord(length);
  all[length] = { solved: solved + 1, perfect: before + (perfect ? 1 : 0) };
  save('training', all);
}
