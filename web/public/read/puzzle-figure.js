// A figure of a chapter: a board that the reader can change, and what the engine says about it.

/** @import {AnswerOf, AskOptions, Cell, Question, RequestOf, View} from '../../types/page.d.ts' */
/** @import {App} from '../app/app.js' */
/** @import {Child} from '../ui/dom.js' */
import { formatRoute } from '../app/route.js';
import { readValidPuzzle } from '../app/puzzle.js';
import { Board } from '../board/board.js';
import { LETTERS, isClosed } from '../board/rules.js';
import { moveRobot, setGoal, setGoalRobot, toggleWall } from '../edit/draft.js';
import { EngineError, isAbort } from '../engine/errors.js';
import { capitalize, robotName } from '../speech/sentences.js';
import { button, fill, h, section } from '../ui/dom.js';
import { chips } from '../ui/form-fields.js';
import { isMotionOn } from '../ui/settings.js';
import { t } from '../words/read.js';

/** @typedef {RequestOf<'generate'>} RandomPuzzle */
/** @typedef {readonly (readonly [line: string, name: string])[]} Choices */
/** @typedef {'goal' | 'walls' | number} Tool what a tap on the board changes; a number is a robot */

/**
 * @typedef {object} FigureOptions
 * @property {string} id in the address, unique in its chapter
 * @property {string} title
 * @property {string} caption what to try
 * @property {Choices} puzzles the first one is shown
 * @property {RandomPuzzle} [random] what a random puzzle is like
 * @property {(view: View, signal: AbortSignal) => void | Promise<void>} update shows a puzzle; called again for every change
 * @property {boolean} [taps] a tap changes the board even while the section for that is closed
 * @property {string} [watch] the solver of the link to Watch
 */

export class PuzzleFigure {
  /** @param {App} app @param {AbortSignal} leaving @param {FigureOptions} options @param {...Child} content below the board */
  constructor(app, leaving, options, ...content) {
    this.app = app;
    this.leaving = leaving;
    this.options = options;
    /** @type {View | null} */
    this.view = null;
    /** @type {Tool} */
    this.tool = 'goal';
    /** @type {AbortController | null} */
    this.asking = null;
    this.started = false;
    const { id, title, caption } = options;
    const own = app.position?.line;
    /** @type {(readonly [string, string])[]} */
    this.choices = [...options.puzzles, ...(own && !options.puzzles.some(([line]) => line === own) ? [/** @type {const} */ ([own, t('yours')])] : [])];
    this.host = h('div', { class: 'figure-board' });
    this.board = new Board(this.host, { motion: isMotionOn });
    this.message = h('p', { class: 'refusal', role: 'alert' });
    this.links = h('p', { class: 'row small-text' });
    this.tools = h('div', {});
    this.change = section(t('change'), [
      chips(t('puzzle'), this.choices, this.choices[0][0], (line) => void this.#read(line)),
      h('div', { class: 'row' }, button(t('random'), () => void this.#random(), { class: 'small' })),
      this.tools,
      this.links,
    ]);
    this.change.classList.add('read-change');
    this.change.addEventListener('toggle', () => this.#setInput());
    this.element = h('figure', { class: 'read-figure stack', id: `figure-${id}`, 'aria-labelledby': `figure-${id}-title` },
      h('h3', { id: `figure-${id}-title` }, title),
      h('p', { class: 'try' }, h('b', {}, t('try')), ' ', caption),
      this.host,
      this.message,
      ...content,
      this.change,
    );
    this.#setInput();
    this.board.on('cell', ({ cell, edge }) => this.#tap(cell, edge), leaving);
    this.board.on('drop', ({ robot, cell }) => this.view && this.#edit(moveRobot(this.view, robot, cell)), leaving);
    // What is far from the reader's eyes need not be asked for.
    const sight = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) this.start();
    }, { rootMargin: '300px' });
    sight.observe(this.element);
    leaving.addEventListener('abort', () => {
      sight.disconnect();
      this.asking?.abort();
    });
  }

  /** Shows the first puzzle, unless one is shown already. */
  start() {
    if (this.started) return;
    this.started = true;
    void this.#read(this.choices[0][0]);
  }

  /** @param {string} line */
  open(line) {
    this.started = true;
    return this.#read(line);
  }

  /** @template {Question} Q @param {Q} question @param {RequestOf<Q>} fields @param {AskOptions} [options] @returns {Promise<AnswerOf<Q>>} */
  ask(question, fields, options) {
    return this.app.engine.ask(question, fields, { signal: this.leaving, ...options });
  }

  #setInput() {
    this.board.input = this.options.taps || this.change.open ? 'edit' : 'none';
  }

  /** @param {(signal: AbortSignal) => Promise<View>} find */
  async #show(find) {
    this.asking?.abort();
    const asking = new AbortController();
    this.asking = asking;
    delete this.element.dataset.ready;
    try {
      const view = await find(asking.signal);
      if (asking.signal.aborted) return;
      const { problems } = view;
      if (problems.length) throw new EngineError('invalid', problems.map(({ message }) => message).join('; '), { problems });
      fill(this.message, []);
      this.view = view;
      this.board.show(view);
      this.board.setOverlay(null);
      this.#drawTools(view);
      await this.options.update(view, asking.signal);
      if (!asking.signal.aborted) this.element.dataset.ready = 'yes';
    } catch (error) {
      if (isAbort(error) || asking.signal.aborted) return;
      fill(this.message, [await this.app.errorText(error)]);
      if (this.view) this.board.place(this.view.robots);
      this.element.dataset.ready = 'yes';
    }
  }

  /** @param {string} line */
  #read(line) {
    return this.#show((signal) => readValidPuzzle(this.app, line, signal));
  }

