// Puzzles made ahead, so that the next one is ready at once. One per request is stored on the device.

/** @import {Engine, RequestOf, View} from '../../types/page.d.ts' */
import { EngineError, abortError } from '../engine/errors.js';
import { load, save } from '../ui/storage.js';
import { makePuzzle } from './new-puzzle.js';

/** @typedef {RequestOf<'generate'>} GenerateRequest what the engine is asked for */

/** How many are kept at most; the oldest goes first. */
const MAX_KEPT = 12;
/** Milliseconds in which the puzzle on the board has the engine to itself. */
const PAUSE = 1500;

const STORE = 'supply';

/** @returns {[string, string][]} requests with the lines of their puzzles, the oldest first */
function loadSupply() {
  const list = load(STORE, /** @type {unknown} */ ([]));
  return Array.isArray(list) ? list.filter((one) => Array.isArray(one) && one.length === 2 && one.every((part) => typeof part === 'string')) : [];
}

/** The request as a key: the order of its fields does not matter. @param {GenerateRequest} fields */
const keyOf = (fields) => JSON.stringify(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));

export class Supply {
  /** @param {Engine} engine @param {number} [pause] */
  constructor(engine, pause = PAUSE) {
    this.engine = engine;
    this.pause = pause;
    this.ending = new AbortController();
    /** @type {Map<string, Promise<View | null>>} */
    this.making = new Map();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /**
   * The puzzle that was made ahead, or the one that is being made, or a new one; null if none was found.
   * @param {GenerateRequest} fields @param {AbortSignal} signal @returns {Promise<View | null>}
   */
  async take(fields, signal) {
    const key = keyOf(fields);
    const ready = await this.#takeKept(key, signal);
    if (ready) return ready;
    const made = this.making.get(key);
    // It is taken now, so it is not stored.
    this.making.delete(key);
    const view = made && (await unlessAborted(made.catch(() => null), signal));
    return view || makePuzzle(this.engine, fields, signal);
  }

  /** Makes missing puzzles, one after the other, after a pause. @param {GenerateRequest[]} requests */
  prepare(requests) {
    clearTimeout(this.timer);
    if (this.ending.signal.aborted) return;
    this.timer = setTimeout(() => void this.#prepare(requests), this.pause);
  }

  /** Stops making puzzles. */
  close() {
    clearTimeout(this.timer);
    this.ending.abort();
  }

  /** @param {GenerateRequest[]} requests */
  async #prepare(requests) {
    const { signal } = this.ending;
    for (const fields of requests) {
      const key = keyOf(fields);
      if (signal.aborted) return;
      if (this.making.has(key) || loadSupply().some(([kept]) => kept === key)) continue;
      const made = makePuzzle(this.engine, fields, signal, { idle: true });
      this.making.set(key, made);
      // An error is reported when the puzzle is asked for.
      const view = await made.catch(() => null);
      if (this.making.get(key) !== made) continue;
      this.making.delete(key);
      if (view?.line) save(STORE, [...loadSupply(), [key, view.line]].slice(-MAX_KEPT));
    }
  }

  /** @param {string} key @param {AbortSignal} signal @returns {Promise<View | null>} */
  async #takeKept(key, signal) {
    const all = loadSupply();
    const found = all.find(([kept]) => kept === key);
    if (!found) return null;
    save(STORE, all.filter((one) => one !== found));
    try {
      const { puzzles } = await this.engine.ask('read', { text: found[1] }, { signal });
      return puzzles[0]?.line ? puzzles[0] : null;
    } catch (error) {
      // Another version of the page may have written it.
      if (error instanceof EngineError) return null;
      throw error;
    }
  }
}

/** @template T @param {Promise<T>} promise @param {AbortSignal} signal @returns {Promise<T>} */
function unlessAborted(promise, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => reject(abortError());
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject);
  });
}
