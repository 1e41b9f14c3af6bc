// Two searches on the same puzzle, at the same number of nodes or after the same time.

/** @import {View} from '../../types/page.d.ts' */
/** @import {Run} from './run.js' */
import { Board } from '../board/board.js';
import { replay } from '../board/rules.js';
import { h, fill } from '../ui/dom.js';
import { isMotionOn } from '../ui/settings.js';
import { t } from '../words/watch.js';
import { currentLanguage } from '../words/words.js';
import { ABLATIONS } from './run.js';

/** Why nodes are cut off. */
const CUTS = ['bound', 'memo', 'sorted-key', 'duplicate'];

export class Race {
  constructor() {
    /** @type {Run | null} */
    this.other = null;
    /** How long each search takes when nobody watches, in microseconds; null to compare at equal nodes. @type {{own: number, other: number} | null} */
    this.times = null;
    this.host = h('div', { class: 'race-board', hidden: true, role: 'group', 'aria-label': t('raceBoard') });
    this.table = h('div', { class: 'race-table', hidden: true, role: 'group', 'aria-label': t('raceTitle') });
    /** @type {Board | null} */
    this.board = null;
    /** @type {View | null} */
    this.view = null;
  }

  /** @param {View} view @param {Run | null} other @param {{own: number, other: number} | null} [times] */
  show(view, other, times = null) {
    this.view = view;
    this.other = other;
    this.times = times;
    this.host.hidden = other === null;
    this.table.hidden = other === null;
    if (!other) return;
    this.board ??= new Board(this.host, { motion: isMotionOn });
    this.board.input = 'none';
    this.board.show(view);
  }

  /** Brings the other search to the same number of nodes, or to the same time. @param {Run} run */
  follow(run) {
    const { other, board, times } = this;
    if (!other || !board) return;
    const nodes = run.nodesMade;
    // A search makes its nodes at an even pace, as far as is known.
    const elapsed = times ? (times.own * nodes) / Math.max(1, run.nodesInAll) : 0;
    const wanted = times ? Math.floor((other.nodesInAll * elapsed) / times.other) : nodes;
    other.goTo(wanted === 0 ? 0 : other.atNodes(wanted));
    const number = new Intl.NumberFormat(currentLanguage());
    // Moves that are skipped make no node, and the end of an iteration is not a cut.
    const pruned = (/** @type {Run} */ one) => CUTS.reduce((sum, reason) => sum + (one.prunes[reason] ?? 0), 0);
    const state = (/** @type {Run} */ one) => {
      if (one.at < one.length) return t('raceLater');
      const n = number.format(one.nodesMade);
      return one.trace.result.outcome === 'solved' && one.trace.total === one.trace.kept ? t('raceSolved', { n }) : t('raceEnded', { n });
    };
    // A column each, below its board.
    const row = (/** @type {string} */ name, /** @type {(one: Run) => string} */ fact) =>
      h('tr', {}, h('th', { scope: 'row' }, name), h('td', {}, fact(run)), h('td', {}, fact(other)));
    fill(this.table, [
      h('table', {},
        h('caption', {}, [times ? t('raceAfter', { n: number.format(Math.round(elapsed)) }) : t('raceAt', { n: number.format(nodes) }), ...resultText(run, other)].join('. ')),
        h('thead', {}, h('tr', {}, h('td', {}), ...[run, other].map((one) => h('th', { scope: 'col', title: one.spec }, settingName(one.spec))))),
        h('tbody', {},
          row(t('raceNodes'), (one) => number.format(one.nodesMade)),
          row(t('raceDeep'), (one) => String(one.iteration || one.deepest)),
          row(t('racePruned'), (one) => number.format(pruned(one))),
          row(t('raceState'), state)),
      ),
    ]);
    const solution = other.solutionAtEnd;
    const played = solution && this.view ? replay(this.view, solution) : null;
    board.place(played?.robots ?? other.node?.robots ?? other.trace.puzzle.robots);
    board.setTrails(played?.steps ?? []);
    const heat = other.visits.map((visits) => (visits === 0 ? null : Math.log2(1 + visits)));
    board.setOverlay(heat.some((value) => value !== null) ? { values: heat, labels: heat.map(() => null) } : null);
  }
}

/** How both searches ended, once the first of them has. @param {Run} run @param {Run} other @returns {string[]} */
function resultText(run, other) {
  const [own, its] = [run.trace.result, other.trace.result];
  if (run.solutionAtEnd === null || its.outcome !== 'solved' || own.length !== its.length) return [];
  const number = new Intl.NumberFormat(currentLanguage(), { maximumFractionDigits: 1 });
  const [more, fewer] = [Math.max(own.nodes, its.nodes), Math.max(1, Math.min(own.nodes, its.nodes))];
  return [t('raceResult', { n: own.length ?? 0, own: number.format(own.nodes), other: number.format(its.nodes), times: number.format(more / fewer) })];
}

/** What a setting is called on the page. @param {string} spec */
export function settingName(spec) {
  const word = ABLATIONS.find(([one]) => one === spec)?.[1];
  return word ? t('raceSetting', { name: t(word) }) : spec;
}
