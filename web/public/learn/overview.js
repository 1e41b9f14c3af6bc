// All lessons, by technique, and the first run.

/** @import {View} from '../../types/page.d.ts' */
/** @import {App} from '../app/app.js' */
/** @import {Group, Lesson} from './course.js' */
import { ground, targets, walls } from '../board/background.js';
import { trails } from '../board/paths.js';
import { ghostPiece, robotPiece } from '../board/pieces.js';
import { replay } from '../board/rules.js';
import { drawingBox, middle, s, viewBox } from '../board/svg.js';
import { fill, h } from '../ui/dom.js';
import { icon } from '../ui/icons.js';
import { t } from '../words/learn.js';
import { ALL_LESSONS, COURSE, nextOpen } from './course.js';
import { countLearned, firstRunState, stateOf } from './progress.js';

/** @param {Lesson} lesson */
export const lessonLink = (lesson) => `#learn&lesson=${lesson.id}`;

export class Overview {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.leaving = new AbortController();
    /** @type {Map<Group, SVGSVGElement>} */
    this.pictures = new Map(COURSE.map((group) => [group, s('svg', { class: 'learn-picture', 'aria-hidden': 'true' })]));
    this.title = h('h2', { tabIndex: -1 }, t('title'));
    const learned = countLearned(ALL_LESSONS);
    const next = nextOpen(null, (lesson) => stateOf(lesson) === 'learned');
    const isNew = firstRunState() !== 'done' && learned === 0;
    fill(app.panel, [
      h('div', { class: 'lessons' },
        h('header', { class: 'stack lessons-head' },
          this.title,
          h('p', { class: 'soft' }, t('intro')),
          h('p', { class: 'learn-total' }, h('progress', { max: ALL_LESSONS.length, value: learned, 'aria-label': t('learnedOf', { n: learned, of: ALL_LESSONS.length }) }), ' ', h('span', {}, t('learnedOf', { n: learned, of: ALL_LESSONS.length }))),
          next ? null : h('p', {}, t('allLearned'))),
        h('section', { class: 'sheet lessons-start' },
          icon('target'),
          h('div', {}, h('h3', {}, t('firstRun')), h('p', { class: 'soft' }, t('firstRunWhat'))),
          h('div', { class: 'row' },
            h('a', { class: `button ${isNew ? 'primary' : ''}`, href: '#learn&as=start' }, t(firstRunState() === 'done' ? 'repeat' : 'begin')),
            next ? h('a', { class: `button ${isNew ? '' : 'primary'}`, href: lessonLink(next) }, t(learned ? 'nextLesson' : 'firstLesson')) : h('a', { class: 'button primary', href: '#home' }, t('todaysPuzzle')))),
        h('div', { class: 'lessons-groups' }, ...COURSE.map((group) => this.#card(group, next)))),
    ]);
    app.setUnder([]);
    app.board.input = 'none';
    app.board.select(null);
  }

  async open() {
    const { app } = this;
    app.say(`${t('title')}. ${t('learnedOf', { n: countLearned(ALL_LESSONS), of: ALL_LESSONS.length })}`);
    try {
      const { puzzles } = await app.engine.ask('read', { text: COURSE.map(({ example }) => example.line).join('\n') }, { signal: this.leaving.signal });
      for (const [i, group] of COURSE.entries()) draw(/** @type {SVGSVGElement} */ (this.pictures.get(group)), puzzles[i], group.example.moves);
    } catch (error) {
      app.report(error);
    }
  }

  close() {
    this.leaving.abort();
  }

  /** @returns {import('../../types/page.d.ts').Binding[]} */
  keys() {
    return [];
  }

  /** @param {Group} group @param {Lesson | null} next */
  #card(group, next) {
    const name = t(group.theme);
    const learned = countLearned(group.lessons);
    return h('section', { class: 'sheet lessons-group', 'aria-label': name, 'data-learned': learned === group.lessons.length ? 'yes' : 'no' },
      this.pictures.get(group),
      h('div', { class: 'stack lessons-text' },
        h('h3', {}, name),
        h('p', {}, t(`${group.theme}-what`)),
        h('p', { class: 'soft small-text' }, t('groupLearned', { n: learned, of: group.lessons.length }))),
      h('nav', { class: 'lessons-links', 'aria-label': t('lessonsOf', { name }) }, ...group.lessons.map((lesson) => {
        const state = stateOf(lesson);
        return h('a', { href: lessonLink(lesson), 'data-state': state, 'data-next': lesson === next ? 'yes' : 'no', 'aria-label': t('lessonLink', { n: lesson.number, state: t(`state-${state}`) }) }, String(lesson.number));
      })));
  }
}

/** A small board with a solution on it: where the robots begin, and the moves. @param {SVGSVGElement} picture @param {View} view @param {string[]} moves */
function draw(picture, view, moves) {
  const { steps, robots } = replay(view, moves);
  const movers = new Set(steps.map(({ robot }) => robot));
  picture.setAttribute('viewBox', viewBox(drawingBox(view, false)));
  fill(picture, [
    ground(view), walls(view), targets(view),
    ...[...movers].map((robot) => ghostPiece(robot, view.robots[robot])),
    trails(steps),
    ...robots.map((cell, robot) => {
      const piece = robotPiece(robot);
      const [x, y] = middle(cell);
      piece.setAttribute('transform', `translate(${x} ${y})`);
      return piece;
    }),
  ]);
}
