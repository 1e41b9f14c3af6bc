// Results of a round and of a game: the shortest solution, how many players came how close to it, and how
// much time each took.

/** @import {GameReview, PlayerId, RoomState} from '../../types/room.d.ts' */
import { formatRoute } from '../app/route.js';
import { barList } from '../ui/bars.js';
import { button, h } from '../ui/dom.js';
import { t } from '../words/room.js';
import { currentLanguage } from '../words/words.js';
import { optimumSentence, resultSentence, winnersSentence } from './announcements.js';
import { seatMark, teamName } from './seats.js';
import { movesIn, playerOf } from './state.js';

/** A link into analysis; in another tab, so that the room stays. @param {string} puzzle @param {string[]} moves @param {string} [text] */
function analyseLink(puzzle, moves, text = t('analyse')) {
  const href = formatRoute({ mode: 'analyse', line: puzzle, moves, more: {} });
  return h('a', { class: 'button', href, target: '_blank', rel: 'noopener' }, text);
}

/** @param {number | null} ms */
const seconds = (ms) => (ms === null ? '–' : t('seconds', { n: (Math.round(ms / 100) / 10).toLocaleString(currentLanguage()) }));

/**
 * A round that is over. @param {RoomState} state @param {{replay: (moves: string[]) => void, more?: Node[]}} host
 */
export function roundCard(state, host) {
  const { ended } = state;
  if (!ended) return null;
  const { result, optimum, review } = ended;
  const played = result.how === 'won' ? movesIn(result.moves) : [];
  const best = movesIn(optimum);
  const rows = review.filter(({ best: length }) => length !== null).toSorted((a, b) => (a.best ?? 99) - (b.best ?? 99));
  const buttons = [
    played.length ? button(t('replay'), () => host.replay(played)) : null,
    best.length ? button(t('showOptimum', { n: best.length }), () => host.replay(best)) : null,
    ended.puzzle ? analyseLink(ended.puzzle, played.length ? played : best) : null,
    ...(host.more ?? []),
  ];
  return h(
    'div',
    { class: 'card stack outcome', 'data-how': result.how },
    h('h2', {}, resultSentence(state)),
    optimum ? h('p', {}, optimumSentence(state)) : null,
    roundDistribution(review.map((row) => row.best), best.length),
    rows.length > 0 && h(
      'table',
      { class: 'review' },
      h('thead', {}, h('tr', {}, ...[t('player'), t('bestBid'), t('firstBid'), t('lastBid')].map((text) => h('th', {}, text)))),
      h('tbody', {}, ...rows.map((row) => h(
        'tr',
        {},
        h('th', { class: 'review-name' }, nameOf(state, row.player)),
        h('td', {}, `${row.best ?? '–'}${row.saw_it ? ' ★' : ''}`, ended.failed.includes(row.player) ? h('span', { class: 'soft' }, ` ${t('failed')}`) : null),
        h('td', {}, seconds(row.first_ms)),
        h('td', {}, seconds(row.last_ms)),
      ))),
    ),
    h('div', { class: 'row' }, ...buttons),
  );
}

/**
 * How many players had which number of moves. With one player it would say nothing.
 * @param {(number | null)[]} lengths @param {number} optimum 0 if it is unknown
 */
function roundDistribution(lengths, optimum) {
  const known = lengths.filter((length) => length !== null);
  if (known.length === 0 || lengths.length < 2) return null;
  const bars = [...new Set(known)].sort((a, b) => a - b).map((length) => ({
    name: `${t('nMoves', { n: length })}${length === optimum ? ' ★' : ''}`,
    count: known.filter((one) => one === length).length,
  }));
  return distribution(t('playersByMoves'), bars, lengths.length - known.length);
}

/** How far from the shortest solutions the bids of all rounds were. @param {GameReview} review */
function gameDistribution(review) {
  const parts = review.rounds.flatMap(({ optimum, review: all }) => (optimum ? all.map(({ best }) => (best === null ? null : Math.max(0, best - movesIn(optimum).length))) : []));
  const known = parts.filter((more) => more !== null);
  if (known.length === 0) return null;
  const count = (/** @type {(more: number) => boolean} */ holds) => known.filter(holds).length;
  const bars = [
    { name: t('shortest'), count: count((more) => more === 0) },
    ...[1, 2].map((n) => ({ name: t('nMore', { n }), count: count((more) => more === n) })),
    { name: t('moreThan', { n: 3 }), count: count((more) => more > 2) },
  ];
  return distribution(t('bidsByDistance'), bars, parts.length - known.length);
}

