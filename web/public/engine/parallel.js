// Questions that several workers can answer together.

/** @import {AskOptions, PositionMove} from '../../types/page.d.ts' */
/** @import {WorkerTransport} from './worker.js' */
import { LETTERS } from '../board/rules.js';

/**
 * The answer of several workers, or null if one should answer.
 * @param {WorkerTransport} workers @param {string} question @param {any} fields @param {AskOptions} options
 */
export async function spread(workers, question, fields, options) {
  if (workers.width < 2) return null;
  if (question === 'compare') return compare(workers, fields, options);
  if (question === 'position' && !fields.robots) return position(workers, fields, options);
  return null;
}

/**
 * Every solver is a question of its own.
 * @param {WorkerTransport} workers @param {any} fields @param {AskOptions} options
 */
async function compare(workers, fields, options) {
  /** @type {string[]} */
  const names = fields.solvers ?? (await workers.one('solvers', {}, options)).solvers.map((/** @type {{name: string}} */ one) => one.name);
  if (names.length < 2) return null;
  const answers = await together(names.map((name) => ['compare', { ...fields, solvers: [name] }]), workers, options);
  const rows = answers.flatMap((answer) => answer.rows);
  return { optimal: answers.find((answer) => answer.optimal !== null)?.optimal ?? null, rows };
}

/** How much is known of a move: the order of the engine's own list. */
const OUTCOMES = ['solved', 'limit', 'unsolvable'];
const DIRECTIONS = 'NESW';

/** @param {PositionMove} one @param {PositionMove} other */
const byWorth = (one, other) =>
  OUTCOMES.indexOf(one.outcome) - OUTCOMES.indexOf(other.outcome) ||
  (one.distance ?? one.lower_bound ?? 0) - (other.distance ?? other.lower_bound ?? 0) ||
  LETTERS.indexOf(one.move[0]) - LETTERS.indexOf(other.move[0]) ||
  DIRECTIONS.indexOf(one.move[1]) - DIRECTIONS.indexOf(other.move[1]);

/**
 * Every worker looks at the position and at the moves of some of the robots.
 * @param {WorkerTransport} workers @param {any} fields @param {AskOptions} options
 */
async function position(workers, fields, options) {
  const { width } = workers;
  const groups = Array.from({ length: width }, (_, number) => [...LETTERS].filter((_letter, place) => place % width === number));
  const parts = await together(groups.map((robots) => ['position', { ...fields, robots }]), workers, options);
  // All have searched the position; where time was short, one may know more than another.
  const [best] = [...parts].sort((one, other) => OUTCOMES.indexOf(one.outcome) - OUTCOMES.indexOf(other.outcome) || (other.lower_bound ?? 0) - (one.lower_bound ?? 0));
  const moves = parts.flatMap((part) => part.moves).sort(byWorth);
  for (const one of moves) one.best = best.distance !== null && one.distance !== null && one.distance + 1 === best.distance;
  return { ...best, moves, nodes: parts.reduce((sum, part) => sum + part.nodes, 0), ms: Math.max(...parts.map((part) => part.ms)) };
}

/**
 * Asks several questions at once; where one fails, the others end.
 * @param {[string, object][]} questions @param {WorkerTransport} workers @param {AskOptions} options @returns {Promise<any[]>}
 */
async function together(questions, workers, options) {
  const ends = new AbortController();
  const stop = () => ends.abort();
  options.signal?.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.all(questions.map(([question, fields]) => workers.one(question, fields, { ...options, signal: ends.signal })));
  } catch (error) {
    stop();
    throw error;
  } finally {
    options.signal?.removeEventListener('abort', stop);
  }
}
