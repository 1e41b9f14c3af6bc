// Questions that several workers can answer together.

/** @import {AskOptions} from '../types.d.ts' */
/** @import {WorkerTransport} from './worker.js' */

/**
 * The answer of several workers, or null if one should answer.
 * @param {WorkerTransport} workers @param {string} question @param {any} fields @param {AskOptions} options
 */
export async function spread(workers, question, fields, options) {
  if (workers.width < 2) return null;
  if (question === 'compare') return compare(workers, fields, options);
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
