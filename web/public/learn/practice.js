// One exercise on the board: the player's moves, undo, hints, and what is said about them.

/** @import {Binding, Direction, Slide, View} from '../../types/page.d.ts' */
/** @import {App} from '../app/app.js' */
import { LETTERS, isMove, parseMove, sameCell, slideRobot } from '../board/rules.js';
import { Attempt } from '../play/attempt.js';
import { lineWithoutOptimum } from '../play/new-puzzle.js';
import { capitalize, directionName, robotName, slideSentence, whoName } from '../speech/sentences.js';
import { fill, h } from '../ui/dom.js';
import { tool } from '../ui/icons.js';
import { settings } from '../ui/settings.js';
import { playSound } from '../ui/sound.js';
import { t } from '../words/learn.js';
import { t as tPlay } from '../words/play.js';

const HINT_MS = 8000;

/**
 * @typedef {object} PracticeEvents
 * @property {(slide: Slide) => void} moved a move that did not solve it
 * @property {() => void} solved
 * @property {() => void} takenBack
 */

export class Practice {
  /** @param {App} app @param {PracticeEvents} events */
  constructor(app, events) {
    this.app = app;
    this.events = events;
    this.leaving = new AbortController();
    /** Cancels hints when the position changes. */
    this.thinking = new AbortController();
    /** @type {Attempt | null} */
    this.attempt = null;
    this.message = h('div', { class: 'learn-message' });
    this.undoTool = tool('undo', t('undo'), () => this.undo());
    this.resetTool = tool('reset', t('reset'), () => this.reset());
    app.board.on('move', ({ robot, direction }) => this.move(robot, direction), this.leaving.signal);
    app.board.on('miss', (_, event) => {
      event.preventDefault();
      this.#onMiss();
    }, this.leaving.signal);
  }

  close() {
    this.leaving.abort();
    delete this.app.board.host.dataset.cells;
    this.thinking.abort();
  }

  /** @param {View} view */
  show(view) {
    const { board } = this.app;
    this.attempt = new Attempt(view, []);
    delete board.host.dataset.message;
    board.host.dataset.cells = view.width <= 8 ? 'few' : 'many';
    board.input = 'slides';
    board.show(view);
    board.select(view.goal.robot ? LETTERS.indexOf(view.goal.robot) : null);
    this.setMessage([]);
    this.#changed();
  }

  /** @param {(Node | string)[]} content @param {'good' | 'plain'} [tone] */
  setMessage(content, tone = 'plain') {
    this.message.dataset.tone = content.length ? tone : '';
    fill(this.message, content);
  }

  /** Writes a text and says it. @param {string} text @param {'good' | 'plain'} [tone] */
  remark(text, tone = 'plain') {
    this.setMessage([h('p', {}, text)], tone);
    this.app.say(text, this.message);
  }

  /** @param {number} robot @param {Direction} direction */
  move(robot, direction) {
    const { app, attempt } = this;
    if (!attempt || app.board.input !== 'slides') return;
    if (attempt.solved) {
      app.tell(tPlay('alreadySolved'));
      return;
    }
    const slide = attempt.slideOf(robot, direction);
    if (!isMove(slide)) {
      this.setMessage([h('p', {}, slideSentence(slide))]);
      app.say(slideSentence(slide), this.message);
      playSound('bump');
      return;
    }
    app.say(slideSentence(slide));
    if (app.board.selected !== robot) app.board.select(robot);
    const solved = attempt.play(slide);
    const moves = attempt.moves.length;
    playSound(solved ? 'solved' : 'slide');
    this.setMessage([]);
    void app.board.slide(slide).then(() => {
      if (this.attempt === attempt && attempt.moves.length === moves) this.#trails();
    });
    if (solved) app.board.select(null);
    this.#changed(false);
    if (solved) this.events.solved();
    else this.events.moved(slide);
  }

  /** A cell where the robot does not stop: it stays chosen, since a newcomer would not know what was lost. */
  #onMiss() {
    const { app, attempt } = this;
    if (!attempt || attempt.solved) return;
    const { selected } = app.board;
    this.remark(selected === null ? t('chooseRobot') : t('notThereYet', { robot: capitalize(robotName(selected)) }));
  }

  undo() {
    this.#walk(this.attempt?.undo() ?? false);
  }

  reset() {
    this.#walk(this.attempt?.reset() ?? false);
  }

  /** @param {boolean} changed */
  #walk(changed) {
    const { app, attempt } = this;
    if (!attempt || app.board.input !== 'slides') return;
    if (!changed) {
      app.say(tPlay('atStart'));
      return;
    }
    app.board.place(attempt.robots, true);
    if (app.board.selected === null && attempt.view.goal.robot) app.board.select(LETTERS.indexOf(attempt.view.goal.robot));
    this.setMessage([]);
    this.#changed();
    app.say(attempt.moves.length ? tPlay('undone', { n: attempt.moves.length }) : tPlay('atStart'));
    this.events.takenBack();
  }

  /** Shows the best move of the position. */
  async showBestMove() {
    const { app, attempt, thinking } = this;
    if (!attempt || attempt.solved) return;
    const { moves } = attempt;
    try {
      const position = await app.engine.ask('position', { puzzle: lineWithoutOptimum(attempt.view), moves, limits: { ms: HINT_MS } }, { signal: thinking.signal });
      const best = position.moves.find((one) => one.best);
      const move = best && parseMove(best.move);
      if (!move || attempt !== this.attempt || attempt.moves !== moves) return;
      const slide = slideRobot(attempt.view, attempt.robots, move.robot, move.direction);
      app.board.setRings([slide.from], 'hint');
      app.board.setArrows([{ from: slide.from, to: slide.to, path: slide.path, color: LETTERS[move.robot], best: true }]);
      app.board.select(move.robot);
      this.remark(tPlay('hintMove', { robot: capitalize(robotName(move.robot)), direction: directionName(move.direction) }));
    } catch (error) {
      app.report(error);
    }
  }

  /** What a slide shows that can be said of any puzzle; null if nothing. @param {Slide} slide */
  observe(slide) {
    const goal = this.attempt?.view.goal;
    if (!goal) return null;
    const robot = capitalize(robotName(slide.robot));
    const isGoalRobot = goal.robot === LETTERS[slide.robot];
    if (isGoalRobot && slide.path.some((cell) => sameCell(cell, goal.cell))) return t('slidPast', { robot });
    if (!isGoalRobot && sameCell(slide.to, goal.cell)) return t('notItsTarget', { robot, who: whoName(goal.robot) });
    return null;
  }

  /** Keys that all exercises have. @returns {Binding[]} */
  keys() {
    return [
      { key: 'u', does: t('keyUndo'), run: () => this.undo(), word: 'undo' },
      { key: 'Backspace', does: t('keyUndo'), run: () => this.undo() },
      { key: '0', does: t('keyReset'), run: () => this.reset(), word: 'reset' },
    ];
  }

  /** @param {boolean} [trails] */
  #changed(trails = true) {
    const { app, attempt } = this;
    this.thinking.abort();
    this.thinking = new AbortController();
    app.board.setRings([], 'hint');
    app.board.setArrows([]);
    this.undoTool.disabled = !attempt?.moves.length;
    this.resetTool.disabled = !attempt?.moves.length;
    if (trails) this.#trails();
  }

  #trails() {
    const { app, attempt } = this;
    if (!attempt) return;
    app.board.setTrails(settings.trails ? attempt.line.steps : []);
    app.board.setLast(attempt.line.steps.at(-1) ?? null);
  }
}
