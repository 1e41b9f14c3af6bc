// The engine over HTTP: `POST /api/v1/NAME`. A server that does not respond is asked again until it
// does, and `onHealth` is told.

/** @import {AnswerOf, AskOptions, Engine, Question, RequestOf} from '../../types/page.d.ts' */
import { EngineError, abortError, unwrap } from './errors.js';

/** How long to wait before asking again, in milliseconds. */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 8000;

/** @typedef {{state: 'ok' | 'gone' | 'busy', wait?: number}} Health */

/**
 * @implements {Engine}
 */
export class HttpEngine {
  /** @param {string} base @param {(health: Health) => void} onHealth */
  constructor(base, onHealth) {
    this.base = base;
    this.onHealth = onHealth;
    /** Ends the wait before the next try. @type {Set<() => void>} */
    this.waiting = new Set();
  }

  /** Tries at once what waits for the server. */
  retryNow() {
    for (const go of [...this.waiting]) go();
  }

  /**
   * @template {Question} Q
   * @param {Q} question @param {RequestOf<Q>} fields @param {AskOptions} [options]
   * @returns {Promise<AnswerOf<Q>>}
   */
  async ask(question, fields, options = {}) {
    for (let wait = FIRST_WAIT; ; wait = Math.min(wait * 2, LONGEST_WAIT)) {
      let response;
      try {
        response = await fetch(`${this.base}/${question}`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: options.onProgress ? 'application/x-ndjson' : 'application/json',
          },
          body: JSON.stringify(fields),
          signal: options.signal,
        });
        if (response.status !== 503) {
          const answer = await readAnswer(response, options);
          this.onHealth({ state: 'ok' });
          return answer;
        }
      } catch (error) {
        // fetch says TypeError for a server that cannot be reached or went away in mid-answer.
        if (!(error instanceof TypeError) || options.signal?.aborted) throw error;
      }
      if (options.idle) throw new EngineError('busy', 'not now');
      const seconds = Number(response?.headers.get('retry-after'));
      const pause = seconds > 0 ? Math.min(seconds * 1000, LONGEST_WAIT) : wait;
      this.onHealth({ state: response ? 'busy' : 'gone', wait: pause });
      await this.#pause(pause, options.signal);
    }
  }

  /** @param {number} ms @param {AbortSignal} [signal] */
  #pause(ms, signal) {
    return new Promise((resolve, reject) => {
      const done = () => {
        clearTimeout(timer);
        this.waiting.delete(done);
        signal?.removeEventListener('abort', stop);
        resolve(undefined);
      };
      const stop = () => {
        done();
        reject(abortError());
      };
      const timer = setTimeout(done, ms);
      this.waiting.add(done);
      if (signal?.aborted) stop();
      else signal?.addEventListener('abort', stop);
    });
  }
}

/** @param {Response} response @param {AskOptions} options */
async function readAnswer(response, options) {
  const type = response.headers.get('content-type') ?? '';
  if (type.includes('ndjson')) return readLines(response, options);
  if (type.includes('json')) return unwrap(await response.json());
  if (!response.ok) throw new EngineError('internal', `${response.status} ${response.statusText}`);
  return type.startsWith('text/') || type.includes('svg') ? response.text() : response.blob();
}

/**
 * One JSON object per line: progress, then the answer or an error; blank lines keep the connection.
 * @param {Response} response @param {AskOptions} options
 */
async function readLines(response, options) {
  if (!response.body) throw new TypeError('an answer without a body');
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    rest += value ?? '';
    const lines = rest.split('\n');
    rest = done ? '' : (lines.pop() ?? '');
    for (const line of lines.filter((text) => text.trim())) {
      const message = JSON.parse(line);
      if ('answer' in message) return message.answer;
      unwrap(message);
      options.onProgress?.(message.progress ?? message);
    }
    // As when the connection breaks: ask again.
    if (done) throw new TypeError('the answer ended early');
  }
}
