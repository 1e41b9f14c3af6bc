// One lesson: a technique, a puzzle that needs it, hints, and the solution with its reasons.

/** @import {Binding, Slide} from '../../types/page.d.ts' */
/** @import {App} from '../app/app.js' */
/** @import {Lesson} from './course.js' */
import { goalPiece } from '../board/pieces.js';
import { replay } from '../board/rules.js';
import { s } from '../board/svg.js';
import { takeHint } from '../play/hints.js';
import { goalSentence } from '../speech/sentences.js';
import { button, fill, h } from '../ui/dom.js';
import { icon, tool } from '../ui/icons.js';
import { moveChip, moveChips } from '../ui/move-chip.js';
import { settings } from '../ui/settings.js';
import { t } from '../words/learn.js';
import { nextOpen } from './course.js';
import { Practice } from './practice.js';
import { countLearned, saveLesson, stateOf } from './progress.js';
import { reasonSentence } from './reasons.js';

export class LessonPage {
  /** @param {App} app @param {Lesson} lesson @param {{open: (lesson: Lesson) => void, all: () => void}} go */
  constructor(app, lesson, go) {
    this.app = app;
    this.lesson = lesson;
    this.go = go;
    /** Whether the solution was seen: then it does not count as learned this time. */
    this.hasSeen = false;
    /** How many moves of the solution are shown; null while the player plays. @type {number | null} */
    this.shown = null;
    /** @type {Slide[]} */
    this.steps = [];
    this.practice = new Practice(app, { moved: (slide) => this.#onMove(slide), solved: () => this.#onSolved(), takenBack: () => this.#write() });
    this.goalPicture = s('svg', { class: 'goal-picture', viewBox: '-50 -50 100 100', 'aria-hidden': 'true' });
    this.goal = h('p', {});
    this.fewest = h('p', { class: 'learn-fewest' });
    this.list = h('div', { class: 'learn-moves' });
    this.tools = {
      hint: tool('hint', t('hint'), () => this.hint()),
      show: tool('solution', t('showMe'), () => this.show()),
      back: tool('previous', t('showBack'), () => this.#walkSolution(-1)),
      next: tool('next', t('showNext'), () => this.#walkSolution(1)),
      own: tool('play', t('tryIt'), () => this.#endShow()),
    };
    this.again = button(t('again'), () => this.practice.reset());
    const { group, number } = lesson;
    this.title = h('h2', { tabIndex: -1 }, t(group.theme));
    const all = button('', go.all, { class: 'quiet small' });
    fill(all, [icon('previous'), ' ', t('overview')]);
    fill(app.panel, [
      h('section', { class: 'sheet stack learn-lesson', 'aria-label': t('lessonTitle', { name: t(group.theme), n: number, of: group.lessons.length }) },
        h('div', { class: 'learn-head' }, h('p', { class: 'overline' }, t('lessonNumber', { n: number, of: group.lessons.length })), all),
        this.title,
        h('p', { class: 'learn-what' }, t(`${group.theme}-what`)),
        h('div', { class: 'learn-goal' }, this.goalPicture, h('div', {}, this.goal, this.fewest)),
        this.list,
        this.practice.message,
        h('p', { class: 'learn-idle soft' }, t('lessonIdle'))),
    ]);
  }

  async open() {
    const { app, lesson, practice } = this;
    try {
      const { puzzles } = await app.engine.ask('read', { text: lesson.line }, { signal: practice.leaving.signal });
      const [view] = puzzles;
      const piece = goalPiece(view);
      piece.removeAttribute('transform');
      fill(this.goalPicture, [piece]);
      this.goal.textContent = goalSentence(view);
      this.fewest.textContent = t('fewest', { n: lesson.moves.length });
      this.steps = replay(view, lesson.moves).steps;
      practice.show(view);
      this.#write();
      const { group, number } = lesson;
      const name = t('lessonTitle', { name: t(group.theme), n: number, of: group.lessons.length });
      app.setTitle(name);
      app.say(`${name}. ${t(`${group.theme}-what`)} ${goalSentence(view)} ${t('fewest', { n: lesson.moves.length })}`);
    } catch (error) {
      app.report(error);
    }
  }

  close() {
    this.practice.close();
  }

  /** The list of moves, and the buttons that make sense now. */
  #write() {
    const { practice, tools, shown, app } = this;
    const { attempt } = practice;
    if (!attempt) return;
    fill(this.list, shown === null && attempt.moves.length ? [moveChips(attempt.moves)] : []);
    if (shown !== null) {
      tools.back.disabled = shown === 0;
      tools.next.disabled = shown === this.steps.length;
      app.setUnder([tools.back, tools.next, tools.own]);
    } else if (attempt.solved) app.setUnder([this.again, this.#nextButton()]);
    else app.setUnder([practice.undoTool, practice.resetTool, tools.hint, tools.show]);
  }

  #nextButton() {
    const next = this.#following();
    return next ? button(t('nextLesson'), () => this.go.open(next), { class: 'primary large' }) : button(t('allLessons'), this.go.all, { class: 'primary large' });
  }

  #following() {
    return nextOpen(this.lesson, (lesson) => stateOf(lesson) === 'learned');
  }

  /** @param {Slide} slide */
  #onMove(slide) {
    const { practice, lesson } = this;
    this.#write();
    const observed = practice.observe(slide);
    const played = practice.attempt?.moves.length ?? 0;
    if (observed) practice.remark(observed);
    else if (played === lesson.moves.length) practice.remark(t('tooMany', { n: played, of: lesson.moves.length }));
    else if (this.#leftTheLine()) practice.remark(t('offLine'));
  }

  /** Whether a move was made that the solution, in whichever order, does not have. */
  #leftTheLine() {
    const open = [...this.lesson.moves];
    return (this.practice.attempt?.moves ?? []).some((move) => {
      const at = open.indexOf(move);
      if (at >= 0) open.splice(at, 1);
      return at < 0;
    });
  }

  #onSolved() {
    const { practice, lesson, app } = this;
    const moves = practice.attempt?.moves.length ?? 0;
    const isShortest = moves <= lesson.moves.length;
    const before = stateOf(lesson);
    saveLesson(lesson, isShortest && !this.hasSeen ? 'learned' : 'solved');
    let text = t(before === 'learned' ? 'learnedBefore' : 'learned');
    if (!isShortest) text = t('longer', { n: moves, of: lesson.moves.length });
    else if (this.hasSeen && before !== 'learned') text = t('afterShown');
    const { lessons } = lesson.group;
    if (before !== 'learned' && countLearned(lessons) === lessons.length) text += ` ${t('groupDone')}`;
    this.#write();
    practice.setMessage([h('p', {}, text)], isShortest ? 'good' : 'plain');
    app.say(text, practice.message);
    const next = app.under.querySelector('.primary');
    if (next instanceof HTMLElement && (app.under.contains(document.activeElement) || document.activeElement === document.body)) next.focus({ preventScroll: true });
  }

  hint() {
    const { attempt } = this.practice;
    if (!attempt || attempt.solved || this.shown !== null) return;
    const { moves } = this.lesson;
    const number = attempt.moves.length;
    // Of several orders of the moves, the lesson's own shows the technique.
    const isOnLine = attempt.moves.every((move, i) => move === moves[i]);
    const line = isOnLine ? { moves, reason: () => reasonSentence(attempt.view, this.steps, number) } : undefined;
    void takeHint(this.app, this.practice, attempt, this.practice.thinking.signal, line);
  }

  /** Plays the solution, beginning with its first move. */
  show() {
    const { app, practice } = this;
    const { attempt } = practice;
    if (!attempt || this.shown !== null) return;
    practice.reset();
    this.hasSeen = true;
    this.shown = 0;
    app.board.input = 'none';
    app.board.select(null);
    app.board.setRings([], 'hint');
    app.board.setArrows([]);
    this.#writeShown();
    app.keysChanged();
    this.#walkSolution(1);
  }

  /** @param {1 | -1} by */
  #walkSolution(by) {
    const { app, practice, steps } = this;
    const { attempt } = practice;
    if (this.shown === null || !attempt) return;
    const shown = Math.min(steps.length, Math.max(0, this.shown + by));
    if (shown === this.shown) return;
    this.shown = shown;
    const robots = replay(attempt.view, this.lesson.moves.slice(0, shown)).robots;
    if (by > 0) {
      void app.board.slide(steps[shown - 1]).then(() => {
        if (this.shown === shown) this.#drawShown(shown);
      });
    } else {
      app.board.place(robots, true);
      this.#drawShown(shown);
    }
    this.#writeShown();
    app.say(shown ? `${t('shownMove', { n: shown, of: steps.length })}: ${reasonSentence(attempt.view, steps, shown - 1)}` : t('shownStart', { n: steps.length }));
  }

  /** @param {number} shown */
  #drawShown(shown) {
    const { board } = this.app;
    const played = this.steps.slice(0, shown);
    board.setTrails(settings.trails ? played : []);
    board.setLast(played.at(-1) ?? null);
  }

