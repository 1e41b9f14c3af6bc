// The mode Watch: any puzzle, any algorithm with its switches, watched step by step.

/** @import {AnswerOf, Binding, Mode, Route, View} from '../../types/page.d.ts' */
/** @import {App} from '../app/app.js' */
import { openPuzzle } from '../app/puzzle.js';
import { isAbort } from '../engine/errors.js';
import { mayTellSolution } from '../play/spoilers.js';
import { button, fill, h, loadStyle, section } from '../ui/dom.js';
import { checkbox, chips, select } from '../ui/form-fields.js';
import { load, save } from '../ui/storage.js';
import { switchableTabs } from '../ui/tabs.js';
import { t as tPage } from '../words/page.js';
import { summaryText, switchText } from '../words/solvers.js';
import { t } from '../words/watch.js';
import { WatchFigure } from './figure.js';
import { Race, settingName } from './race.js';
import { ABLATIONS, Run, TRACE } from './run.js';
import { verdictText } from './sentences.js';

/** Shown when the address names no puzzle: small enough to watch a whole search. */
const SAMPLE = '4x4..003033.R11';
/** The most cells of a board whose search can be watched as a whole. */
const SMALL = 100;
const DEFAULT = 'iddfs';
/** The place of the questions among the parts. */
const QUIZ = 4;
/** Windows with room for all parts of a search at once; watch.css has the same. */
const COLUMNS = '(min-width: 1100px) and (min-height: 521px)';

/** @typedef {AnswerOf<'solvers'>['solvers'][number]} SolverInfo */

