// Two searches on the same puzzle, at the same number of nodes.

/** @import {View} from '../../types/page.d.ts' */
/** @import {Run} from './run.js' */
import { Board } from '../board/board.js';
import { h, fill } from '../ui/dom.js';
import { isMotionOn } from '../ui/settings.js';
import { t } from '../words/watch.js';
import { currentLanguage } from '../words/words.js';

export class Race {
  constructor() {
    /** @type {Run | null} */
    this.other = null;
    this.host = h('div', { class: 'race-board', role: 'group', 'aria-label': t('raceBoard') });
    this.table = h('div', { class: 'race-table', role: 'group', 'aria-label': t('raceTitle'), tabIndex: 0 });
    this.element = h('div', { class: 'stack', hidden: true }, this.table, this.host);
    /** @type {Board | null} */
    this.board = null;
  }

  /** @param {View} view @param {Run | null} other */
  show(view, other) {
    this.other = other;
    this.element.hidden = other === null;
    if (!other) return;
    this.board ??= new Board(this.host, { motion: isMotionOn });
    this.board.input = 'none';
    this.board.show(view);
  }

  /** Brings the other search to the same number of nodes. @param {Run} run */
  follow(run) {
    const { other, board } = this;
    if (!other || !board) return;
    const nodes = run.nodesMade;
    other.goTo(nodes === 0 ? 0 : other.atNodes(nodes));
    const number = new Intl.NumberFormat(currentLanguage());
    const facts = (/** @type {Run} */ one) => {
      const pruned = Object.values(one.prunes).reduce((sum, count) => sum + count, 0);
      const depth = one.node?.depth ?? 0;
      const made = number.format(one.nodesMade);
      const ended = one.at === one.length;
      const state = !ended ? t('raceLater') : one.trace.result.outcome === 'solved' && one.trace.total === one.trace.kept ? t('raceSolved', { n: made }) : t('raceEnded', { n: made });
      return h('tr', {}, h('th', { scope: 'row' }, one.spec), h('td', {}, made), h('td', {}, String(depth)), h('td', {}, number.format(pruned)), h('td', {}, state));
    };
    fill(this.table, [
      h('table', {},
        h('caption', {}, t('raceAt', { n: number.format(nodes) })),
        h('thead', {}, h('tr', {}, h('td', {}), h('th', { scope: 'col' }, t('raceNodes')), h('th', { scope: 'col' }, t('raceDeep')), h('th', { scope: 'col' }, t('racePruned')), h('td', {}))),
        h('tbody', {}, facts(run), facts(other)),
      ),
    ]);
    board.place(other.node?.robots ?? other.trace.puzzle.robots);
    const heat = other.visits.map((visits) => (visits === 0 ? null : Math.log2(1 + visits)));
    board.setOverlay(heat.some((value) => value !== null) ? { values: heat, labels: heat.map(() => null) } : null);
  }
}
