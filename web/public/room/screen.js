// What a room and a game around a table have in common on the screen: the strip with the target and
// the sand, the headline, and the tools below the board.

/** @import {View} from '../../types/page.d.ts' */
/** @import {RoomState} from '../../types/room.d.ts' */
/** @import {App} from '../app/app.js' */
/** @import {RunningTimer} from './sand-timer.js' */
import { goalPiece } from '../board/pieces.js';
import { s } from '../board/svg.js';
import { capitalize, placeName, whoName } from '../speech/sentences.js';
import { fill, h, loadStyle } from '../ui/dom.js';
import { tool } from '../ui/icons.js';
import { t as tPlay } from '../words/play.js';
import { t } from '../words/room.js';
import { SandTimer } from './sand-timer.js';
import { playerOf } from './state.js';

/** What stands where: a page of cards, or the board with its panel. @param {'cards' | 'board' | 'bare' | null} layout bare: a panel without a board */
export function setLayout(layout) {
  if (layout) document.body.dataset.layout = layout;
  else delete document.body.dataset.layout;
}

/** Nothing is shown before it looks as it should. */
export function loadStyles() {
  return Promise.all([loadStyle('play'), loadStyle('edit'), loadStyle('room')]);
}

export class Strip {
  /** @param {App} app @param {() => number} now */
  constructor(app, now) {
    this.sand = new SandTimer({ now, say: (text) => app.say(text) });
    this.picture = s('svg', { class: 'goal-picture', viewBox: '-50 -50 100 100', 'aria-hidden': 'true' });
    this.title = h('h2', { tabIndex: -1 });
    this.detail = h('p', { class: 'soft' });
    this.element = h('div', { class: 'strip' });
    fill(this.element, [this.picture, h('div', { class: 'strip-text' }, this.title, this.detail), this.sand.element]);
  }

  /** @param {View | null} view the target that is played for */
  setGoal(view) {
    const piece = view && goalPiece(view);
    piece?.removeAttribute('transform');
    fill(this.picture, piece ? [piece] : []);
    this.picture.toggleAttribute('hidden', !piece);
  }

  /** @param {string} title @param {string} detail @param {boolean} [timed] whether there is a time to show */
  write(title, detail, timed = true) {
    this.sand.element.hidden = !timed;
    if (this.title.textContent !== title) this.title.textContent = title;
    if (this.detail.textContent !== detail) this.detail.textContent = detail;
  }

  close() {
    this.sand.close();
  }
}

/** What is going on, in a few words. @param {RoomState} state @param {number | null} you @param {View | null} view */
export function headlineOf(state, you, view) {
  const { phase, round, show, options } = state;
  if (phase === 'thinking') {
    return view ? tPlay('goalShort', { who: capitalize(whoName(view.goal.robot)) }) : t('think');
  }
  if (phase === 'showing' && show) {
    const made = show.moves ? show.moves.split(' ').length : 0;
    const name = playerOf(state, show.player)?.name ?? '?';
    return show.player === you ? t('youShow', { made, bid: show.bid }) : t('shows', { name, made, bid: show.bid });
  }
  if (phase === 'pause') return state.ended ? t('roundOver', { n: state.ended.number }) : t('dealing');
  if (phase === 'over') return t('gameOver');
  return options.style === 'bidding' || round ? t('waiting') : t('waitingOther');
}

/** Where the target is, and how far the game is. @param {RoomState} state @param {View | null} view */
export function progressOf(state, view) {
  const { game, options, phase } = state;
  if (!game) return '';
  const { length } = options;
  const count = typeof length === 'object' ? length.rounds : null;
  const round = !game.rounds ? '' : count ? t('roundOf', { n: game.rounds, of: count }) : t('roundNumber', { n: game.rounds });
  const thinking = view && phase === 'thinking';
  const parts = [thinking ? capitalize(placeName(view.goal.cell)) : '', thinking && options.must_ricochet ? t('mustTurn') : '', lowestOf(state), round];
  if (game.chips_to_win) parts.push(t('raceTo', { n: game.chips_to_win }));
  else if (!count) parts.push(t('chipsLeft', { n: game.chips_left }));
  return parts.filter(Boolean).join(' · ');
}

/** The bid that shows as it stands. @param {RoomState} state */
function lowestOf(state) {
  const { phase, round } = state;
  const bids = phase === 'thinking' ? (round?.stakes.filter(({ length }) => length !== null) ?? []) : [];
  const lowest = bids.toSorted((a, b) => (a.length ?? 0) - (b.length ?? 0))[0];
  return lowest ? t('lowest', { name: playerOf(state, lowest.player)?.name ?? '?', n: lowest.length ?? 0 }) : '';
}

/** The time that runs now. @param {RoomState} state @returns {RunningTimer | null} */
export function runningTimer(state) {
  const { phase, round, show, options, ended, pause } = state;
  if (phase === 'thinking' && round && round.until !== null) {
    const long = options.style === 'correspondence';
    return { until: round.until, total: long ? options.round_ms : options.sand_ms, kind: long ? 'round' : 'sand' };
  }
  // An automatic room does not wait for a bid for ever.
  if (phase === 'thinking' && round && options.automatic) return { until: round.since + options.round_ms, total: options.round_ms, kind: 'round' };
  if (phase === 'showing' && show && show.until !== null) return { until: show.until, total: options.show_ms ?? 0, kind: 'show' };
  if (phase === 'pause' && ended && options.pause_ms > 0) return { until: pause?.next_at ?? ended.next_at, total: options.pause_ms, kind: 'pause' };
  return null;
}

/** Undo, redo and reset of tried moves. @param {{undo: () => void, redo: () => void, reset: () => void}} actions */
export const tryTools = ({ undo, redo, reset }) => [tool('undo', tPlay('undo'), undo), tool('redo', tPlay('redo'), redo), tool('reset', tPlay('reset'), reset)];
