// The mode Read: four short chapters, one on each source of the solvers and one on the fastest. Every figure
// is computed in the reader's browser, on a puzzle that the reader can change.

/** @import {Mode, Route} from '../../types/page.d.ts' */
/** @import {App} from '../app/app.js' */
import { formatRoute } from '../app/route.js';
import { fill, h, loadStyle } from '../ui/dom.js';
import { t } from '../words/read.js';
import { flagshipChapter } from './flagship.js';
import { reportChapter } from './report.js';
import { slidesChapter } from './slides.js';
import { thesisChapter } from './thesis.js';

/** @typedef {'slides' | 'thesis' | 'report' | 'flagship'} ChapterName */
/** @typedef {{app: App, leaving: AbortSignal, link: (route: Route) => string}} Reader what a chapter needs of the mode */

/** @type {Record<ChapterName, (reader: Reader) => (Node | string)[]>} */
const CHAPTERS = { slides: slidesChapter, thesis: thesisChapter, report: reportChapter, flagship: flagshipChapter };
const NAMES = /** @type {ChapterName[]} */ (Object.keys(CHAPTERS));

/** @param {ChapterName} chapter @returns {Route} */
const routeOf = (chapter) => ({ mode: 'read', line: chapter, moves: [], more: {} });

/** @implements {Mode} */
class Read {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.styles = Promise.all([loadStyle('watch'), loadStyle('read')]);
    /** Ends the questions of the chapter that is shown. */
    this.leaving = new AbortController();
    app.setUnder([]);
  }

  /** @param {Route} route */
  async open({ line, more }) {
    await this.styles;
    this.leaving.abort();
    this.leaving = new AbortController();
    const { app } = this;
    const chapter = NAMES.find((name) => name === line);
    const at = chapter ? NAMES.indexOf(chapter) : -1;
    const next = NAMES[at + 1];
    if (chapter) app.setTitle(t(`${chapter}Title`));
    fill(app.panel, [
      h('article', { class: 'read' },
        h('nav', { class: 'read-chapters', 'aria-label': t('chapters') },
          ...NAMES.map((name) => h('a', { href: formatRoute(routeOf(name)), 'aria-current': name === chapter ? 'page' : undefined }, t(`${name}Short`)))),
        ...(chapter ? this.#chapter(chapter) : this.#contents()),
        chapter && next ? h('p', { class: 'read-next' }, h('a', { class: 'button primary', href: formatRoute(routeOf(next)) }, t('next', { title: t(`${next}Title`) }))) : null,
      ),
    ].filter((one) => one !== null));
    const figure = more.figure && document.getElementById(`figure-${more.figure}`);
    if (figure) figure.scrollIntoView();
    else window.scrollTo(0, 0);
  }

  #contents() {
    return [
      h('h2', { class: 'read-title' }, t('title')),
      h('p', {}, t('intro')),
      h('ol', { class: 'read-contents' }, ...NAMES.map((name) => h('li', {},
        h('a', { href: formatRoute(routeOf(name)) }, t(`${name}Title`)),
        h('p', { class: 'soft' }, t(`${name}What`))))),
    ];
  }

  /** @param {ChapterName} chapter */
  #chapter(chapter) {
    const reader = { app: this.app, leaving: this.leaving.signal, link: formatRoute };
    return [
      h('h2', { class: 'read-title' }, t(`${chapter}Title`)),
      h('p', { class: 'soft source' }, t(`${chapter}Source`)),
      ...CHAPTERS[chapter](reader),
    ];
  }

  close() {
    this.leaving.abort();
  }

  keys() {
    return [];
  }
}

/** @param {App} app @returns {Mode} */
export const start = (app) => new Read(app);
