// Learn: all lessons, one of them, or the first run.

/** @import {Binding, Mode, Route} from '../../types/page.d.ts' */
/** @import {App} from '../app/app.js' */
/** @import {Lesson} from './course.js' */
import { parseRoute } from '../app/route.js';
import { loadStyle } from '../ui/dom.js';
import { t } from '../words/learn.js';
import { ALL_LESSONS, lessonOf, nextOpen } from './course.js';
import { FirstRun } from './first-run.js';
import { LessonPage } from './lesson.js';
import { Overview, lessonLink } from './overview.js';
import { stateOf } from './progress.js';

/** @param {App} app @returns {Mode} */
export const start = (app) => new Learn(app);

/** @implements {Mode} */
class Learn {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.styles = loadStyle('learn');
    this.opened = 0;
    /** @type {FirstRun | LessonPage | Overview | null} */
    this.page = null;
  }

  /** @param {Route} route */
  async open({ more }) {
    const { app } = this;
    const number = (this.opened += 1);
    this.page?.close();
    this.page = null;
    await this.styles;
    if (number !== this.opened) return;
    const lesson = more.lesson === undefined ? null : lessonOf(more.lesson);
    const isOverview = more.as !== 'start' && !lesson;
    if (isOverview) document.body.dataset.layout = 'lessons';
    else delete document.body.dataset.layout;
    if (more.as === 'start') await this.#openFirstRun(Number(more.step) || 1);
    else if (lesson) await this.#openLesson(lesson);
    else await this.#openOverview(more.lesson !== undefined);
    app.keysChanged();
    if (number !== this.opened) return;
    // What was there before may have been scrolled.
    window.scrollTo(0, 0);
    if (number > 1) this.#keepFocus();
  }

  /** The link that led here may be gone, and the focus with it. */
  #keepFocus() {
    if (document.activeElement === document.body) this.page?.title.focus({ preventScroll: true });
  }

  /** @param {number} step */
  async #openFirstRun(step) {
    const { app } = this;
    app.setTitle(t('firstRun'));
    const page = new FirstRun(app, {
      step: (number) => app.setAddress({ line: '', moves: [], more: { as: 'start', step: String(number) } }),
      lessons: () => void app.go(parseRoute(lessonLink(nextOpen(null, (one) => stateOf(one) === 'learned') ?? ALL_LESSONS[0]))),
      leave: () => void app.go(parseRoute('#home')),
    });
    this.page = page;
    await page.open(step);
  }

  /** @param {Lesson} lesson */
  async #openLesson(lesson) {
    const { app } = this;
    const page = new LessonPage(app, lesson, {
      open: (next) => void app.go(parseRoute(lessonLink(next))),
      all: () => void app.go(parseRoute('#learn')),
    });
    this.page = page;
    await page.open();
  }

  /** @param {boolean} unknown whether the address names a lesson that does not exist */
  async #openOverview(unknown) {
    const { app } = this;
    app.setTitle(t('title'));
    if (unknown) app.tell(t('noLesson'));
    const page = new Overview(app);
    this.page = page;
    await page.open();
  }

  close() {
    this.opened += 1;
    this.page?.close();
    this.page = null;
    delete document.body.dataset.layout;
  }

  /** @returns {Binding[]} */
  keys() {
    return this.page?.keys() ?? [];
  }
}
