// Rooms: the lobby, a room of the server, the busiest room to watch, and the table at home.

/** @import {Binding, Mode, Route} from '../../types/page.d.ts' */
/** @import {App} from '../app/app.js' */
import { LobbyPage } from './online/lobby.js';
import { OnlineRoom } from './online/room.js';
import { Television } from './online/television.js';
import { loadStyles, setLayout } from './screen.js';
import { Table } from './table/table.js';

/** @typedef {LobbyPage | OnlineRoom | Table | Television} RoomPage */

/** The room that was left for another part of the page, in the middle of a game. */
let lastRoom = '';

/** @param {App} app @returns {Mode} */
export function start(app) {
  return new Rooms(app);
}

/** @implements {Mode} */
class Rooms {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.styles = loadStyles();
    this.opened = 0;
    /** @type {RoomPage | null} */
    this.place = null;
  }

  /** @param {Route} route @param {string} [note] said in the lobby */
  async open({ line, more }, note = '') {
    const { app } = this;
    const number = (this.opened += 1);
    this.place?.close();
    this.place = null;
    // The engine's manifest says whether there is a server at all.
    await Promise.all([this.styles, app.connection.engine.catch(() => null)]);
    if (number !== this.opened) return;
    app.board.input = 'none';
    app.board.select(null);
    const back = lastRoom;
    lastRoom = '';
    if (!line && !more.as && back && !note) {
      // Coming back from another mode continues the game in progress.
      app.setAddress({ line: back, moves: [], more: {} });
      await this.open(app.route);
      return;
    }
    const { hasServer } = app.connection;
    if (more.as === 'table') this.place = new Table(app, () => this.#go('', {}));
    else if (more.as === 'tv' && hasServer) this.place = new Television(app, () => this.#go('', {}), line.toLowerCase());
    else if (line && hasServer) this.place = new OnlineRoom(app, line.toLowerCase(), { lobby: (why) => this.#go('', {}, why) });
    else {
      this.place = new LobbyPage(app, {
        room: (name) => this.#go(name, {}),
        table: () => this.#go('', { as: 'table' }),
        tv: () => this.#go('', { as: 'tv' }),
      }, note);
    }
    // Its keys are only available from now on.
    app.keysChanged();
  }

  /** @param {string} line @param {Record<string, string>} more @param {string} [note] */
  #go(line, more, note = '') {
    this.app.setAddress({ line, moves: [], more }, { push: true });
    void this.open(this.app.route, note);
    window.scrollTo(0, 0);
  }

  close() {
    this.opened += 1;
    const { place } = this;
    if (place instanceof OnlineRoom && place.you !== null && place.state?.phase !== 'over') lastRoom = place.room;
    this.place?.close();
    this.place = null;
    setLayout(null);
  }

  /** @returns {Binding[]} */
  keys() {
    return this.place && 'keys' in this.place ? this.place.keys() : [];
  }
}
