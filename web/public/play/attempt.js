// One player's attempt at one puzzle: moves, those taken back, the best so far.

/** @import {Cell, Direction, Move, Replay, Slide, View} from '../../types/page.d.ts' */
import { LETTERS, isMove, replay, slideRobot } from '../board/rules.js';
import { Stopwatch } from './clock.js';

/** What is kept about a puzzle that was left. @typedef {{best: number | null, ms: number, hints: number, gaveUp: boolean, analysed?: boolean, revealed?: boolean}} AttemptRecord */

/** One to three stars: three for a shortest solution, two for one move more. @param {number} moves @param {number} optimum */
export const starsFor = (moves, optimum) => (moves <= optimum ? 3 : moves === optimum + 1 ? 2 : 1);

export class Attempt {
  /** @param {View} view @param {Move[]} moves @param {Partial<AttemptRecord>} [kept] */
  constructor(view, moves, kept = {}) {
    this.view = view;
    /** @type {Move[]} */
    this.moves = moves;
    /** @type {Move[]} */
    this.undone = [];
    /** @type {Replay} */
    this.line = replay(view, moves);
    /** The fewest moves of a solution of the player's own. @type {number | null} */
    this.best = kept.best ?? null;
    this.hints = kept.hints ?? 0;
    this.gaveUp = kept.gaveUp ?? false;
    /** Whether the engine's analysis was seen before the puzzle was solved. */
    this.analysed = kept.analysed ?? false;
    /** Whether a shortest solution was shown for comparison: nothing counts from then on. */
    this.revealed = kept.revealed ?? false;
    /** The fewest moves of all, when it is known. @type {number | null} */
    this.optimum = null;
    /** No solution is shorter than this. @type {number | null} */
    this.atLeast = null;
    this.clock = new Stopwatch(kept.ms ?? 0);
  }

  /** Whether the player has moved a robot, taken a hint or seen the analysis. */
  get isBegun() {
    return this.analysed || this.moves.length + this.undone.length + this.hints > 0;
  }

  get solved() {
    return this.line.solved;
  }

  /** @returns {Cell[]} */
  get robots() {
    return this.line.robots;
  }

  /** Where a robot would go; not a move if `to` equals `from`. @param {number} robot @param {Direction} direction */
  slideOf(robot, direction) {
    return slideRobot(this.view, this.robots, robot, direction);
  }

  /** @param {Slide} slide @returns {boolean} whether the puzzle is solved now */
  play(slide) {
    if (!isMove(slide)) return this.solved;
    this.undone = [];
    this.#set([...this.moves, LETTERS[slide.robot] + slide.direction]);
    if (this.solved) {
      this.clock.stop();
      if (!this.gaveUp && !this.revealed) this.best = Math.min(this.best ?? Infinity, this.moves.length);
    }
    return this.solved;
  }

  undo() {
    const last = this.moves.at(-1);
    if (last === undefined) return false;
    this.undone.push(last);
    this.#set(this.moves.slice(0, -1));
    return true;
  }

  /** @returns {Slide | null} the slide that was made again */
  redo() {
    const next = this.undone.pop();
    if (next === undefined) return null;
    this.#set([...this.moves, next]);
    return this.line.steps.at(-1) ?? null;
  }

  reset() {
    if (this.moves.length === 0) return false;
    this.undone = [...this.moves].reverse();
    this.#set([]);
    return true;
  }

  /** Lays out a solution that was asked for. @param {Move[]} moves */
  giveUpWith(moves) {
    this.gaveUp = true;
    this.clock.stop();
    this.undone = [];
    this.#set(moves);
  }

  /** @returns {'optimal' | 'longer' | 'unknown'} what the best solution is worth */
  get verdict() {
    if (this.best === null) return 'unknown';
    if (this.optimum !== null) return this.best <= this.optimum ? 'optimal' : 'longer';
    return this.atLeast !== null && this.best <= this.atLeast ? 'optimal' : 'unknown';
  }

  /** Stars for the solution on the board; null while the optimum is not known, or if it is not the player's. */
  get stars() {
    const isOwn = this.solved && !this.gaveUp && !this.analysed && (!this.revealed || this.moves.length === this.best);
    return this.optimum === null || !isOwn ? null : starsFor(this.moves.length, this.optimum);
  }

  /** @returns {AttemptRecord} */
  toRecord() {
    return { best: this.best, ms: this.clock.ms, hints: this.hints, gaveUp: this.gaveUp, analysed: this.analysed, revealed: this.revealed };
  }

  /** @param {Move[]} moves */
  #set(moves) {
    this.moves = moves;
    this.line = replay(this.view, moves);
    if (this.solved || this.gaveUp) this.clock.stop();
    else this.clock.start();
  }
}
