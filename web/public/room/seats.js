// The list of players: colour, name, bid, chips and connection. A player's row is built once and then
// only updated, so that it keeps the focus.

/** @import {Player, PlayerId, RoomState} from '../../types/room.d.ts' */
import { fill, h } from '../ui/dom.js';
import { t } from '../words/room.js';
import { scoreOf, bidOf } from './state.js';

/** Colours of the seats, other than the four robots' first. */
const COLORS = 'PCOWRGBY';

/** @param {PlayerId} id */
export const seatColor = (id) => COLORS[(id - 1) % COLORS.length];

/** @param {number} team from 0 */
export const teamName = (team) => t('team', { name: 'ABCD'[team] ?? team + 1 });

/** The first letter of a name on the seat's colour. @param {Pick<Player, 'id' | 'name'>} player */
export function seatMark({ id, name }) {
  return h('span', { class: 'seat-mark', 'data-robot': seatColor(id), 'aria-hidden': 'true' }, [...name][0]?.toUpperCase() ?? '?');
}

/** What is not in the state of the room. @typedef {{you: PlayerId | null, lags: Record<string, number | null>}} SeatContext */

export class Seats {
  /** @param {((player: Player) => void) | null} onMore what a seat's button does; null for no button */
  constructor(onMore) {
    this.onMore = onMore;
    /** @type {Map<PlayerId, ReturnType<Seats['row']>>} */
    this.rows = new Map();
    this.list = h('ol', { class: 'seats', 'aria-label': t('seats') });
    this.element = this.list;
  }

  /** @param {RoomState} state @param {SeatContext} context */
  update(state, context) {
    for (const id of [...this.rows.keys()]) if (!state.players.some((player) => player.id === id)) this.rows.delete(id);
    const rows = state.players.map((player) => {
      const row = this.rows.get(player.id) ?? this.row(player);
      this.rows.set(player.id, row);
      this.#write(row, player, state, context);
      return row.element;
    });
    const same = rows.length === this.list.children.length && rows.every((row, i) => row === this.list.children[i]);
    if (!same) this.list.replaceChildren(...rows);
  }

  /** @param {Player} player */
  row(player) {
    const parts = {
      name: h('span', { class: 'seat-name' }),
      notes: h('span', { class: 'seat-notes' }),
      bid: h('span', { class: 'seat-bid' }),
      bidName: h('span', { class: 'unseen' }),
      chips: h('span', { class: 'seat-chips' }),
    };
    const more = this.onMore && h('button', { type: 'button', class: 'seat-more', onclick: () => this.onMore?.(player) }, '⋯');
    const who = h('span', { class: 'seat-who' }, parts.name, parts.notes);
    return { ...parts, more, element: h('li', { class: 'seat' }, seatMark(player), who, parts.bid, parts.bidName, parts.chips, more) };
  }

  /** @param {ReturnType<Seats['row']>} row @param {Player} player @param {RoomState} state @param {SeatContext} context */
  #write(row, player, state, { you, lags }) {
    const { id, name, bot, level, connected, chips, team, muted } = player;
    const lag = lags[id];
    row.name.textContent = name;
    const notes = [
      id === you && t('you'), id === state.host && t('host'), bot && (level ? t('botLevel', { n: level }) : t('bot')), team !== null && teamName(team), muted && t('muted'),
      !connected ? t('away') : lag !== null && lag !== undefined && !bot ? t('lag', { n: Math.round(lag) }) : false,
    ].filter(Boolean);
    row.notes.textContent = notes.join(' · ');
    this.#writeBid(row, id, state);
    const total = team === null ? '' : ` / ${scoreOf(state, id)}`;
    fill(row.chips, [h('span', { class: 'chip', 'aria-hidden': 'true' }), `${chips}${total}`, h('span', { class: 'unseen' }, ` ${t('chips', { n: chips })}`)]);
    row.chips.hidden = state.phase === 'lobby';
    if (row.more) row.more.setAttribute('aria-label', t('more', { name }));
    row.element.dataset.here = connected ? 'yes' : 'no';
    row.element.dataset.you = id === you ? 'yes' : 'no';
  }

  /** @param {ReturnType<Seats['row']>} row @param {PlayerId} id @param {RoomState} state */
  #writeBid(row, id, state) {
    const bid = bidOf(state, id);
    const lengths = state.round?.stakes.flatMap(({ length }) => length ?? []) ?? [];
    const shows = state.show?.player === id;
    const failed = state.failed.includes(id);
    row.element.dataset.turn = shows ? 'shows' : failed ? 'failed' : bid?.length && bid.length === Math.min(...lengths) ? 'lowest' : '';
    const hidden = bid && bid.length === null;
    const voted = state.round?.skip_votes.includes(id);
    const text = shows ? t('showsNow', { n: bid?.length ?? 0 }) : hidden ? t('handedIn') : bid ? String(bid.length) : voted ? t('votedSkip') : '';
    fill(row.bid, [h(failed ? 's' : 'span', { 'aria-hidden': bid?.length && !shows ? 'true' : null }, text)]);
    const isNumber = Boolean(bid?.length) && !shows;
    row.bid.dataset.number = isNumber ? 'yes' : 'no';
    row.bidName.textContent = isNumber ? t(failed ? 'bidFailed' : 'bidOf', { n: bid?.length ?? 0 }) : '';
  }
}
