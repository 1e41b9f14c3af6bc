// The moment a puzzle is solved: the path lights up on the board, and a sheet says how good the
// solution is, compares it with a shortest one, and offers the next step.

/** @import {DaySummary, Move} from '../../types/page.d.ts' */
/** @import {Attempt} from './attempt.js' */
import { s } from '../board/svg.js';
import { barList } from '../ui/bars.js';
import { button, fill, h } from '../ui/dom.js';
import { icon } from '../ui/icons.js';
import { moveChips } from '../ui/move-chip.js';
import { t as tPage } from '../words/page.js';
import { t } from '../words/play.js';
import { clockText } from './clock.js';
import { helpText } from './share-result.js';

const STAR = 'M12 3L14.7 8.8L21 9.6L16.4 14L17.6 20.3L12 17.2L6.4 20.3L7.6 14L3 9.6L9.3 8.8Z';

/** Three stars, some of them filled. @param {number} count */
export function stars(count) {
  const drawn = [1, 2, 3].map((n) => {
    const star = s('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, s('path', { d: STAR }));
    star.setAttribute('data-on', n <= count ? 'yes' : 'no');
    return star;
  });
  const element = h('span', { class: 'stars', role: 'img', 'aria-label': t('starsOf', { n: count }) });
  element.append(...drawn);
  return element;
}

/**
 * What the sheet can do. @typedef {object} ResultActions
 * @property {{text: string, run: () => void}} next
 * @property {() => void} again
 * @property {() => void} close
 * @property {() => void} analyse
 * @property {() => void} share
 * @property {() => void} picture
 * @property {() => Promise<Move[] | null>} reveal a shortest solution, for comparison
 * @property {boolean} showsFewest whether the player knew the fewest moves from the start
 * @property {boolean} sharesFirst whether sharing is what most players want now
 */

/**
 * @param {object} result
 * @param {Attempt} result.attempt
 * @param {string} result.verdict what was said about it
 * @param {(Node | null)[]} result.more what the session adds
 * @param {ResultActions} actions
 */
export function resultSheet({ attempt, verdict, more }, actions) {
  const { optimum } = attempt;
  const optimal = optimum !== null && attempt.moves.length <= optimum;
  const paths = h('dl', { class: 'paths' }, h('dt', {}, t('yourPath')), h('dd', {}, moveChips(attempt.moves)));
  const par = h('dd', { class: 'big' }, optimal || actions.showsFewest ? String(optimum ?? '?') : '?');
  /** @param {HTMLElement} from */
  const compare = async (from) => {
    const moves = await actions.reveal();
    if (!moves) return;
    from.remove();
    fill(par, [String(moves.length)]);
    const shortest = h('dd', {}, moveChips(moves));
    paths.append(h('dt', {}, t('shortestPath')), shortest);
    shortest.scrollIntoView({ block: 'nearest' });
  };
  const reveal = button(t('revealOptimum'), () => void compare(reveal), { class: 'small' });
  const next = button(actions.next.text, actions.next.run, { class: actions.sharesFirst ? '' : 'primary' });
  const share = button('', actions.share, { class: actions.sharesFirst ? 'primary' : '' });
  fill(share, [icon('share'), ' ', t('shareResult')]);
  return h(
    'section',
    { class: 'sheet result', 'aria-label': t('result') },
    closeButton(actions.close),
    h('div', { class: 'result-head' }, h('div', { class: 'result-stars' }, attempt.stars === null ? null : stars(attempt.stars)), h('h2', {}, verdict)),
    h('dl', { class: 'numbers' },
      ...[[t('moves'), h('dd', { class: 'big' }, attempt.moves.length)], [t('par'), par], [t('time'), h('dd', { class: 'big' }, clockText(attempt.clock.ms))]].map(([name, value]) => h('div', {}, h('dt', {}, name), value))),
    attempt.hints || attempt.analysed ? h('p', { class: 'soft small-text' }, helpText(attempt)) : null,
    paths,
    ...more,
    h('div', { class: 'row wide-row result-next' }, ...(actions.sharesFirst ? [share, next] : [next, share])),
    h('div', { class: 'row' },
      optimal ? null : button(t('tryAgain'), actions.again, { class: 'small' }),
      optimal ? null : reveal,
      button(t('picture'), actions.picture, { class: 'small quiet' }),
      button(t('analyse'), actions.analyse, { class: 'small quiet' })),
  );
}

/** @param {() => void} close */
function closeButton(close) {
  const made = button('', close, { class: 'quiet result-close', 'aria-label': tPage('close') });
  fill(made, [icon('close')]);
  return made;
}

/** The solution after giving up. @param {Node[]} content @param {() => void} close */
export const solutionSheet = (content, close) => h('section', { class: 'sheet result given-up', 'aria-label': t('solution') }, closeButton(close), ...content);

/** Bars for how many players needed how many moves or how much time. @param {DaySummary} day @param {number} mine @param {number} ms */
export function distribution(day, mine, ms) {
  const lengths = day.lengths.map(({ length, players }) => ({ name: t('movesCount', { n: length }), count: players, mine: length === mine }));
  const times = day.times ?? [];
  const mineTime = times.findIndex(({ up_to_ms: limit }) => limit === null || ms <= limit);
  return h('div', { class: 'distribution' },
    h('p', { class: 'overline' }, t('dayPlayers', { n: day.players })),
    barList(lengths),
    times.length ? barList(times.map(({ up_to_ms: limit, players }, i) => ({ name: limit === null ? t('timeOver', { n: minutes(times.at(-2)?.up_to_ms ?? 0) }) : t('timeUpTo', { n: minutes(limit) }), count: players, mine: i === mineTime }))) : null);
}

/** @param {number} ms */
const minutes = (ms) => Math.round(ms / 60_000);