  #random() {
    const fields = this.options.random ?? { size: /** @type {[number, number]} */ ([6, 6]), robots: 3, moves: /** @type {[number, number]} */ ([3, 5]) };
    return this.#show(async (signal) => {
      const { puzzle } = await this.ask('generate', fields, { signal });
      if (!puzzle) throw new Error(t('noRandom'));
      return puzzle;
    });
  }

  /** @param {View} draft */
  #edit(draft) {
    return this.#show((signal) => this.ask('validate', { setup: draft }, { signal }));
  }

  /** @param {Cell} cell @param {import('../../types/page.d.ts').Direction | null} edge */
  #tap(cell, edge) {
    const { view, tool } = this;
    if (!view) return;
    if (tool === 'walls') {
      if (edge) void this.#edit(toggleWall(view, cell, edge));
    } else if (!isClosed(view, cell)) {
      void this.#edit(tool === 'goal' ? setGoalRobot(setGoal(view, cell), view.goal.robot ?? null) : moveRobot(view, tool, cell));
    }
  }

  /** @param {View} view */
  #drawTools(view) {
    if (typeof this.tool === 'number' && this.tool >= view.robots.length) this.tool = 'goal';
    /** @type {(readonly [string, string])[]} */
    const options = [['goal', t('target')], ...view.robots.map((_, robot) => /** @type {const} */ ([String(robot), capitalize(robotName(robot))])), ['walls', t('walls')]];
    const drawn = this.tools.querySelectorAll('input').length;
    if (drawn !== options.length) {
      fill(this.tools, [chips(t('tapPlaces'), options, String(this.tool), (wanted) => { this.tool = wanted === 'goal' || wanted === 'walls' ? wanted : Number(wanted); }), h('p', { class: 'soft small-text' }, t('tapHelp'))]);
    }
    const line = view.line ?? '';
    /** @type {(mode: 'watch' | 'edit' | 'analyse', more?: Record<string, string>) => string} */
    const to = (mode, more = {}) => formatRoute({ mode, line, moves: [], more });
    fill(this.links, [
      h('a', { href: to('watch', this.options.watch ? { solver: this.options.watch } : {}) }, t('watchIt')),
      h('a', { href: to('edit') }, t('editIt')),
      h('a', { href: to('analyse') }, t('analyseIt')),
    ]);
  }
}

/** The robot that has to reach the target; the first one if any may. @param {View} view */
export const goalRobot = (view) => Math.max(0, LETTERS.indexOf(view.goal.robot ?? 'R'));