class Watch {
  /** @param {App} app */
  constructor(app) {
    void loadStyle('watch');
    this.app = app;
    this.leaving = new AbortController();
    /** The search that is being asked for. @type {AbortController | null} */
    this.asking = null;
    /** @type {View | null} */
    this.view = null;
    /** @type {SolverInfo[]} */
    this.solvers = [];
    this.spec = DEFAULT;
    this.against = '';
    /** What both searches of a race have the same of. @type {'nodes' | 'time'} */
    this.raceBy = 'nodes';
    this.addressSoon = 0;
    this.race = new Race();
    this.figure = new WatchFigure(app.board, { onstep: (at) => this.#stepped(at), say: (text) => app.announcer.say(text), onask: () => this.parts.choose(QUIZ) });
    this.intro = h('p', { class: 'watch-intro' }, t('intro'));
    this.verdict = h('p', { class: 'watch-verdict', role: 'status' });
    this.choice = h('div', { class: 'stack' });
    this.switches = h('div', {});
    this.ablations = h('div', { class: 'row' });
    this.small = h('p', { class: 'soft', hidden: true }, t('tooLarge'));
    this.smallBoard = button(t('smallBoard'), () => this.app.go({ mode: 'watch', line: SAMPLE, moves: [], more: {} }), { class: 'small' });
    this.opponents = h('div', {});
    this.quizBox = checkbox(t('quizOn'), false, (on) => this.figure.ask(on));
    const { figure } = this;
    figure.playButton.classList.add('primary');
    // They scroll.
    figure.counters.tabIndex = 0;
    figure.code.tabIndex = 0;
    this.parts = switchableTabs(t('parts'), [
      { title: t('codeTab'), name: 'code-part', content: [figure.code] },
      { title: t('treeTab'), name: 'tree-part', content: [figure.tree.element] },
      { title: t('counters'), name: 'counters-part', content: [figure.counters] },
      { title: t('memoTab'), name: 'memo-part', content: [h('p', { class: 'soft' }, t('memoHits')), figure.hits] },
      { title: t('quizTab'), name: 'quiz-part', content: [this.quizBox, h('p', { class: 'soft' }, t('quizWhy')), figure.quiz] },
    ], { columns: matchMedia(COLUMNS), signal: this.leaving.signal });
    fill(app.panel, [
      h('h2', { class: 'unseen' }, tPage('watch')),
      h('section', { class: 'watch-now', 'aria-label': t('scrub') }, this.intro, figure.sentence),
      this.parts.element,
      h('section', { class: 'card stack', 'aria-label': t('solver') },
        h('div', { class: 'watch-setup' }, this.choice, h('div', { class: 'stack' }, h('h3', {}, t('ablations')), this.ablations, h('p', { class: 'soft small-text' }, t('ablationsWhy')))),
        this.verdict, this.small,
        h('div', { class: 'row' }, button(t('randomBoard'), () => this.#random(), { class: 'small' }), this.smallBoard, button(t('share'), () => this.#share(), { class: 'small' }))),
      section(t('switches'), [this.switches]),
      section(t('raceTitle'), [this.opponents]),
      section(t('log'), [figure.log]),
      h('p', { class: 'card' }, h('a', { href: '#read' }, t('readMore'))),
    ]);
    app.board.input = 'none';
    app.setUnder([this.race.host, this.race.table, figure.player]);
    app.board.on('step', ({ by }, event) => {
      event.preventDefault();
      figure.step(by);
    }, this.leaving.signal);
  }

  /** @param {Route} route */
  async open(route) {
    if (!(await mayTellSolution(this.app, route.line))) return;
    const line = route.line || SAMPLE;
    const opened = await openPuzzle(this.app, { ...route, line, moves: [] }, this.leaving.signal);
    if (!opened) return;
    this.view = opened.view;
    document.body.style.setProperty('--board-cells', String(Math.max(this.view.width, this.view.height)));
    this.app.board.input = 'none';
    if (!this.solvers.length) {
      const { solvers } = await this.app.engine.ask('solvers', {}, { signal: this.leaving.signal });
      this.solvers = solvers.filter(({ name }) => name !== 'tablebase');
    }
    this.spec = route.more.solver || load('watch.solver', DEFAULT);
    this.against = route.more.against ?? '';
    this.raceBy = route.more.by === 'time' ? 'time' : 'nodes';
    await this.#search(Number(route.more.step) || 0);
  }

  close() {
    this.leaving.abort();
    this.asking?.abort();
    this.figure.pause();
    clearTimeout(this.addressSoon);
    document.body.style.removeProperty('--board-cells');
    this.app.board.setRings([], 'hint');
  }

  /** The solver's name and its switches. */
  #parts() {
    const [name, ...pairs] = this.spec.split(':');
    return { name, set: new Map(pairs.map((pair) => /** @type {[string, string]} */ (pair.split('=', 2)))) };
  }

  #drawChoice() {
    const { name, set } = this.#parts();
    const info = this.solvers.find((one) => one.name === name);
    const solvers = /** @type {[string, string][]} */ (this.solvers.map((one) => [one.name, one.name]));
    const switches = (info?.parameters ?? []).filter(({ default: value }) => value === 'on' || value === 'off' || value === 'keep');
    fill(this.choice, [
      select(t('solver'), solvers, name, (wanted) => this.#choose(wanted)),
      info && h('p', { class: 'soft small-text' }, summaryText(info)),
    ]);
    fill(this.switches, switches.length === 0 ? [t('noSwitches')] : switches.map((parameter) => {
      const { key, default: value } = parameter;
      const [yes, no] = value === 'keep' ? ['keep', 'drop'] : ['on', 'off'];
      return checkbox(`${key}: ${switchText(parameter)}`, (set.get(key) ?? value) === yes, (on) => {
        const now = on ? yes : no;
        if (now === value) set.delete(key);
        else set.set(key, now);
        this.#choose([name, ...[...set].map((pair) => pair.join('='))].join(':'));
      });
    }));
    fill(this.ablations, [
      ...ABLATIONS.map(([spec, word]) => button(t(word), () => this.#raceAblation(spec), { class: 'small', 'aria-pressed': String(spec === this.spec && this.against === opponentOf(spec)) })),
      this.against !== '' && button(t('raceEnd'), () => this.#raceAgainst(''), { class: 'small quiet' }),
    ]);
    /** @type {[string, string][]} */
    const opponents = [['', t('raceNobody')], ...ABLATIONS.map(([spec]) => /** @type {[string, string]} */ ([spec, settingName(spec)])), ...solvers.filter(([spec]) => spec !== DEFAULT)];
    if (!opponents.some(([spec]) => spec === this.against)) opponents.push([this.against, this.against]);
    fill(this.opponents, [select(t('raceAgainst'), opponents, this.against, (spec) => this.#raceAgainst(spec)),
      chips(t('raceBy'), /** @type {const} */ ([['nodes', t('raceByNodes')], ['time', t('raceByTime')]]), this.raceBy, (by) => { this.raceBy = by; void this.#search(this.figure.run?.at ?? 0); })]);
  }

  /** @param {string} spec */
  #raceAblation(spec) {
    this.against = opponentOf(spec);
    this.#choose(spec);
  }

  /** @param {string} spec */
  #raceAgainst(spec) {
    this.against = spec;
    void this.#search(this.figure.run?.at ?? 0);
  }

  /** @param {string} spec */
  #choose(spec) {
    this.spec = spec;
    save('watch.solver', spec);
    void this.#search(0);
  }

  /** @param {string} spec @param {AbortSignal} signal */
  async #trace(spec, signal) {
    const puzzle = this.view?.line ?? '';
    return new Run(spec, await this.app.engine.ask('trace', { puzzle, solver: spec, ...TRACE }, { signal }));
  }

  /** Microseconds of a search that nobody watches. @param {string} spec @param {AbortSignal} signal */
  async #time(spec, signal) {
    const { micros } = await this.app.engine.ask('solve', { puzzle: this.view?.line ?? '', solver: spec, limits: TRACE.limits }, { signal });
    return Math.max(1, micros);
  }

  /** @param {number} at the step to show */
  async #search(at) {
    const { view } = this;
    if (!view) return;
    this.asking?.abort();
    const asking = new AbortController();
    this.asking = asking;
    this.#drawChoice();
    this.verdict.textContent = t('searching');
    this.small.hidden = view.width * view.height <= SMALL;
    this.smallBoard.hidden = this.small.hidden;
    try {
      const run = await this.#trace(this.spec, asking.signal);
      const other = this.against ? await this.#trace(this.against, asking.signal) : null;
      const times = other && this.raceBy === 'time' ? { own: await this.#time(this.spec, asking.signal), other: await this.#time(this.against, asking.signal) } : null;
      if (asking.signal.aborted) return;
      this.verdict.textContent = verdictText(run);
      this.race.show(view, other, times);
      this.figure.show(view, run, at);
    } catch (error) {
      if (isAbort(error)) return;
      this.verdict.textContent = await this.app.errorText(error);
    }
  }

  /** @param {number} at */
  #stepped(at) {
    const { run } = this.figure;
    this.intro.hidden = at > 0;
    if (run) this.race.follow(run);
    clearTimeout(this.addressSoon);
    this.addressSoon = window.setTimeout(() => this.#writeAddress(at), 200);
  }

  /** @param {number} at */
  #writeAddress(at) {
    /** @type {Record<string, string>} */
    const more = { solver: this.spec };
    if (this.against) more.against = this.against;
    if (this.against && this.raceBy === 'time') more.by = 'time';
    if (at > 0) more.step = String(at);
    this.app.setAddress({ mode: 'watch', line: this.view?.line ?? '', moves: [], more });
  }

  #share() {
    this.#writeAddress(this.figure.run?.at ?? 0);
    void this.app.copy(location.href);
  }

  async #random() {
    try {
      const fields = { size: /** @type {[number, number]} */ ([6, 6]), robots: 3, moves: /** @type {[number, number]} */ ([3, 5]) };
      const answer = await this.app.engine.ask('generate', fields, { signal: this.leaving.signal });
      await this.app.go({ mode: 'watch', line: answer.puzzle?.line ?? '', moves: [], more: { solver: this.spec } });
    } catch (error) {
      void this.app.report(error);
    }
  }

  /** @returns {Binding[]} */
  keys() {
    const { figure } = this;
    return [
      { key: 'ArrowRight', does: t('keyStep'), run: () => figure.step(1), word: 'next' },
      { key: 'ArrowLeft', does: t('keyStep'), run: () => figure.step(-1), word: 'back' },
      { key: 'Home', does: t('toStart'), run: () => figure.moveTo(0) },
      { key: 'End', does: t('toEnd'), run: () => figure.moveTo(figure.run?.length ?? 0) },
      { key: ' ', does: t('keyPlay'), run: () => figure.toggle(), word: 'play' },
      { key: 'p', does: t('keyPrune'), run: () => figure.jump('prune'), word: 'prune' },
      { key: 'n', does: t('keyIteration'), run: () => figure.jump('iteration'), word: 'iteration' },
      { key: 's', does: t('keySolution'), run: () => figure.jump('solution'), word: 'solution' },
      { key: 'p', shift: true, does: t('keyPruneBack'), run: () => figure.jump('prune', -1) },
      { key: 'n', shift: true, does: t('keyIterationBack'), run: () => figure.jump('iteration', -1) },
      { key: 's', shift: true, does: t('keySolutionBack'), run: () => figure.jump('solution', -1) },
      { key: 'a', does: t('keyAsk'), run: () => this.#toggleQuiz(), word: 'ask' },
    ];
  }

  #toggleQuiz() {
    const box = /** @type {HTMLInputElement} */ (this.quizBox.querySelector('input'));
    box.checked = !box.checked;
    this.figure.ask(box.checked);
  }
}

/** Whom an improvement races against: all of them together, and those the search without any. @param {string} spec */
const opponentOf = (spec) => (spec === DEFAULT ? ABLATIONS[0][0] : DEFAULT);

/** @param {App} app @returns {Mode} */
export const start = (app) => new Watch(app);
