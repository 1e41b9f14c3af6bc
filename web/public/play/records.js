// What is remembered between visits: attempts and the streak of daily puzzles.

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

/** @param {string} line */
export function forgetAttempt(line) {
  save('attempts', load('attempts', /** @type {[string, AttemptRecord][]} */ ([])).filter(([one]) => one !== line));
}

/** Keeps the puzzle that is being played, so that a page opened without an address goes on with it.
 * @param {Attempt} attempt @param {string} line */
export function saveUnfinished(attempt, line) {
  if (attempt.moves.length && !attempt.solved) save('open', { line, moves: attempt.moves });
  else forget('open');
}

/** A puzzle that was begun and not solved. @returns {{line: string, moves: Move[]} | null} */
export const loadUnfinished = () => load('open', null);

/**
 * The solution of a puzzle could be seen. One found later is no longer all the player's own: the first
 * one counts as found with the analysis, and after it nothing counts. @param {string} line
 */
export function markAnalysed(line) {
  const kept = { best: null, ms: 0, hints: 0, gaveUp: false, ...loadAttempt(line) };
  const [name, seen] = kept.best === null ? /** @type {const} */ (['analysed', kept.analysed]) : /** @type {const} */ (['revealed', kept.revealed]);
  if (!seen) saveAttempt(line, { ...kept, [name]: true });
}

/** The puzzle of the day is known by its line, too. @param {string} date @param {string} line */
export const saveDailyLine = (date, line) => save('daily', { date, line });

/** Whether a line is today's puzzle, not yet solved or given up. @param {string} line */
export function isOpenDaily(line) {
  const daily = load('daily', { date: '', line: '' });
  const { best, gaveUp } = loadAttempt(line);
  return daily.date === today() && daily.line === line && best == null && !gaveUp;
}

/** Ends the attempt at a puzzle without a solution. @param {string} line */
export function giveUp(line) {
  const kept = loadAttempt(line);
  saveAttempt(line, { best: kept.best ?? null, ms: kept.ms ?? 0, hints: kept.hints ?? 0, gaveUp: true });
}

/** What came of a daily puzzle. @typedef {{moves: number | null, stars: number | null, ms: number, hints: number, analysed?: boolean, path?: Move[]}} DayRecord */

/** Days that are remembered. */
const MOST_DAYS = 400;

/** @returns {Record<string, DayRecord>} by date */
export const loadDays = () => load('days', {});

/** Keeps the best result of a day: one with moves, then the fewest, then the fastest. @param {string} date @param {DayRecord} day */
export function saveDay(date, day) {
  const days = loadDays();
  const before = days[date];
  const isBetter = !before || before.moves === null || (day.moves !== null && (day.moves < before.moves || (day.moves === before.moves && (day.stars ?? 0) > (before.stars ?? 0))));
  if (!isBetter) return;
  days[date] = day;
  const kept = Object.keys(days).sort().slice(-MOST_DAYS);
  save('days', Object.fromEntries(kept.map((one) => [one, days[one]])));
}

/** The daily puzzle of this date is number one. */
const FIRST_DAY = '2026-01-01';

/** The number of a daily puzzle, or null for one before the first. @param {string} date */
export function dayNumber(date) {
  const days = Math.round((Date.parse(`${date}T12:00:00Z`) - Date.parse(`${FIRST_DAY}T12:00:00Z`)) / 86_400_000) + 1;
  return days > 0 ? days : null;
}

/** How hard the puzzles of a weekday are, from 1 for Monday to 7 for Sunday.
 * @param {string} date @returns {1 | 2 | 3 | 4 | 5 | 6 | 7} */
export const weekdayOf = (date) => /** @type {1} */ (((new Date(`${date}T12:00:00Z`).getUTCDay() + 6) % 7) + 1);

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

/** Today's date in UTC: one day for everybody, as on the server and on the command line. */
export const today = () => new Date().toISOString().slice(0, 10);

/** When the next daily puzzle comes. */
export const tomorrow = () => new Date(Date.parse(`${shiftDate(today(), 1)}T00:00:00Z`));

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