  #writeShown() {
    const { practice, steps, shown } = this;
    const { attempt } = practice;
    if (!attempt) return;
    const items = steps.slice(0, shown ?? 0).map((_, i) =>
      h('li', { 'aria-current': i + 1 === shown ? 'step' : undefined }, moveChip(this.lesson.moves[i]), ' ', reasonSentence(attempt.view, steps, i)));
    practice.setMessage([h('p', { class: 'soft' }, t('shownStart', { n: steps.length })), h('ol', { class: 'learn-reasons' }, ...items)]);
    this.#write();
  }

  /** Gives the board back to the player. */
  #endShow() {
    const { app, practice } = this;
    if (this.shown === null || !practice.attempt) return;
    this.shown = null;
    practice.show(practice.attempt.view);
    this.#write();
    app.keysChanged();
    app.say(goalSentence(practice.attempt.view));
  }

  #forward() {
    const next = this.#following();
    if (!this.practice.attempt?.solved) return;
    if (next) this.go.open(next);
    else this.go.all();
  }

  /** @returns {Binding[]} */
  keys() {
    if (this.shown !== null) {
      return [
        { key: 'ArrowRight', does: t('keyShowNext'), run: () => this.#walkSolution(1), word: 'next' },
        { key: 'ArrowLeft', does: t('keyShowBack'), run: () => this.#walkSolution(-1), word: 'back' },
        { key: 'Escape', does: t('tryIt'), run: () => this.#endShow(), word: 'play' },
      ];
    }
    return [
      ...this.practice.keys(),
      { key: 'h', does: t('keyHint'), run: () => this.hint(), word: 'hint' },
      { key: 's', does: t('keyShow'), run: () => this.show(), word: 'solve' },
      { key: 'n', does: t('keyNext'), run: () => this.#forward(), word: 'next' },
      { key: 'Enter', does: t('keyNext'), run: () => this.#forward(), quiet: true },
    ];
  }
}