/** @param {string} title @param {import('../ui/bars.js').Bar[]} bars @param {number} without players who found nothing */
function distribution(title, bars, without) {
  const all = without ? [...bars, { name: t('nothingFound'), count: without }] : bars;
  return h('div', { class: 'distribution' }, h('p', { class: 'overline' }, title), barList(all));
}

/** The name of a player, even one who has left. @param {RoomState} state @param {PlayerId} id @param {GameReview | null} [review] */
const nameOf = (state, id, review) =>
  (playerOf(state, id) ?? [...(state.standings ?? []), ...(review?.players ?? [])].find(({ player }) => player === id))?.name ?? '?';

/**
 * The end of a game. @param {RoomState} state @param {GameReview | null} review its rounds, when they are known
 * @param {Node[]} buttons
 */
export function gameCard(state, review, buttons) {
  const standings = state.standings ?? [];
  return h(
    'div',
    { class: 'card stack outcome', 'data-how': 'over' },
    h('h2', {}, winnersSentence(state)),
    h('ol', { class: 'standings' }, ...standings.map(({ place, player, name, team, chips, score }) => h(
      'li',
      { 'data-place': place },
      h('span', { class: 'place' }, `${place}.`),
      seatMark({ id: player, name }),
      h('span', { class: 'seat-who' }, name, team === null ? null : h('span', { class: 'seat-notes' }, teamName(team))),
      h('span', { class: 'seat-chips' }, h('span', { class: 'chip', 'aria-hidden': 'true' }), team === null ? String(chips) : `${chips} / ${score}`, h('span', { class: 'unseen' }, t('chips', { n: chips }))),
    ))),
    h('div', { class: 'row' }, ...buttons),
    review && review.rounds.length > 0 && roundsTable(state, review),
  );
}

/** All rounds, each one click away from analysis. @param {RoomState} state @param {GameReview} review */
function roundsTable(state, review) {
  return h(
    'details',
    { open: true },
    h('summary', {}, t('rounds', { n: review.rounds.length })),
    gameDistribution(review),
    h(
      'table',
      { class: 'review' },
      h('thead', {}, h('tr', {}, ...[t('round'), t('wonBy'), t('movesOf'), t('sawItShort'), t('position')].map((text) => h('th', {}, text)))),
      h('tbody', {}, ...review.rounds.map(({ round, puzzle, result, optimum, saw_it, review: parts }) => {
        const moves = movesIn(result.how === 'won' ? result.moves : optimum);
        const won = result.how === 'won' ? movesIn(result.moves).length : '–';
        return h(
          'tr',
          {},
          h('td', {}, String(round)),
          h('td', {}, result.how === 'won' ? nameOf(state, result.player, review) : t(`${result.how}Short`)),
          h('td', {}, `${won} / ${optimum ? movesIn(optimum).length : '?'}`),
          h('td', {}, `${saw_it}/${parts.length}`),
          h('td', {}, analyseLink(puzzle, moves, t('analyse'))),
        );
      })),
    ),
    timesTable(state, review),
  );
}

/** How much time each player took. @param {RoomState} state @param {GameReview} review */
function timesTable(state, review) {
  const players = [...new Set(review.rounds.flatMap(({ review: parts }) => parts.map(({ player }) => player)))];
  const mean = (/** @type {number[]} */ list) => (list.length ? list.reduce((sum, one) => sum + one, 0) / list.length : null);
  return h(
    'table',
    { class: 'review' },
    h('thead', {}, h('tr', {}, ...[t('player'), t('bids'), t('meanFirst'), t('sawItShort')].map((text) => h('th', {}, text)))),
    h('tbody', {}, ...players.map((player) => {
      const parts = review.rounds.flatMap(({ review: all }) => all.filter((part) => part.player === player));
      const firsts = parts.flatMap(({ first_ms }) => first_ms ?? []);
      return h('tr', {}, h('th', { class: 'review-name' }, nameOf(state, player, review)), h('td', {}, String(firsts.length)), h('td', {}, seconds(mean(firsts))), h('td', {}, String(parts.filter(({ saw_it }) => saw_it).length)));
    })),
  );
}
