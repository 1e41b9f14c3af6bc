// Rooms: the lobby, a room of the server, the busiest room to watch, and the table at home.

/** @import {App} from '../app.js' */
/** @import {Binding, Mode, Route} from '../types.d.ts' */
import { LobbyPage } from '../room/lobby.js';
import { OnlineRoom } from '../room/online.js';
import { loadStyles, setLayout } from '../room/screen.js';
import { Table } from '../room/table.js';
import { Television } from '../room/television.js';

/** @typedef {LobbyPage | OnlineRoom | Table | Television} Place */

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
    /** @type {Place | null} */
    this.place = null;
  }

  /** @param {Route} route @param {string} [note] said in the lobby */
  async open({ line, more }, note = '') {
    const { app } = this;
    const number = (this.opened += 1);
    this.place?.close();
    this.place = null;
    await this.styles;
    if (number !== this.opened) return;
    app.board.input = 'none';
    app.board.select(null);
    if (more.as === 'table') this.place = new Table(app, () => this.#go('', {}));
    else if (more.as === 'tv') this.place = new Television(app, () => this.#go('', {}));
    else if (line) this.place = new OnlineRoom(app, line.toLowerCase(), { lobby: (why) => this.#go('', {}, why) });
    else {
      this.place = new LobbyPage(app, {
        room: (name) => this.#go(name, {}),
        table: () => this.#go('', { as: 'table' }),
        tv: () => this.#go('', { as: 'tv' }),
      }, note);
    }
  }

  /** @param {string} line @param {Record<string, string>} more @param {string} [note] */
  #go(line, more, note = '') {
    this.app.setAddress({ line, moves: [], more }, { push: true });
    void this.open(this.app.route, note);
    window.scrollTo(0, 0);
  }

  close() {
    this.opened += 1;
    this.place?.close();
    this.place = null;
    setLayout(null);
  }

  /** @returns {Binding[]} */
  keys() {
    return this.place && 'keys' in this.place ? this.place.keys() : [];
  }
}
