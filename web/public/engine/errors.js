// Errors of the engine.

/** @import {Problem} from '../../types/page.d.ts' */

/** An error that the engine answered with. */
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

/** The answer; throws if it is an error. @param {any} answer */
export function unwrap(answer) {
  const error = answer?.error;
  if (error && typeof error === 'object') {
    throw new EngineError(error.kind ?? 'internal', error.message ?? '', error);
  }
  return answer;
}

/** What a cancelled request is rejected with. */
export const abortError = () => new DOMException('the request was cancelled', 'AbortError');

/** Whether an error only means that the request was cancelled. @param {unknown} error */
export const isAbort = (error) => error instanceof DOMException && error.name === 'AbortError';
