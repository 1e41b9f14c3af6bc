// What a player who said yes lets the server keep: attempts, and results of the daily puzzle. No
// names: a key that was drawn by lot tells players of a day apart.

/** @import {DaySummary} from '../../types/page.d.ts' */
/** @import {App} from '../app/app.js' */
/** @import {Attempt} from './attempt.js' */
import { EngineError } from '../engine/errors.js';
import { settings } from '../ui/settings.js';
import { load, save } from '../ui/storage.js';
import { openLine } from './new-puzzle.js';

/** The key of this browser. */
function player() {
  let key = load('player', '');
  if (!key) {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    key = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    save('player', key);
  }
  return key;
}

/** @param {Attempt} attempt */
const facts = ({ moves, clock, hints }) => ({ moves, ms: Math.round(clock.ms), hints });

/** Keeps an attempt that was solved. @param {App} app @param {Attempt} attempt */
export async function shareAttempt(app, attempt) {
  if (!settings.share || attempt.gaveUp) return;
  await quietly(app.engine.ask('attempts', { consent: true, puzzle: openLine(attempt.view), ...facts(attempt) }));
}

/**
 * Keeps a result of the day, and tells how everybody did; null if nothing is shared.
 * @param {App} app @param {string} date @param {Attempt} attempt @returns {Promise<DaySummary | null>}
 */
export async function shareResult(app, date, attempt) {
  if (!settings.share) return null;
  const answer = await quietly(app.engine.ask('results', { date, player: player(), ...facts(attempt) }));
  return answer?.day ?? null;
}

/** Sharing is a gift: a server that cannot take it is no trouble of the player's. @template T @param {Promise<T>} asked @returns {Promise<T | null>} */
async function quietly(asked) {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof EngineError) return null;
    throw error;
  }
}
