// Errors of the engine.

/** @import {Problem} from '../../types/page.d.ts' */

/** An answer that says why there is none. */
export class EngineError extends Error {
  /**
   * @param {string} kind unreadable, invalid, bad-request, unsupported, busy, too-large, internal
   * @param {string} message in English
   * @param {{code?: string, with?: Record<string, unknown>, problems?: Problem[]}} [more] what the engine says for programs
   */
  constructor(kind, message, { code = '', with: values = {}, problems = [] } = {}) {
    super(message);
    this.name = 'EngineError';
    this.kind = kind;
    this.code = code;
    this.values = values;
    this.problems = problems;
  }
}

/** What an answer holds; throws where it says why there is none. @param {any} answer */
export function unwrap(answer) {
  const error = answer?.error;
  if (error && typeof error === 'object') {
    throw new EngineError(error.kind ?? 'internal', error.message ?? '', error);
  }
  return answer;
}

/** Whether an error only says that nobody waits for the answer any more. @param {unknown} error */
export const isAbort = (error) => error instanceof DOMException && error.name === 'AbortError';
