// The engine in workers of this page: no server, no network.

/** @import {AnswerOf, AskOptions, Engine, Question, RequestOf} from '../../types/page.d.ts' */
import { abortError, unwrap } from './errors.js';
import { askInParallel } from './parallel.js';

/** Searches at once; one more worker is for questions that are answered without a search. */
const SEARCHERS = 3;
/** Milliseconds that a cancelled search may take before its worker is terminated. */
const GRACE = 50;
const GRACE_WITH_FLAG = 1000;

const QUICK = new Set(['read', 'validate', 'convert', 'formats', 'quadrants', 'compose', 'solvers', 'check', 'overlay']);

/**
 * @typedef {object} Job
 * @property {string} request
 * @property {boolean} quick
 * @property {(message: any) => void} onProgress
 * @property {(answer: any) => void} resolve
 * @property {(error: unknown) => void} reject
 */

/**
 * What is used of a worker; the package for Node has its own.
 * @typedef {object} WorkerLike
 * @property {(type: 'message' | 'error', listener: (event: any) => void) => void} addEventListener
 * @property {(message: any) => void} postMessage
 * @property {() => void} terminate
 */

/** @returns {WorkerLike} */
const startPageWorker = () => new Worker(new URL('./worker-script.js', import.meta.url), { type: 'module' });

/**
 * @implements {Engine}
 */
export class WorkerEngine {
  /**
   * @param {WebAssembly.Module} module
   * @param {{memoryMib?: number, startWorker?: () => WorkerLike, sharesMemory?: boolean}} [options]
   */
  constructor(module, { memoryMib = memoryForThisDevice(), startWorker = startPageWorker, sharesMemory = globalThis.crossOriginIsolated } = {}) {
    this.module = module;
    this.memoryMib = memoryMib;
    this.startWorker = startWorker;
    this.sharesMemory = sharesMemory;
    /** @type {Set<EngineWorker>} */
    this.workers = new Set();
    /** @type {Job[]} */
    this.waiting = [];
    // The first question should not wait for a worker to start.
    this.#add(false);
  }

  /** How many workers a question may be spread over. */
  get width() {
    const busy = [...this.workers].filter((worker) => worker.job && !worker.quick).length;
    return Math.max(1, Math.min(SEARCHERS, globalThis.navigator?.hardwareConcurrency || 1) - busy);
  }

  /** Ends all workers. Questions without an answer are cancelled; later ones start new workers. */
  close() {
    const open = [...this.waiting, ...[...this.workers].map((worker) => worker.job)];
    this.waiting = [];
    for (const worker of [...this.workers]) worker.end();
    for (const job of open) job?.reject(abortError());
  }

  /**
   * @template {Question} Q
   * @param {Q} question @param {RequestOf<Q>} fields @param {AskOptions} [options]
   * @returns {Promise<AnswerOf<Q>>}
   */
  async ask(question, fields, options = {}) {
    const parts = await askInParallel(this, question, fields, options);
    return parts ?? this.one(question, fields, options);
  }

  /**
   * Asks one worker.
   * @template {Question} Q
   * @param {Q} question @param {RequestOf<Q>} fields @param {AskOptions} [options]
   * @returns {Promise<AnswerOf<Q>>}
   */
  one(question, fields, { signal, onProgress } = {}) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(abortError());
        return;
      }
      /** @type {Job} */
      const job = {
        request: JSON.stringify({ ...fields, ask: question }),
        quick: QUICK.has(question),
        onProgress: onProgress ?? (() => {}),
        resolve,
        reject,
      };
      signal?.addEventListener('abort', () => this.#cancel(job), { once: true });
      this.waiting.push(job);
      this.#go();
    });
  }

  /** @param {Job} job */
  #cancel(job) {
    job.reject(abortError());
    this.waiting = this.waiting.filter((one) => one !== job);
    const worker = [...this.workers].find((one) => one.job === job);
    worker?.cancel();
  }

  /** @param {boolean} quick */
  #add(quick) {
    const worker = new EngineWorker(this, quick, () => this.#go(), () => {
      this.workers.delete(worker);
      this.#go();
    });
    this.workers.add(worker);
    return worker;
  }

  /** Gives jobs to workers as far as there are any. */
  #go() {
    for (const job of [...this.waiting]) {
      const worker = this.#workerFor(job);
      if (!worker) continue;
      this.waiting = this.waiting.filter((one) => one !== job);
      worker.start(job);
    }
  }

  /** @param {Job} job @returns {EngineWorker | null} */
  #workerFor({ quick }) {
    const all = [...this.workers];
    const idle = all.find((worker) => !worker.job && (quick || !worker.quick));
    if (idle) return idle;
    if (quick) return all.some((worker) => worker.quick) ? null : this.#add(true);
    return all.filter((worker) => !worker.quick).length < SEARCHERS ? this.#add(false) : null;
  }
}

/** A worker and its current job. */
class EngineWorker {
  /** @param {WorkerEngine} engine @param {boolean} quick @param {() => void} onIdle @param {() => void} onEnd */
  constructor({ module, memoryMib, startWorker, sharesMemory }, quick, onIdle, onEnd) {
    this.quick = quick;
    this.onIdle = onIdle;
    this.onEnd = onEnd;
    /** @type {Job | null} */
    this.job = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** Cancels a search, if memory may be shared. */
    this.flag = sharesMemory ? new Int32Array(new SharedArrayBuffer(4)) : null;
    this.worker = startWorker();
    this.worker.addEventListener('message', ({ data }) => this.#receive(JSON.parse(data)));
    this.worker.addEventListener('error', (event) => {
      event.preventDefault();
      this.job?.reject(new Error(`the engine's worker ended: ${event.message ?? 'it could not be started'}`));
      this.end();
    });
    this.worker.postMessage({ module, memoryMib, flag: this.flag?.buffer });
  }

  /** @param {Job} job */
  start(job) {
    this.job = job;
    if (this.flag) Atomics.store(this.flag, 0, 0);
    this.worker.postMessage({ request: job.request });
  }

  /** Cancels the job. */
  cancel() {
    if (this.flag) Atomics.store(this.flag, 0, 1);
    this.timer = setTimeout(() => this.end(), this.flag ? GRACE_WITH_FLAG : GRACE);
  }

  end() {
    clearTimeout(this.timer);
    this.worker.terminate();
    this.onEnd();
  }

  /** @param {any} message */
  #receive(message) {
    if (!this.job) return;
    if (message.progress) {
      this.job.onProgress(message.progress);
      return;
    }
    const { resolve, reject } = this.job;
    clearTimeout(this.timer);
    this.job = null;
    try {
      unwrap(message);
      resolve(message.answer);
    } catch (error) {
      reject(error);
    }
    this.onIdle();
  }
}

/** Memory for a search: the hardest official puzzles need up to 384 MiB; small devices get less. */
function memoryForThisDevice() {
  const gibibytes = /** @type {any} */ (globalThis.navigator)?.deviceMemory ?? 4;
  return Math.min(512, gibibytes * 64);
}
