// A search to watch: steps, board, tree, pseudocode, counters, sentences and questions. It needs a board and an
// element, so that a page of text can hold one as well as the mode Watch does.

/** @import {Cell, View} from '../../types/page.d.ts' */
/** @import {Board} from '../board/board.js' */
/** @import {Run} from './run.js' */
/** @import {Question} from './quiz.js' */
import { LETTERS, replay } from '../board/rules.js';
import { button, fill, h } from '../ui/dom.js';
import { icon } from '../ui/icons.js';
import { t } from '../words/watch.js';
import { currentLanguage } from '../words/words.js';
import { algorithmOf, lineOf } from './pseudocode.js';
import { Score, nextQuestion, questionAt } from './quiz.js';
import { JUMPS } from './run.js';
import { SearchTree } from './search-tree.js';
import { eventContent, eventSentence, formulaOf, letterText, moveText } from './sentences.js';

/** Events per second that can be chosen. */
export const SPEEDS = [1, 4, 20, 100, 1000];
/** Sentences that the log keeps. */
const LOG = 30;

export class WatchFigure {
  /**
   * @param {Board} board
   * @param {{onstep?: (at: number) => void, say?: (text: string) => void, onask?: () => void}} [options] onask: a question is shown
   */
  constructor(board, { onstep, say, onask } = {}) {
    this.board = board;
    this.onstep = onstep ?? (() => {});
    this.say = say ?? (() => {});
    this.onask = onask ?? (() => {});
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
    this.jumps = h('div', { class: 'row watch-jumps' },
      h('span', { class: 'soft', 'aria-hidden': 'true' }, t('toNext')),
      button(t('shortPrune'), () => this.jump('prune'), { class: 'small', 'aria-label': t('nextPrune'), title: t('nextPrune') }),
      button(t('shortIteration'), () => this.jump('iteration'), { class: 'small', 'aria-label': t('nextIteration'), title: t('nextIteration') }),
      button(t('shortSolution'), () => this.jump('solution'), { class: 'small', 'aria-label': t('nextSolution'), title: t('nextSolution') }),
      this.speeds,
    );
    this.quiz = h('div', { class: 'watch-quiz stack' });
    this.code = h('ol', { class: 'watch-code', 'aria-label': t('code') });
    this.counters = h('div', { class: 'watch-counters' });
    this.hits = h('ul', { class: 'watch-hits' });
    this.tree = new SearchTree((at) => this.moveTo(at));
    this.log = h('ol', { class: 'watch-log', reversed: true, 'aria-label': t('log'), tabIndex: 0 });
    this.player = h('div', { class: 'stack watch-player' }, this.controls, h('div', { class: 'watch-scrub' }, this.slider, this.place), this.jumps);
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
    fill(this.code, lines.map((line) => h('li', {}, h('code', {}, line[language]))));
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
    if (!this.run || (by > 0 && this.question)) return;
    this.moveTo(this.run.at + by);
  }

  /** @param {keyof typeof JUMPS} what @param {1 | -1} [by] */
  jump(what, by = 1) {
    const at = this.run?.find(JUMPS[what], by) ?? null;
    this.pause();
    if (at === null) this.say(t('noMore'));
    else this.moveTo(at);
  }

  toggle() {
    if (this.playing) this.pause();
    else this.#start();
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
    const text = `${verdict} ${eventSentence(run, run.event)}`;
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
    this.#drawBoard(run, view);
    this.#drawCode(run);
    this.#drawCounters(run);
    this.#drawQuiz();
    fill(this.hits, run.lastHits.length === 0 ? [h('li', { class: 'soft' }, t('noHits'))] : run.lastHits.map((hit) => h('li', {}, t('hit', { id: hit.id ?? '', same: hit.same_as ?? '' }))));
    this.tree.update();
    const from = Math.max(0, run.at - LOG);
    const sentences = run.events.slice(from, run.at).reverse();
    if (!this.playing || this.speed <= SPEEDS[1]) {
      this.log.start = run.at;
      fill(this.log, sentences.map((past) => h('li', { value: past.number + 1 }, ...eventContent(run, past))));
    }
  }

