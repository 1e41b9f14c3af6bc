// The board in a room: trying moves in private, showing a solution, watching, and replaying.

/** @import {Cell, Direction, Move, View} from '../../types/page.d.ts' */
/** @import {App} from '../app/app.js' */
import { LETTERS, isMove, replay, slideRobot } from '../board/rules.js';
import { Attempt } from '../play/attempt.js';
import { slideSentence } from '../speech/sentences.js';
import { settings } from '../ui/settings.js';
import { playSound } from '../ui/sound.js';
import { t as tPlay } from '../words/play.js';
import { t } from '../words/room.js';

/** What the moves on the board mean. @typedef {'try' | 'show' | 'watch'} BoardUse */

/** Milliseconds per move of a replayed line. */
const STEP_MS = 650;

export class RoomBoard {
  /**
   * @param {App} app
   * @param {{showMove: (move: Move) => void, onTry: (attempt: Attempt) => void, note: string}} host
   *   note: said when a robot may not be moved now
   */
  constructor(app, host) {
    this.app = app;
    this.host = host;
    /** @type {View | null} */
    this.view = null;
    /** @type {BoardUse} */
    this.use = 'watch';
    /** The player's own moves, which stay on this device. @type {Attempt | null} */
    this.attempt = null;
    /** The moves shown so far. @type {Move[]} */
    this.shown = [];
    /** Moves that were sent and have not come back. @type {Move[]} */
    this.pending = [];
    this.replayTimer = 0;
    /** The line that is being replayed, or was. @type {Move[] | null} */
    this.line = null;
  }

  /** Another puzzle lies on the board. @param {View} view @param {Move[]} [tried] moves from before a reload */
  setPuzzle(view, tried = []) {
    this.#stopReplay();
    const { board } = this.app;
    this.view = view;
    const good = tried.slice(0, replay(view, tried).steps.length);
    this.attempt = new Attempt(view, good);
    this.shown = [];
    this.pending = [];
    this.line = null;
    board.show(view);
    board.select(view.goal.robot ? LETTERS.indexOf(view.goal.robot) : null);
    board.setTrails([]);
    board.setLast(null);
  }

  /** @param {BoardUse} use */
  setUse(use) {
    const { board } = this.app;
    const changed = use !== this.use;
    const before = this.moves.join();
    this.use = use;
    board.input = use === 'watch' ? 'none' : 'slides';
    if (!changed) return;
    if (use !== 'watch' && board.selected === null && this.view?.goal.robot) board.select(LETTERS.indexOf(this.view.goal.robot));
    if (use === 'watch') board.select(null);
    // The board may already be moving there.
    if (this.moves.join() !== before) this.place();
  }

  /** Robots and trails as they are now, at once. */
  place(glide = false) {
    const { view, app } = this;
    if (!view) return;
    const line = replay(view, this.moves);
    app.board.place(line.robots, glide);
    this.#trails();
  }

  /** The moves that the board shows. @returns {Move[]} */
  get moves() {
    if (this.line) return this.line;
    return this.use === 'try' ? (this.attempt?.moves ?? []) : [...this.shown, ...this.pending];
  }

  /** Displays the moves shown so far; none at the start of a show. @param {Move[]} moves */
  setShown(moves) {
    const { view, shown, pending } = this;
    if (!view) return;
    this.#stopReplay();
    this.line = null;
    const before = [...shown, ...pending];
    this.shown = moves;
    if (!moves.length) {
      this.pending = [];
      if (this.use !== 'try') this.place(true);
      return;
    }
    // Confirmed moves are no longer pending; if the server has other moves, none are.
    const continues = before.slice(0, moves.length).join() === moves.join();
    this.pending = continues ? before.slice(moves.length) : [];
    if (this.use === 'try') return;
    const line = replay(view, moves);
    if (!continues && moves.length === before.length + 1 && moves.slice(0, -1).join() === before.join()) {
      const step = line.steps.at(-1);
      if (step) {
        this.app.say(slideSentence(step));
        this.#slide(step);
      }
    } else if (!continues || moves.length < before.length) {
      this.place(true);
    }
  }

  /** @param {number} robot @param {Direction} direction */
  move(robot, direction) {
    const { app, view, attempt } = this;
    if (!view || !attempt) return;
    if (this.use === 'watch') {
      app.tell(this.host.note);
      return;
    }
    if (this.use === 'try' && attempt.solved) {
      app.tell(t('triedAlready', { n: attempt.moves.length }));
      return;
    }
    this.#stopReplay();
    const slide = slideRobot(view, app.board.robots, robot, direction);
    app.say(slideSentence(slide));
    if (!isMove(slide)) {
      playSound('bump');
      return;
    }
    if (app.board.selected !== robot) app.board.select(robot);
    const move = LETTERS[robot] + direction;
    if (this.use === 'show') this.pending = [...this.pending, move];
    else attempt.play(slide);
    this.#slide(slide);
    if (this.use === 'show') this.host.showMove(move);
    else this.#afterTry();
  }

  /** The server did not take a move. */
  dropPending() {
    this.pending = [];
    this.place(true);
  }

  undo() {
    this.#walk(this.attempt?.undo() ?? false);
  }

  redo() {
    this.#walk(this.attempt?.redo() !== null);
  }

  reset() {
    this.#walk(this.attempt?.reset() ?? false);
  }

  /** @param {boolean} changed */
  #walk(changed) {
    if (this.use !== 'try') {
      this.app.tell(this.host.note);
      return;
    }
    if (!changed) {
      this.app.say(tPlay('atStart'));
      return;
    }
    this.place(true);
    const n = this.attempt?.moves.length ?? 0;
    this.app.say(n ? tPlay('undone', { n }) : tPlay('atStart'));
    this.#afterTry();
  }

  #afterTry() {
    const { attempt, app } = this;
    if (!attempt) return;
    if (attempt.solved) {
      playSound('solved');
      app.board.select(null);
      app.say(t('tried', { n: attempt.moves.length }));
    }
    this.host.onTry(attempt);
  }

  /** Plays a line from the beginning, move by move. @param {Move[]} moves */
  replay(moves) {
    const { view, app } = this;
    if (!view) return;
    this.#stopReplay();
    this.line = [];
    this.place();
    const step = () => {
      const next = moves[this.line?.length ?? 0];
      if (!this.line || next === undefined) return;
      this.line = [...this.line, next];
      const slide = replay(view, this.line).steps.at(-1);
      if (!slide) return;
      app.say(slideSentence(slide));
      this.#slide(slide);
      this.replayTimer = window.setTimeout(step, STEP_MS);
    };
    step();
  }

  /** Lays out a line as it ended. @param {Move[]} moves */
  showLine(moves) {
    this.#stopReplay();
    this.line = moves;
    this.place();
  }

  #stopReplay() {
    clearTimeout(this.replayTimer);
  }

  /** @param {import('../../types/page.d.ts').Slide} slide */
  #slide(slide) {
    playSound('slide');
    const count = this.moves.length;
    void this.app.board.slide(slide).then(() => {
      if (this.moves.length === count) this.#trails();
    });
  }

  #trails() {
    const { view, app } = this;
    if (!view) return;
    const { steps } = replay(view, this.moves);
    app.board.setTrails(settings.trails ? steps : []);
    app.board.setLast(steps.at(-1) ?? null);
  }

  /** @returns {Cell[]} */
  get robots() {
    return this.app.board.robots;
  }

  close() {
    this.#stopReplay();
  }
}
