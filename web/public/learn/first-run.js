// The first run: five steps that explain the rules on the board.

/** @import {Binding, Slide, View} from '../../types/page.d.ts' */
/** @import {App} from '../app/app.js' */
import { LETTERS } from '../board/rules.js';
import { goalSentence } from '../speech/sentences.js';
import { button, fill, h } from '../ui/dom.js';
import { tool } from '../ui/icons.js';
import { moveChips } from '../ui/move-chip.js';
import { t } from '../words/learn.js';
import { FIRST_RUN } from './lessons.js';
import { Practice } from './practice.js';
import { firstRunState, saveFirstRun } from './progress.js';

/** @typedef {1 | 2 | 3 | 4 | 5} StepNumber */

/** Wrong moves after which the arrow of a good one is shown. */
const PATIENCE = 3;

/** What the player points with. */
const isTouch = () => matchMedia('(pointer: coarse)').matches;

export class FirstRun {
  /**
   * @param {App} app
   * @param {{step: (step: number) => void, lessons: () => void, leave: () => void}} go writes the step into the address; goes elsewhere
   */
  constructor(app, go) {
    this.app = app;
    this.go = go;
    /** @type {View[]} */
    this.views = [];
    /** @type {StepNumber} */
    this.number = 1;
    this.wrong = 0;
    this.practice = new Practice(app, { moved: (slide) => this.#onMove(slide), solved: () => this.#onSolved(), takenBack: () => this.#onUndo() });
    this.hintTool = tool('hint', t('hint'), () => this.hint());
    this.title = h('h2', { tabIndex: -1 });
    this.text = h('p', { class: 'learn-text' });
    this.how = h('p', { class: 'soft small-text' });
    this.count = h('p', { class: 'overline' });
    this.dots = h('span', { class: 'learn-dots', 'aria-hidden': 'true' });
    this.skip = button(t('skip'), () => this.go.leave(), { class: 'quiet small' });
    this.next = button(t('next'), () => void this.forward(), { class: 'primary large' });
    this.again = button(t('again'), () => this.practice.reset());
    this.sheet = h('section', { class: 'sheet stack learn-step', 'aria-label': t('firstRun') },
      h('div', { class: 'learn-head' }, this.count, this.dots, this.skip),
      this.title, this.text, this.practice.message, this.how);
    fill(app.panel, [this.sheet]);
  }

  /** @param {number} number */
  async open(number) {
    const { app } = this;
    if (firstRunState() !== 'done') saveFirstRun('started');
    try {
      const { puzzles } = await app.engine.ask('read', { text: FIRST_RUN.map(({ line }) => line).join('\n') }, { signal: this.practice.leaving.signal });
      this.views = puzzles;
      this.#show(/** @type {StepNumber} */ (Math.min(FIRST_RUN.length, Math.max(1, number))));
    } catch (error) {
      app.report(error);
    }
  }

  close() {
    this.practice.close();
  }

  /** @param {StepNumber} number */
  #show(number) {
    const { app, practice } = this;
    this.number = number;
    this.wrong = 0;
    const view = this.views[number - 1];
    practice.show(view);
    this.go.step(number);
    this.count.textContent = t('stepOf', { n: number, of: FIRST_RUN.length });
    fill(this.dots, FIRST_RUN.map((_, i) => h('i', { 'data-on': i < number ? 'yes' : 'no' })));
    this.title.textContent = t(`step${number}-title`);
    this.text.textContent = t(`step${number}-text`);
    this.#writeHow();
    this.#writeTools();
    app.say(`${t('stepOf', { n: number, of: FIRST_RUN.length })}. ${t(`step${number}-title`)}. ${t(`step${number}-text`)} ${goalSentence(view)}`);
  }

  /** How robots are moved; once another one has to move, how it is chosen. */
  #writeHow() {
    const touch = isTouch();
    const { number } = this;
    this.how.textContent = number < 4 ? t(touch ? 'howTouch' : 'howMouse') : t(touch ? 'howOtherTouch' : 'howOtherMouse');
  }

  #writeTools() {
    const { practice } = this;
    this.app.setUnder(practice.attempt?.solved ? [this.again, this.next] : [practice.undoTool, practice.resetTool, this.hintTool]);
  }

  /** @param {Slide} slide */
  #onMove(slide) {
    const { practice, number } = this;
    const { attempt } = practice;
    if (!attempt) return;
    const { moves } = FIRST_RUN[number - 1];
    const played = attempt.moves;
    if (moves.some((line) => line.startsWith(played.join(' ')))) {
      practice.remark(t(`step${number}-near`), 'good');
      this.wrong = 0;
      return;
    }
    this.wrong += 1;
    const isHelper = LETTERS[slide.robot] !== attempt.view.goal.robot;
    const specific = number === 3 && isHelper ? t('step3-helper') : number === 4 && isHelper ? t('step4-helper') : t(`step${number}-wrong`);
    const observed = practice.observe(slide);
    practice.remark(observed ? `${observed} ${specific}` : specific);
    if (this.wrong >= PATIENCE && number < 5) this.hint();
  }

  #onUndo() {
    this.#writeTools();
  }

  #onSolved() {
    const { practice, number, app } = this;
    const { attempt } = practice;
    if (!attempt) return;
    const longer = number === FIRST_RUN.length && attempt.moves.length > FIRST_RUN[number - 1].moves[0].split(' ').length;
    const text = longer ? t('step5-longer', { n: attempt.moves.length }) : t(`step${number}-done`);
    this.how.textContent = '';
    practice.setMessage([h('p', {}, text), h('p', {}, moveChips(attempt.moves))], 'good');
    this.#writeTools();
    app.say(text, practice.message);
    // The focus stays where keys move robots unless the player is among the buttons.
    if (app.under.contains(document.activeElement) || document.activeElement === document.body) this.next.focus({ preventScroll: true });
  }

  hint() {
    void this.practice.showBestMove();
  }

  /** The next step, once this one is solved. */
  async forward() {
    if (!this.practice.attempt?.solved) return;
    if (this.number < FIRST_RUN.length) this.#show(/** @type {StepNumber} */ (this.number + 1));
    else this.#finish();
    // The button that had the focus is gone.
    if (document.activeElement === document.body) this.title.focus({ preventScroll: true });
  }

  #finish() {
    const { app } = this;
    saveFirstRun('done');
    app.setUnder([]);
    app.board.input = 'none';
    app.board.select(null);
    this.title.textContent = t('finishedTitle');
    fill(this.sheet, [
      this.title,
      h('p', {}, t('finished')),
      h('div', { class: 'row' },
        button(t('firstLesson'), this.go.lessons, { class: 'primary' }),
        h('a', { class: 'button', href: '#home' }, t('todaysPuzzle'))),
    ]);
    app.say(`${t('finishedTitle')}. ${t('finished')}`);
  }

  /** @returns {Binding[]} */
  keys() {
    return [
      ...this.practice.keys(),
      { key: 'h', does: t('keyHint'), run: () => this.hint(), word: 'hint' },
      { key: 'n', does: t('keyNext'), run: () => void this.forward(), word: 'next' },
      { key: 'Enter', does: t('keyNext'), run: () => void this.forward() },
      { key: 's', does: t('skip'), run: () => this.go.leave(), word: 'skip' },
    ];
  }
}
