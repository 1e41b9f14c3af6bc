// Shows the position of the address; nothing more yet.

/** @import {App} from '../app.js' */
/** @import {Mode} from '../types.d.ts' */
import { h } from '../dom.js';
import { openPuzzle } from '../puzzle.js';
import { t } from '../words/page.js';

/** @param {App} app @returns {Mode} */
export function start(app) {
  const leaving = new AbortController();
  return {
    async open(route) {
      app.panel.replaceChildren(h('h2', {}, t('analyse')), h('p', {}, t('notYet')));
      const opened = await openPuzzle(app, route, leaving.signal);
      if (opened) app.board.place(opened.line.robots);
    },
    close() {
      leaving.abort();
    },
    keys: () => [],
  };
}
