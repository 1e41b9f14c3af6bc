// A search to watch: steps, board, tree, pseudocode, counters, sentences and questions. It needs a board and an
// element, so that a page of text can hold one as well as the mode Watch does.

/** @import {Cell, View} from '../../types/page.d.ts' */
/** @import {Board} from '../board/board.js' */
/** @import {Run, TraceEvent} from './run.js' */
/** @import {Question} from './quiz.js' */
import { LETTERS, replay } from '../board/rules.js';
import { button, fill, fillKeyed, h, setText } from '../ui/dom.js';
import { icon } from '../ui/icons.js';
import { t } from '../words/watch.js';
import { currentLanguage } from '../words/words.js';
import { algorithmOf, isOff, lineOf } from './pseudocode.js';
import { Score, nextQuestion, questionAt } from './quiz.js';
import { JUMPS } from './run.js';
import { SearchTree } from './search-tree.js';
import { eventContent, eventSentence, factsText, formulaOf, letterText, moveText } from './sentences.js';

/** Events per second that can be chosen. */
export const SPEEDS = [1, 4, 20, 100, 1000];
/** Sentences that the log keeps. */
const LOG = 30;
/** What can be jumped to, with its names. */
const JUMP_WORDS = /** @type {const} */ ([
  ['prune', 'shortPrune', 'nextPrune', 'previousPrune'],
  ['iteration', 'shortIteration', 'nextIteration', 'previousIteration'],
  ['solution', 'shortSolution', 'nextSolution', 'previousSolution'],
]);

export class WatchFigure {
  /**
   * @param {Board} board
   * @param {{onstep?: (at: number) => void, say?: (text: string) => void}} [options]
   */
  constructor(board, { onstep, say } = {}) {
    this.board = board;
    this.onstep = onstep ?? (() => {});
    this.say = say ?? (() => {});
    /** @type {Run | null} */
    this.run = null;
    /** @type {View | null} */
    this.view = null;
    this.speed = SPEEDS[1];
    /** The time of the last frame while it plays; 0 while it does not. */
    this.playing = 0;
    this.owed = 0;
    this.frame = 0;
    /** Whether it stops before events and asks. */
    this.asks = false;
    this.score = new Score();
    /** @type {Question | null} */
    this.question = null;

    this.slider = h('input', { type: 'range', min: '0', max: '0', value: '0', class: 'scrub', 'aria-label': t('scrub'), oninput: () => this.goTo(Number(this.slider.value)) });
    this.place = h('span', { class: 'watch-place' });
    // Each step is announced by `say`, so it is not a live region itself.
    this.sentence = h('p', { class: 'watch-sentence' });
    this.facts = h('p', { class: 'watch-facts' });
    this.playButton = button(t('play'), () => this.toggle(), { class: 'watch-play' });
    this.controls = h('div', { class: 'watch-controls', role: 'group', 'aria-label': t('controls') },
      this.#tool('first', t('toStart'), () => this.moveTo(0)),
      this.#tool('previous', t('back'), () => this.step(-1)),
      this.playButton,
      this.#tool('next', t('forward'), () => this.step(1)),
      this.#tool('last', t('toEnd'), () => this.moveTo(this.run?.length ?? 0)),
    );
    this.speeds = h('select', { 'aria-label': t('speed'), onchange: () => { this.speed = Number(this.speeds.value); } },
      ...SPEEDS.map((speed) => h('option', { value: String(speed), selected: speed === this.speed }, t('perSecond', { n: speed }))));
    this.jumps = h('div', { class: 'row watch-jumps' }, ...JUMP_WORDS.map(([what, name, next, previous]) =>
      h('div', { class: 'watch-jump' },
        h('button', { type: 'button', 'aria-label': t(previous), title: t(previous), onclick: () => this.jump(what, -1) }, icon('previous')),
        h('span', { 'aria-hidden': 'true' }, t(name)),
        h('button', { type: 'button', 'aria-label': t(next), title: t(next), onclick: () => this.jump(what) }, icon('next')))));
    this.quiz = h('div', { class: 'watch-quiz stack' });
    this.quizNote = h('p', { class: 'soft' });
    this.code = h('ol', { class: 'watch-code', 'aria-label': t('code') });
    this.counters = h('div', { class: 'watch-counters' });
    this.hits = h('ul', { class: 'watch-hits' });
    this.tree = new SearchTree((at) => this.moveTo(at));
    /** What writes the counters anew. @type {() => void} */
    this.count = () => {};
    /** Where each line of the pseudocode begins, and the last one ends. @type {number[]} */
    this.lineEnds = [];
    this.codeHeight = 0;
    new ResizeObserver(() => this.#measureCode()).observe(this.code);
    this.log = h('ol', { class: 'watch-log', reversed: true, 'aria-label': t('log'), tabIndex: 0 });
    this.player = h('div', { class: 'stack watch-player' }, this.controls, h('div', { class: 'watch-scrub' }, this.slider, this.place, this.speeds), this.jumps);
  }

  /** @param {Parameters<typeof icon>[0]} name @param {string} label @param {() => void} run */
  #tool(name, label, run) {
    return h('button', { type: 'button', class: 'icon-button', 'aria-label': label, title: label, onclick: run }, icon(name));
  }