  /** @param {Run} run @param {View} view */
  #drawBoard(run, view) {
    const { board } = this;
    const { event, node } = run;
    const moves = event?.type === 'solution' ? (event.moves ?? []) : run.path(node);
    const played = replay(view, moves);
    const isPosition = !played.failed && event?.type !== 'final' && run.solver !== 'stateless';
    board.place(isPosition ? played.robots : (node?.robots ?? view.robots));
    board.setTrails(isPosition ? played.steps : []);
    const heat = run.visits.map((visits) => (visits === 0 ? null : Math.log2(1 + visits)));
    const at = (/** @type {Cell} */ [x, y]) => y * view.width + x;
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
    /** @type {Map<string, Cell>} */
    const waiting = new Map();
    for (const id of run.frontier) {
      const open = run.nodes.get(id);
      const cell = open?.move ? open.robots[LETTERS.indexOf(open.move[0])] : null;
      // The node on the board is seen anyway.
      if (cell && open !== node) waiting.set(cell.join(), cell);
    }
    board.setRings([...waiting.values()], 'frontier');
  }

  /** @param {Run} run */
  #drawCode(run) {
    const line = lineOf(algorithmOf(run.solver), run.event);
    for (const [number, item] of [...this.code.children].entries()) {
      item.classList.toggle('current', number === line);
      if (number === line) {
        item.setAttribute('aria-current', 'step');
        // The lines scroll, but nothing around them.
        const { offsetTop, offsetHeight } = /** @type {HTMLElement} */ (item);
        this.code.scrollTop = offsetTop - (this.code.clientHeight - offsetHeight) / 2;
      }
      else item.removeAttribute('aria-current');
    }
  }

  /** @param {Run} run */
  #drawCounters(run) {
    const number = new Intl.NumberFormat(currentLanguage());
    const row = (/** @type {string} */ name, /** @type {number} */ now, /** @type {number | undefined} */ all) =>
      h('tr', {}, h('th', { scope: 'row' }, name), h('td', {}, number.format(now)), h('td', { class: 'soft' }, all === undefined ? '' : number.format(all)));
    const { counts, prunes } = run.trace;
    const rows = Object.keys(counts).filter((type) => type !== 'prune').map((type) => row(t(/** @type {'count-expand'} */ (`count-${type}`)), run.counts[type] ?? 0, counts[type]));
    const reasons = Object.keys(prunes).map((reason) => row(t(/** @type {'reason-memo'} */ (`reason-${reason}`)), run.prunes[reason] ?? 0, prunes[reason]));
    const formula = formulaOf(run);
    fill(this.counters, [
      h('table', {}, h('thead', {}, h('tr', {}, h('td', {}), h('th', { scope: 'col' }, t('soFar')), h('th', { scope: 'col' }, t('inAll')))), h('tbody', {}, ...rows, ...reasons)),
      h('p', { class: 'soft' }, t('frontier', { n: run.frontier.size })),
      formula && h('p', { class: 'soft' }, t('formula', { now: number.format(formula.now), formula: formula.formula, most: formula.most > 1e9 ? formula.most.toExponential(1) : number.format(formula.most) })),
      run.trace.total > run.trace.kept && h('p', { class: 'soft' }, t('cut', { kept: number.format(run.trace.kept), total: number.format(run.trace.total) })),
    ]);
  }

  #drawQuiz() {
    const { question } = this;
    if (!this.asks) fill(this.quiz, []);
    else if (question) {
      fill(this.quiz, [
        h('p', { class: 'quiz-question' }, questionText(question)),
        h('div', { class: 'row' }, ...question.options.map((option) => button(optionText(question, option), () => this.#answer(question, option)))),
        this.score.asked > 0 && h('p', { class: 'soft' }, t('score', { right: this.score.right, asked: this.score.asked })),
      ]);
      this.onask();
    }
  }
}

/** @param {Question} question */
function questionText({ kind, event }) {
  if (kind === 'move') return t('whichMove', { parent: event.parent ?? '', move: moveText(event.move) });
  return t(kind === 'robot' ? 'whichRobot' : 'whichFate');
}

/** @param {Question} question @param {string} option */
function optionText(question, option) {
  if (question.kind === 'robot') return letterText(option);
  return question.kind === 'move' ? t(/** @type {'move-made'} */ (`move-${option}`)) : t(/** @type {'fate-memo'} */ (`fate-${option}`));
}
