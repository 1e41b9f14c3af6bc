// Sends first attempts and daily results to the server if the player has agreed. A random key, not a name,
// tells the players of a day apart.

/** @import {DaySummary, Move} from '../../types/page.d.ts' */
/** @import {App} from '../app/app.js' */
/** @import {Attempt} from './attempt.js' */
import { EngineError } from '../engine/errors.js';
import { plainLine } from '../training/puzzle-set.js';
import { settings } from '../ui/settings.js';
import { load, save } from '../ui/storage.js';

/** How many puzzles are remembered as tried: a repeated one among them is not sent again. */
const MOST_TRIED = 2000;

/** The key of this browser. */
function playerKey() {
  let key = load('player', '');
  if (!key) {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    key = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    save('player', key);
  }
  return key;
}

/** Ends the first attempt at a puzzle. @param {string} line @returns {boolean} whether it was the first */
export function endFirstAttempt(line) {
  const tried = load('tried', /** @type {string[]} */ ([]));
  const plain = plainLine(line);
  if (tried.includes(plain)) return false;
  save('tried', [plain, ...tried].slice(0, MOST_TRIED));
  return true;
}

/**
 * Sends how the first attempt at a puzzle ended: with the moves that reached the target, or with those on
 * the board when the player gave up. Whoever tries again knows the puzzle, so nothing is sent.
 * @param {App} app @param {string} line @param {{moves: Move[], ms: number, hints: number}} ended
 */
export async function shareFirstAttempt(app, line, { moves, ms, hints }) {
  if (!endFirstAttempt(line) || !settings.share) return;
  await ignoreRefusal(app.engine.ask('attempts', { consent: true, puzzle: plainLine(line), moves, ms: Math.round(ms), hints }));
}

/**
 * Stores a daily result, and returns how everybody did; null if nothing is shared.
 * @param {App} app @param {string} date @param {Attempt} attempt @returns {Promise<DaySummary | null>}
 */
export async function shareResult(app, date, attempt) {
  if (!settings.share || attempt.analysed || attempt.revealed) return null;
  const answer = await ignoreRefusal(app.engine.ask('results', { date, player: playerKey(), moves: attempt.moves, ms: Math.round(attempt.clock.ms), hints: attempt.hints }));
  return answer?.day ?? null;
}

/**
 * How everybody did on a day; null without a server or if it does not say. Asked only after the
 * puzzle was solved or given up, as it tells the optimum.
 * @param {App} app @param {string} date @returns {Promise<DaySummary | null>}
 */
export async function daySummary(app, date) {
  if (!app.connection.hasServer) return null;
  try {
    const response = await fetch(`api/v1/results/${date}`);
    return response.ok && response.headers.get('content-type')?.includes('json') ? await response.json() : null;
  } catch (error) {
    // The server is away: the result itself does not depend on it.
    if (error instanceof TypeError || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The answer, or null if the server refused: the player need not know. @template T @param {Promise<T>} asked @returns {Promise<T | null>} */
async function ignoreRefusal(asked) {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof EngineError) return null;
    throw error;
  }
}
