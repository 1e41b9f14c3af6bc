// The lobby: public rooms, opening a room, entering one by link or code, watching the busiest one, and
// the game around a table, which is all there is without a server.

/** @import {Options, RoomEntry, Seat} from '../../../types/room.d.ts' */
/** @import {App} from '../../app/app.js' */
import { isAbort } from '../../engine/errors.js';
import { button, fill, form, h } from '../../ui/dom.js';
import { load } from '../../ui/storage.js';
import { t } from '../../words/room.js';
import { optionsText } from '../announcements.js';
import { MAX_NAME, cleanName } from '../names.js';
import { setLayout } from '../screen.js';
import { RoomError, entry, lobby, openRoom, roomIn, takeSeat } from './api.js';
import { OptionsForm, optionsOf } from './options-form.js';
import { forgetSeat, keepName, keepSeat, keptSeats, ownName, seatIn } from './storage.js';

/** Milliseconds between two requests for the list of rooms. */
const REFRESH = 4000;

/** @typedef {{room: (name: string) => void, table: () => void, tv: () => void}} Navigation */

export class LobbyPage {
  /** @param {App} app @param {Navigation} navigation @param {string} [note] what brought one here */
  constructor(app, navigation, note = '') {
    this.app = app;
    this.navigation = navigation;
    this.leaving = new AbortController();
    this.timer = 0;
    this.note = h('p', { class: 'message', role: 'status' }, note);
    this.note.hidden = !note;
    this.status = h('p', { class: 'soft' }, t('looking'));
    this.rooms = h('ul', { class: 'rooms' });
    this.own = h('ul', { class: 'rooms' });
    this.ownCard = h('section', { class: 'card stack' }, h('h3', {}, t('yourRooms')), this.own);
    this.ownCard.hidden = true;
    this.problem = h('p', { class: 'refusal', role: 'alert' });
    this.name = h('input', { value: ownName(), maxLength: MAX_NAME, autocomplete: 'nickname', id: 'own-name', oninput: () => keepName(cleanName(this.name.value)) });
    this.code = h('input', { id: 'room-code', autocomplete: 'off', spellcheck: false, placeholder: t('codeExample') });
    this.create = new OptionsForm((choices) => void this.#open(optionsOf(choices)));
    this.standing = h('section', { class: 'card stack standing' });
    this.standing.hidden = true;
    this.tv = button(t('watchTv'), navigation.tv);
    setLayout('cards');
    app.setUnder([]);
    if (!app.connection.hasServer) {
      this.#show([tableCard(navigation.table), noServerCard()]);
      return;
    }
    this.#build();
    void this.#refresh();
    void this.#writeOwn();
  }

  close() {
    clearTimeout(this.timer);
    this.leaving.abort();
  }

  #build() {
    const join = form(
      { class: 'stack' },
      () => this.#join(),
      h('label', { for: 'room-code' }, t('joinByCode')),
      h('div', { class: 'row' }, this.code, h('button', { type: 'submit' }, t('goIn'))),
    );
    this.#show([
      this.standing,
      this.ownCard,
      h('section', { class: 'card stack' }, h('h3', {}, t('withFriends')), h('label', { for: 'own-name' }, t('yourName')), this.name, this.problem, this.create.element, join),
      h('section', { class: 'card stack' }, h('div', { class: 'spread' }, h('h3', {}, t('publicRooms')), this.tv), this.status, this.rooms),
      tableCard(this.navigation.table, false),
    ]);
  }

  /** @param {Node[]} cards */
  #show(cards) {
    fill(this.app.panel, [
      h('div', { class: 'cards-page' }, h('div', { class: 'cards-head' }, h('h2', {}, t('rooms')), h('p', { class: 'soft' }, t('roomsIntro')), this.note), h('div', { class: 'cards-columns' }, ...cards)),
    ]);
  }

  async #refresh() {
    const { signal } = this.leaving;
    try {
      if (document.visibilityState === 'visible') this.#write((await lobby(signal)).rooms);
    } catch (error) {
      if (isAbort(error) || signal.aborted) return;
      // A plain file server does not answer with a lobby, now or later.
      if (error instanceof RoomError && (error.kind === 'none' || error.kind === 'no-such-room')) {
        this.#show([tableCard(this.navigation.table), noServerCard()]);
        return;
      }
      this.status.textContent = t('serverGone');
      fill(this.rooms, []);
      this.tv.disabled = true;
    }
    if (!signal.aborted) this.timer = window.setTimeout(() => void this.#refresh(), REFRESH);
  }

  /** @param {RoomEntry[]} all */
  #write(all) {
    this.tv.disabled = all.length === 0;
    this.#writeStanding(all.find(({ standing }) => standing) ?? null);
    const entries = all.filter(({ standing }) => !standing);
    this.status.textContent = entries.length ? t('roomCount', { n: entries.length }) : t(all.length ? 'noOtherRooms' : 'noRooms');
    const focused = document.activeElement?.closest('[data-room]')?.getAttribute('data-room');
    fill(this.rooms, entries.map((one) => this.#entry(one)));
    if (focused) /** @type {HTMLElement | null} */ (this.rooms.querySelector(`[data-room="${focused}"] button`))?.focus({ preventScroll: true });
  }

  /** The room that is always open: playing and watching are one click away. @param {RoomEntry | null} one */
  #writeStanding(one) {
    this.standing.hidden = !one;
    if (!one) return;
    const { room, phase, round, connected, options } = one;
    const news = connected ? `${t(`phase-${phase}`, { n: round ?? 0 })} · ${peopleText(one)}` : t('standingRests');
    if (this.standing.dataset.room !== room) {
      this.standing.dataset.room = room;
      fill(this.standing, [
        h('h3', {}, t('standing')),
        h('p', {}, t('standingText')),
        h('p', { class: 'soft standing-news' }),
        h('div', { class: 'row' }, button(t('standingPlay'), () => void this.#play(room), { class: 'primary' }), button(t('standingWatch'), () => this.navigation.room(room))),
        h('p', { class: 'soft' }, optionsText(options)),
      ]);
    }
    fill(/** @type {HTMLElement} */ (this.standing.querySelector('.standing-news')), [news]);
  }

  /** Takes a seat under the name that is known here; a newcomer gives it in the room. @param {string} room */
  async #play(room) {
    const name = cleanName(this.name.value);
    if (name && !seatIn(room)) {
      try {
        keepSeat(await takeSeat(room, name, null));
      } catch (error) {
        if (!(error instanceof RoomError)) throw error;
        this.#refuse(error.kind === 'gone' ? t('serverGone') : error.kind === 'full' ? t('refused-full') : error.message);
        return;
      }
    }
    this.navigation.room(room);
  }

  /** @param {RoomEntry} one */
  #entry(one) {
    const { room, host, phase, round, options } = one;
    const people = peopleText(one);
    const title = one.standing ? t('standing') : host ? t('roomOf', { name: host }) : t('roomNamed', { room });
    return h(
      'li',
      { class: 'room-entry', 'data-room': room },
      h('div', {}, h('b', {}, title), h('p', { class: 'soft' }, `${t(`phase-${phase}`, { n: round ?? 0 })} · ${people}`), h('p', { class: 'soft' }, optionsText(options))),
      button(t('goIn'), () => this.navigation.room(room), { 'aria-label': t('goInOf', { title }) }),
    );
  }

  /** Rooms in which this device has a seat, if they are still there. */
  async #writeOwn() {
    for (const seat of keptSeats()) {
      try {
        const one = await entry(seat.room, this.leaving.signal);
        this.own.append(this.#entry(one));
        this.ownCard.hidden = false;
      } catch (error) {
        if (isAbort(error)) return;
        if (error instanceof RoomError && error.kind === 'no-such-room') forgetSeat(seat.room);
        else return;
      }
    }
  }

  #join() {
    const room = roomIn(this.code.value);
    if (room) this.navigation.room(room);
    else this.#refuse(t('noCode'));
  }

  /** @param {Partial<Options>} options */
  async #open(options) {
    const name = cleanName(this.name.value);
    if (!name) {
      this.#refuse(t('nameFirst'));
      this.name.focus();
      return;
    }
    keepName(name);
    try {
      /** @type {Seat} */
      const seat = await openRoom(options, name, null);
      keepSeat(seat);
      this.navigation.room(seat.room);
    } catch (error) {
      this.#refuse(error instanceof RoomError ? (error.kind === 'gone' ? t('serverGone') : error.message) : String(error));
    }
  }

  /** @param {string} text */
  #refuse(text) {
    this.problem.textContent = text;
    this.problem.scrollIntoView({ block: 'center' });
  }
}

/** @param {RoomEntry} entry */
function peopleText({ players, seats, bots, spectators }) {
  return [t('playersOf', { n: players, of: seats }), bots ? t('botsAmong', { n: bots }) : '', spectators ? t('watching', { n: spectators }) : ''].filter(Boolean).join(' · ');
}

/** Serves the page and its rooms to the local network. */
const COMMAND = 'ricochet serve --listen 0.0.0.0';

/** The game that needs no server. @param {() => void} open @param {boolean} [alone] whether it is all there is */
function tableCard(open, alone = true) {
  return h(
    'section',
    { class: 'card stack' },
    h('h3', {}, t('table')),
    h('p', { class: 'soft' }, t('tableIntro')),
    h('div', { class: 'row' }, button(load('table', null) ? t('tableGoOn') : t('tableOpen'), open, { class: alone ? 'primary' : '' })),
  );
}

/** What rooms would need, on a page without a server. */
function noServerCard() {
  return h(
    'section',
    { class: 'card stack no-server' },
    h('h3', {}, t('noServerTitle')),
    h('p', {}, t('noServer')),
    h('p', {}, t('noServerRun')),
    h('pre', {}, h('code', {}, COMMAND)),
    h('p', { class: 'soft' }, t('noServerThen')),
  );
}