  /** Shows a search from a moment on. @param {View} view @param {Run} run @param {number} [at] */
  show(view, run, at = 0) {
    this.pause();
    this.view = view;
    this.run = run;
    this.score = new Score();
    this.slider.max = String(run.length);
    const { lines } = algorithmOf(run.solver);
    const language = currentLanguage() === 'de' ? 1 : 0;
    fill(this.code, lines.map((line) => {
      if (!isOff(run.spec, line)) return h('li', {}, h('code', {}, line[language]));
      return h('li', { class: 'off' }, h('code', {}, h('del', {}, line[language])), h('span', { class: 'unseen' }, t('lineOff')));
    }));
    this.#measureCode();
    this.#makeCounters(run);
    this.board.show(view);
    this.tree.show(run);
    this.goTo(at);
  }

  /** @param {number} at */
  goTo(at) {
    const { run } = this;
    if (!run) return;
    run.goTo(at);
    this.question = this.asks ? questionAt(run) : null;
    this.#draw();
    this.onstep(run.at);
  }

  /** Goes somewhere and says what is there. @param {number} at */
  moveTo(at) {
    this.pause();
    this.goTo(at);
    this.#tell();
  }

  #tell() {
    const { run } = this;
    if (run) this.say(eventSentence(run, run.event));
  }

  /** @param {1 | -1} by */
  step(by) {
    if (!this.run) return;
    if (by > 0 && this.question) this.#insist();
    else this.moveTo(this.run.at + by);
  }

  /** @param {keyof typeof JUMPS} what @param {1 | -1} [by] */
  jump(what, by = 1) {
    const at = this.run?.find(JUMPS[what], by) ?? null;
    this.pause();
    if (at === null) this.say(t(by > 0 ? 'noMore' : 'noneBefore'));
    else this.moveTo(at);
  }

  toggle() {
    if (this.playing) this.pause();
    else if (this.question) this.#insist();
    else this.#start();
  }

  /** A question waits for its answer: it may be out of sight. */
  #insist() {
    this.quiz.scrollIntoView();
    const question = /** @type {HTMLElement | null} */ (this.quiz.querySelector('.quiz-question'));
    question?.focus({ preventScroll: true });
    setText(this.quizNote, t('answerFirst'));
    this.say(t('answerFirst'));
  }

  #start() {
    const { run } = this;
    if (!run) return;
    if (run.at === run.length) this.goTo(0);
    this.playing = performance.now();
    this.owed = 0;
    this.#showPlaying(true);
    const tick = (/** @type {number} */ now) => {
      if (!this.playing) return;
      this.owed += (Math.max(0, now - this.playing) * this.speed) / 1000;
      this.playing = now;
      let due = Math.floor(this.owed);
      this.owed -= due;
      if (due > 0) {
        let to = Math.min(run.length, run.at + due);
        if (this.asks) {
          const asked = nextQuestion(run);
          if (asked !== null && asked <= to) {
            to = asked;
            due = 0;
          }
        }
        this.goTo(to);
        if (to === run.length || this.question) {
          this.pause();
          this.#tell();
        }
      }
      this.frame = requestAnimationFrame(tick);
    };
    this.frame = requestAnimationFrame(tick);
  }

  pause() {
    if (!this.playing) return;
    this.playing = 0;
    cancelAnimationFrame(this.frame);
    this.#showPlaying(false);
  }

  /** @param {boolean} plays */
  #showPlaying(plays) {
    this.playButton.textContent = plays ? t('pause') : t('play');
  }

  /** @param {boolean} on */
  ask(on) {
    this.asks = on;
    this.score = new Score();
    this.goTo(this.run?.at ?? 0);
    if (on && !this.question) this.nextQuestion();
    if (this.question) this.quiz.scrollIntoView();
  }

  /** Goes to the next moment that can be asked about. */
  nextQuestion() {
    const { run } = this;
    if (!run) return;
    const at = nextQuestion(run);
    if (at === null) this.say(t('noMore'));
    else this.goTo(at);
  }

  /** @param {Question} question @param {string} guess */
  #answer(question, guess) {
    const { run } = this;
    if (!run) return;
    const right = this.score.count(question, guess);
    this.question = null;
    run.goTo(run.at + 1);
    this.#draw();
    this.onstep(run.at);
    const verdict = t(right ? 'right' : 'wrong', { answer: optionText(question, question.answer) });
    const text = [verdict, eventSentence(run, run.event), factsText(run)].filter(Boolean).join(' ');
    fill(this.quiz, [
      h('p', { class: right ? 'quiz-right' : 'quiz-wrong' }, text),
      h('p', { class: 'soft' }, t('score', { right: this.score.right, asked: this.score.asked })),
      button(t('nextQuestion'), () => { this.nextQuestion(); }),
    ]);
    this.say(`${text} ${t('score', { right: this.score.right, asked: this.score.asked })}`);
  }

  #draw() {
    const { run, view } = this;
    if (!run || !view) return;
    const { event } = run;
    this.slider.value = String(run.at);
    this.slider.setAttribute('aria-valuetext', t('place', { at: run.at, n: run.length }));
    this.place.textContent = t('place', { at: run.at, n: run.length });
    fill(this.sentence, eventContent(run, event));
    setText(this.facts, factsText(run));
    this.#drawBoard(run, view);
    this.#drawCode(run);
    this.count();
    this.#drawQuiz();
    fillKeyed(this.hits, run.lastHits.length === 0 ? [['none', () => h('li', { class: 'soft' }, t('noHits'))]] : run.lastHits.map((hit) => [`${run.name} ${hit.number}`, () => this.#hit(run, hit)]));
    this.tree.update();
    const from = Math.max(0, run.at - LOG);
    const sentences = run.events.slice(from, run.at).reverse();
    if (!this.playing || this.speed <= SPEEDS[1]) {
      this.log.start = run.at;
      fillKeyed(this.log, sentences.map((past) => [`${run.name} ${past.number}`, () => h('li', { value: past.number + 1 }, ...eventContent(run, past))]));
    }
  }

  /** A hit of the memo; it leads to the node that was there first. @param {Run} run @param {TraceEvent} hit */
  #hit(run, hit) {
    const same = run.nodes.get(hit.same_as ?? -1);
    return h('li', {}, button(t('hit', { id: hit.id ?? '', same: hit.same_as ?? '' }), () => same && this.moveTo(same.made + 1), { class: 'quiet small' }));
  }

  /** @param {Run} run @param {View} view */
  #drawBoard(run, view) {
    const { board } = this;
    const { event, node } = run;
    const moves = run.solutionAtEnd ?? (event?.type === 'solution' ? (event.moves ?? []) : run.path(node));
    const played = replay(view, moves);
    const isPosition = !played.failed && event?.type !== 'final' && run.solver !== 'stateless';
    board.place(isPosition ? played.robots : (node?.robots ?? view.robots));
    board.setTrails(isPosition ? played.steps : []);
    const heat = run.visits.map((visits) => (visits === 0 ? null : Math.log2(1 + visits)));
    const at = (/** @type {Cell} */ [x, y]) => y * view.width + x;
    // The node on the board is seen anyway.
    const here = node && run.frontier.has(node.id) ? run.cellOf(node) : null;
    if (event?.type === 'node') {
      heat.fill(null);
      for (const cell of event.cells ?? []) heat[at(/** @type {Cell} */ (cell))] = 1;
    }
    if (event?.type === 'intermediate' && event.cell) heat[at(/** @type {Cell} */ (event.cell))] = 1;
    if (event?.type === 'prune' && event.reason === 'bound' && node) {
      const goal = view.goal.robot ? LETTERS.indexOf(view.goal.robot) : 0;
      const cell = node.robots[goal];
      const label = `${typeof event.h === 'number' ? event.h : '∞'}>${run.iteration - (event.g ?? 0)}`;
      // Above the robot, which covers its cell.
      board.setArrows([{ from: cell, to: cell, color: LETTERS[goal], label }]);
    } else board.setArrows([]);
    board.setOverlay(heat.some((value) => value !== null) ? { values: heat, labels: heat.map(() => null) } : null);
    const waiting = run.waiting.map((nodes, cell) => nodes - (here && at(here) === cell ? 1 : 0));
    board.setRings(waiting.flatMap((nodes, cell) => (nodes > 0 ? [/** @type {Cell} */ ([cell % view.width, Math.floor(cell / view.width)])] : [])), 'frontier');
  }

  /** @param {Run} run */
  #drawCode(run) {
    const line = lineOf(algorithmOf(run.solver), run.event);
    for (const [number, item] of [...this.code.children].entries()) {
      item.classList.toggle('current', number === line);
      if (number === line) item.setAttribute('aria-current', 'step');
      else item.removeAttribute('aria-current');
    }
    this.#scrollCode();
  }

  /** Brings the current line into sight: the lines scroll, but nothing around them. */
  #scrollCode() {
    const line = [...this.code.children].findIndex((item) => item.hasAttribute('aria-current'));
    if (line >= 0 && this.codeHeight > 0) this.code.scrollTop = (this.lineEnds[line] + this.lineEnds[line + 1] - this.codeHeight) / 2;
  }

  /** Where the lines are, which is dear to ask for after each step. */
  #measureCode() {
    this.codeHeight = this.code.clientHeight;
    const lines = /** @type {HTMLElement[]} */ ([...this.code.children]);
    this.lineEnds = [lines[0]?.offsetTop ?? 0, ...lines.map((one) => one.offsetTop + one.offsetHeight)];
    // The first step may have been drawn before the lines had their places.
    this.#scrollCode();
  }

  /** The table of counters of a run, and what writes its numbers. @param {Run} run */
  #makeCounters(run) {
    const number = new Intl.NumberFormat(currentLanguage());
    const { counts, prunes, total, kept } = run.trace;
    // It has neither layers nor a queue.
    const isDeepening = 'iteration' in counts;
    /** @type {[HTMLElement, () => string][]} */
    const written = [];
    const text = (/** @type {() => string} */ now, /** @type {HTMLElement} */ element) => {
      written.push([element, now]);
      return element;
    };
    const row = (/** @type {string} */ name, /** @type {() => number | undefined} */ now, /** @type {number} */ all) =>
      h('tr', {}, h('th', { scope: 'row' }, name), text(() => number.format(now() ?? 0), h('td')), h('td', { class: 'soft' }, number.format(all)));
    const rows = Object.keys(counts).filter((type) => type !== 'prune' && !(isDeepening && type === 'layer')).map((type) => row(t(/** @type {'count-expand'} */ (`count-${type}`)), () => run.counts[type], counts[type]));
    const reasons = Object.keys(prunes).map((reason) => row(t(/** @type {'reason-memo'} */ (`reason-${reason}`)), () => run.prunes[reason], prunes[reason]));
    const formula = () => {
      const found = formulaOf(run);
      if (!found) return '';
      const { now, most, formula } = found;
      return t('formula', { now: number.format(now), formula, most: most > 1e9 ? most.toExponential(1) : number.format(most) });
    };
    fill(this.counters, [
      h('table', {}, h('thead', {}, h('tr', {}, h('td', {}), h('th', { scope: 'col' }, t('soFar')), h('th', { scope: 'col' }, t('inAll')))), h('tbody', {}, ...rows, ...reasons)),
      !isDeepening && text(() => t('frontier', { n: run.frontier.size }), h('p', { class: 'soft' })),
      text(formula, h('p', { class: 'soft' })),
      total > kept && h('p', { class: 'soft' }, t('cut', { kept: number.format(kept), total: number.format(total) })),
    ]);
    this.count = () => {
      for (const [element, now] of written) setText(element, now());
    };
  }

  #drawQuiz() {
    const { question } = this;
    if (!this.asks) fill(this.quiz, []);
    else if (question) {
      setText(this.quizNote, '');
      fill(this.quiz, [
        h('p', { class: 'quiz-question', tabIndex: -1 }, questionText(question)),
        h('div', { class: 'row' }, ...question.options.map((option) => button(optionText(question, option), () => this.#answer(question, option))), button(t('skipQuestion'), () => this.moveTo((this.run?.at ?? 0) + 1), { class: 'quiet' })),
        this.quizNote,
        this.score.asked > 0 && h('p', { class: 'soft' }, t('score', { right: this.score.right, asked: this.score.asked })),
      ]);
    }
  }
}

/** @param {Question} question */
function questionText({ kind, event }) {
  if (kind === 'move') return t('whichMove', { parent: event.parent ?? '', move: moveText(event.move) });
  return kind === 'robot' ? t('whichRobot', { parent: event.parent ?? '' }) : t('whichFate', { id: event.id ?? '' });
}

/** @param {Question} question @param {string} option */
function optionText(question, option) {
  if (question.kind === 'robot') return letterText(option);
  return question.kind === 'move' ? t(/** @type {'move-made'} */ (`move-${option}`)) : t(/** @type {'fate-memo'} */ (`fate-${option}`));
}
