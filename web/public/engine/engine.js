// One call per question. What carries the questions is exchangeable: HTTP here, a worker elsewhere.

/** @import {AskOptions, Limits, Move, Position, Problem, Solved, Transport, View} from '../../types/page.d.ts' */

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

export class Engine {
  /** @param {Transport} transport */
  constructor(transport) {
    this.transport = transport;
  }

  /** @param {string} question @param {object} fields @param {AskOptions} [options] */
  ask(question, fields, options = {}) {
    return this.transport.ask(question, fields, options);
  }

  /** @param {{text: string, format?: string}} fields @param {AskOptions} [options]
   * @returns {Promise<{puzzles: View[], notes: string[]}>} */
  read(fields, options) {
    return this.ask('read', fields, options);
  }

  /** A setup that was built in the page. @param {{setup: object}} fields @param {AskOptions} [options]
   * @returns {Promise<{line: string | null, problems: Problem[]}>} */
  validate(fields, options) {
    return this.ask('validate', fields, options);
  }

  /** @param {{puzzle: string, to: string}} fields @param {AskOptions} [options]
   * @returns {Promise<{text: string, notes: string[]}>} */
  convert(fields, options) {
    return this.ask('convert', fields, options);
  }

  /** @param {AskOptions} [options] @returns {Promise<any>} */
  formats(options) {
    return this.ask('formats', {}, options);
  }

  /** The printed sides. @param {AskOptions} [options] @returns {Promise<any>} */
  quadrants(options) {
    return this.ask('quadrants', {}, options);
  }

  /** @param {{layout: string}} fields @param {AskOptions} [options] @returns {Promise<any>} */
  compose(fields, options) {
    return this.ask('compose', fields, options);
  }

  /** @param {{puzzle: string, moves?: Move[], limits?: Limits}} fields @param {AskOptions} [options]
   * @returns {Promise<Position>} */
  position(fields, options) {
    return this.ask('position', fields, options);
  }

  /** @param {{puzzle: string, solver?: string, options?: object, limits?: Limits}} fields
   * @param {AskOptions} [options] @returns {Promise<Solved>} */
  solve(fields, options) {
    return this.ask('solve', fields, options);
  }

  /** @param {{puzzle: string, max?: number, prefer?: string, group?: boolean, limits?: Limits}} fields
   * @param {AskOptions} [options] @returns {Promise<any>} */
  all(fields, options) {
    return this.ask('all', fields, options);
  }

  /** @param {{puzzle: string, level: number, limits?: Limits}} fields @param {AskOptions} [options]
   * @returns {Promise<any>} */
  hint(fields, options) {
    return this.ask('hint', fields, options);
  }

  /** @param {{puzzle: string, moves?: Move[]}} fields @param {AskOptions} [options]
   * @returns {Promise<any>} */
  explain(fields, options) {
    return this.ask('explain', fields, options);
  }

  /** @param {{puzzle: string, moves: Move[]}} fields @param {AskOptions} [options]
   * @returns {Promise<any>} */
  check(fields, options) {
    return this.ask('check', fields, options);
  }

  /** @param {{puzzle: string}} fields @param {AskOptions} [options] @returns {Promise<any>} */
  rate(fields, options) {
    return this.ask('rate', fields, options);
  }

  /** @param {{puzzle: string, solvers?: string[], limits?: Limits}} fields
   * @param {AskOptions} [options] @returns {Promise<any>} */
  compare(fields, options) {
    return this.ask('compare', fields, options);
  }

  /** @param {{puzzle: string, robot?: string, max_moves?: number}} fields
   * @param {AskOptions} [options] @returns {Promise<any>} */
  distances(fields, options) {
    return this.ask('distances', fields, options);
  }

  /** @param {{puzzle: string, kind: string, robot?: string}} fields @param {AskOptions} [options]
   * @returns {Promise<any>} */
  overlay(fields, options) {
    return this.ask('overlay', fields, options);
  }

  /** @param {Record<string, unknown>} fields @param {AskOptions} [options] @returns {Promise<any>} */
  generate(fields, options) {
    return this.ask('generate', fields, options);
  }

  /** @param {{date: string}} fields @param {AskOptions} [options] @returns {Promise<any>} */
  daily(fields, options) {
    return this.ask('daily', fields, options);
  }

  /** @param {{puzzle: string, kind: string, theme?: string, [more: string]: unknown}} fields
   * @param {AskOptions} [options] @returns {Promise<any>} */
  draw(fields, options) {
    return this.ask('draw', fields, options);
  }

  /** Keeps an attempt of a player who agreed. @param {{consent: true, puzzle: string, moves: Move[], ms: number, hints: number}} fields
   * @param {AskOptions} [options] @returns {Promise<any>} */
  addAttempt(fields, options) {
    return this.ask('attempts', fields, options);
  }

  /** Keeps a result of the daily puzzle. @param {{date: string, player: string, moves: Move[], ms: number, hints: number}} fields
   * @param {AskOptions} [options] @returns {Promise<any>} */
  addResult(fields, options) {
    return this.ask('results', fields, options);
  }

  /** @param {AskOptions} [options] @returns {Promise<any>} */
  solvers(options) {
    return this.ask('solvers', {}, options);
  }
}
