// Questions that several workers answer together.

/** @import {AnswerOf, AskOptions, PositionMove, Question, RequestOf} from '../../types/page.d.ts' */
/** @import {WorkerEngine} from './worker.js' */
import { DIRECTIONS, LETTERS } from '../board/rules.js';

/**
 * The answer of several workers, or null if one should answer.
 * @template {Question} Q
 * @param {WorkerEngine} workers @param {Q} question @param {RequestOf<Q>} fields @param {AskOptions} options
 * @returns {Promise<AnswerOf<Q> | null>}
 */
export async function askInParallel(workers, question, fields, options) {
  if (workers.width < 2) return null;
  /** @type {unknown} */
  let answer = null;
  if (question === 'compare') answer = await compare(workers, /** @type {RequestOf<'compare'>} */ (fields), options);
  if (question === 'position') answer = await position(workers, /** @type {RequestOf<'position'>} */ (fields), options);
  return /** @type {AnswerOf<Q> | null} */ (answer);
}

/**
 * Each solver is asked separately.
 * @param {WorkerEngine} workers @param {RequestOf<'compare'>} fields @param {AskOptions} options
 */
async function compare(workers, fields, options) {
  const names = fields.solvers ?? (await workers.one('solvers', {}, options)).solvers.map(({ name }) => name);
  if (names.length < 2) return null;
  const answers = await askAll(workers, 'compare', names.map((name) => ({ ...fields, solvers: [name] })), options);
  const optimal = answers.map((answer) => answer.optimal).find((length) => typeof length === 'number') ?? null;
  return { optimal, rows: answers.flatMap((answer) => answer.rows) };
}

/** The order of the engine's list. */
const OUTCOMES = ['solved', 'limit', 'unsolvable'];

/** @param {PositionMove} one @param {PositionMove} other */
const byWorth = (one, other) =>
  OUTCOMES.indexOf(one.outcome) - OUTCOMES.indexOf(other.outcome) ||
  (one.distance ?? one.lower_bound ?? 0) - (other.distance ?? other.lower_bound ?? 0) ||
  LETTERS.indexOf(one.move[0]) - LETTERS.indexOf(other.move[0]) ||
  DIRECTIONS.findIndex((direction) => direction === one.move[1]) - DIRECTIONS.findIndex((direction) => direction === other.move[1]);

/**
 * Each worker searches the position and the moves of some of the robots.
 * @param {WorkerEngine} workers @param {RequestOf<'position'>} fields @param {AskOptions} options
 */
async function position(workers, fields, options) {
  if (fields.robots) return null;
  const { width } = workers;
  const groups = Array.from({ length: width }, (_, number) => [...LETTERS].filter((_letter, place) => place % width === number));
  const parts = await askAll(workers, 'position', groups.map((robots) => ({ ...fields, robots })), options);
  // All have searched the position; if time was short, one may know more than another.
  const [best] = [...parts].sort((one, other) => OUTCOMES.indexOf(one.outcome) - OUTCOMES.indexOf(other.outcome) || (other.lower_bound ?? 0) - (one.lower_bound ?? 0));
  const moves = parts.flatMap((part) => part.moves).sort(byWorth);
  for (const one of moves) one.best = typeof best.distance === 'number' && typeof one.distance === 'number' && one.distance + 1 === best.distance;
  return { ...best, moves, nodes: parts.reduce((sum, part) => sum + part.nodes, 0), ms: Math.max(...parts.map((part) => part.ms)), micros: Math.max(...parts.map((part) => part.micros)) };
}

/**
 * Sends several requests at once; if one fails, the others are cancelled.
 * @template {Question} Q
 * @param {WorkerEngine} workers @param {Q} question @param {RequestOf<Q>[]} requests @param {AskOptions} options
 * @returns {Promise<AnswerOf<Q>[]>}
 */
async function askAll(workers, question, requests, options) {
  const ends = new AbortController();
  const stop = () => ends.abort();
  options.signal?.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.all(requests.map((fields) => workers.one(question, fields, { ...options, signal: ends.signal })));
  } catch (error) {
    stop();
    throw error;
  } finally {
    options.signal?.removeEventListener('abort', stop);
  }
}
