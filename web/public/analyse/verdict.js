// The evaluation as people read it: the distance, and every move with what it leads to.

/** @import {PositionMove, Progress} from '../../types/page.d.ts' */
/** @import {EvaluationState} from './evaluation.js' */
import { placeName } from '../speech/sentences.js';
import { h } from '../ui/dom.js';
import { moveChip } from '../ui/move-chip.js';
import { t } from '../words/analyse.js';

/** @param {number} n */
const counted = (n) => n.toLocaleString('en').replaceAll(',', '\u202f');

/** One sentence about the position. @param {EvaluationState} known @param {boolean} on @param {boolean} solved */
export function verdictText({ position, progress, done, error }, on, solved) {
  if (error) return error;
  if (solved) return t('here');
  if (!on) return t('engineOff');
  if (typeof position?.distance === 'number') return t('toGo', { n: position.distance });
  if (position?.outcome === 'unsolvable') return t('unsolvable');
  const bound = position?.lower_bound ?? progress?.lower_bound ?? null;
  if (done) return bound ? t(whyUnknown(position?.limit), { n: bound }) : t('unknownAll');
  return bound ? t('atLeast', { n: bound }) : t('thinking');
}

/** The sentence about a search that a limit has ended. @param {string | null} [limit] @returns {'unknown'} */
function whyUnknown(limit) {
  const words = { 'time limit': 'unknownTime', 'memory limit': 'unknownMemory' };
  return /** @type {'unknown'} */ (words[/** @type {'time limit'} */ (limit)] ?? 'unknown');
}

/** How far the search is, while it goes on. @param {Progress | null} progress */
export function progressText(progress) {
  if (!progress) return '';
  const nodes = counted(progress.nodes ?? 0);
  return progress.depth ? t('searched', { depth: progress.depth, nodes }) : t('searchedNodes', { nodes });
}

/** The number of moves left after a move. @param {PositionMove} move */
export function distanceText({ outcome, distance, lower_bound: bound }) {
  if (typeof distance === 'number') return t('left', { n: distance });
  if (outcome === 'unsolvable') return t('leftNever');
  return bound ? t('leftAtLeast', { n: bound }) : t('leftUnknown');
}

/**
 * @param {PositionMove[]} moves
 * @param {{play: (move: string) => void, preview: (move: string | null) => void}} actions
 */
export function movesTable(moves, { play, preview }) {
  const rows = moves.map((one) => {
    const button = h(
      'button',
      { type: 'button', class: 'plain', onclick: () => play(one.move), onfocus: () => preview(one.move), onblur: () => preview(null) },
      moveChip(one.move),
      h('span', { class: 'unseen' }, t('endsAt', { place: placeName(one.to) })),
    );
    return h(
      'tr',
      { class: one.best ? 'best' : '', onmouseenter: () => preview(one.move), onmouseleave: () => preview(null) },
      h('td', {}, button),
      h('td', { class: 'number' }, distanceText(one), one.best && h('span', { class: 'star', 'aria-hidden': 'true' }, ' ★'), one.best && h('span', { class: 'unseen' }, `, ${t('best')}`)),
    );
  });
  return h(
    'table',
    { class: 'moves-table' },
    h('caption', { class: 'unseen' }, t('movesTable')),
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, t('colMove')), h('th', { scope: 'col', class: 'number' }, t('colLeft')))),
    h('tbody', {}, ...rows),
  );
}
