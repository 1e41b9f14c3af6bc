// Watching the busiest room; when nothing happens there any more, the next one.

/** @import {App} from '../../app/app.js' */
import { isAbort } from '../../engine/errors.js';
import { button, fill, h } from '../../ui/dom.js';
import { t } from '../../words/room.js';
import { setLayout } from '../screen.js';
import { RoomError, busiest } from './api.js';
import { OnlineRoom } from './room.js';

/** Milliseconds between two checks for a busier room. */
const POLL_MS = 10_000;

export class Television {
  /** @param {App} app @param {() => void} toLobby @param {string} [only] this room and no other */
  constructor(app, toLobby, only = '') {
    this.app = app;
    this.toLobby = toLobby;
    this.only = only;
    document.body.dataset.tv = 'yes';
    this.leaving = new AbortController();
    this.timer = 0;
    /** @type {OnlineRoom | null} */
    this.room = null;
    void this.#poll();
  }

  close() {
    delete document.body.dataset.tv;
    clearTimeout(this.timer);
    this.leaving.abort();
    this.room?.close();
  }

  /** Whether the room that is shown has nothing to show. */
  get #isIdle() {
    const phase = this.room?.state?.phase;
    return !this.room || phase === 'over' || phase === 'lobby' || this.room.socket.status === 'ended';
  }

  async #poll() {
    const { signal } = this.leaving;
    try {
      if (this.#isIdle) {
        const { room } = this.only ? { room: this.only } : await busiest(signal);
        if (signal.aborted) return;
        if (room && room !== this.room?.room) this.#showRoom(room);
        else if (!room) this.#showMessage(t('noRooms'));
      }
    } catch (error) {
      if (isAbort(error) || signal.aborted) return;
      this.#showMessage(t(error instanceof RoomError && error.kind === 'none' ? 'noServerTitle' : 'serverGone'));
    }
    this.timer = window.setTimeout(() => void this.#poll(), POLL_MS);
  }

  /** @param {string} room */
  #showRoom(room) {
    this.room?.close();
    this.room = new OnlineRoom(this.app, room, { lobby: this.toLobby, ended: () => this.#showMessage(t('noRooms')) }, { tv: true, invites: this.only !== '' });
    this.app.panel.prepend(h('div', { class: 'spread tv-head' }, h('b', {}, t(this.only ? 'tvOwn' : 'tv')), h('a', { class: 'button', href: `#room=${room}` }, t('goIn'))));
  }

  /** @param {string} text */
  #showMessage(text) {
    this.room?.close();
    this.room = null;
    setLayout('cards');
    this.app.setUnder([]);
    fill(this.app.panel, [h('div', { class: 'cards-page' }, h('div', { class: 'cards-head' }, h('h2', {}, t('tv')), h('p', {}, text), h('div', { class: 'row' }, button(t('backToLobby'), this.toLobby))))]);
  }

  keys() {
    return this.room?.keys() ?? [];
  }
}
