// A small server of rooms inside the test: the page's own referee behind a WebSocket that can be cut
// at any moment. It follows `docs/api/rooms.md`; the real server has its own tests.
import { Referee } from '../../public/room/table/referee.js';
import { askServer } from './server.mjs';

/** @import {BrowserContext, WebSocketRoute} from 'playwright-core' */
/** @import {Server} from './server.mjs' */
/** @import {Command} from '../../public/room/table/referee.js' */
/** @import {NumberedEvent, Options, RoomState} from '../../types/room.d.ts' */

/** @type {Options} */
const DEFAULTS = {
  edition: 1999, layout: '1A 4B 3B 2B', diagonals: null, robots: 4, must_ricochet: false, style: 'bidding', sand_ms: 60_000, show_ms: 60_000, round_ms: 86_400_000,
  pause_ms: 10_000, length: 'all-chips', ties: 'fewer-chips', teams: 0, seats: 16, private: true, chat: 'free',
};

const ROBOTS = /** @type {[number, number][]} */ ([[1, 15], [12, 1], [15, 0], [12, 0]]);

export class FakeRoom {
  /** @param {Server} server the real one, for boards and solutions @param {Partial<Options>} [options] */
  constructor(server, options = {}) {
    this.server = server;
    this.name = 'abcdefghij12';
    this.referee = new Referee({ ...DEFAULTS, ...options });
    /** @type {NumberedEvent[]} */
    this.log = [];
    /** @type {Map<string, number>} */
    this.tokens = new Map();
    /** @type {Map<WebSocketRoute, number | null>} */
    this.sockets = new Map();
    /** What clients said, for the test to look at. @type {any[]} */
    this.heard = [];
    this.down = false;
    this.timer = setInterval(() => this.say({ say: 'tick' }), 50);
  }

  stop() {
    clearInterval(this.timer);
  }

  get state() {
    return this.referee.state;
  }

  /** @param {Command} command */
  say(command) {
    const { events, refusal } = this.referee.handle(Date.now(), command);
    this.#publish(events);
    return refusal;
  }

  /** @param {NumberedEvent[]} events */
  #publish(events) {
    for (const event of events) {
      this.log.push(event);
      for (const [socket] of this.sockets) socket.send(JSON.stringify({ type: 'event', ...event }));
    }
  }

  /** @param {number[]} [chips] the stack; all by default */
  async start(chips) {
    const view = await askServer(this.server, 'compose', { layout: '1A4B3B2B' });
    const { width, height, walls, diagonals, targets } = view;
    const stack = chips ?? targets.map((/** @type {unknown} */ _, /** @type {number} */ i) => i);
    this.say({ say: 'start', deal: { layout: '1A4B3B2B', robots: ROBOTS, board: { width, height, walls, diagonals, targets }, stack } });
    await this.turnUp();
  }

  /** The next round, with its optimum. */
  async turnUp() {
    const { referee } = this;
    const target = referee.nextChip;
    const view = target === null ? null : referee.puzzle(target);
    if (target === null || !view) return;
    const { line } = await askServer(this.server, 'compose', { layout: '1A4B3B2B', robots: view.robots, goal: view.goal });
    const solved = await askServer(this.server, 'solve', { puzzle: line });
    const { events } = referee.handle(Date.now(), { say: 'turn-up', target, optimum: solved.moves.join(' ') });
    const round = referee.state.round;
    if (round) referee.state = { ...referee.state, round: { ...round, puzzle: line } };
    this.solution = solved.moves;
    this.#publish(events.map((event) => (event.event === 'round-started' ? { ...event, puzzle: line, optimum: null } : event)));
  }

  /** Cuts all connections, and takes none until `up`. */
  async cut() {
    this.down = true;
    for (const socket of [...this.sockets.keys()]) await socket.close({ code: 1001 });
    this.sockets.clear();
  }

  up() {
    this.down = false;
  }

  /** Answers for the rooms of a browser. @param {BrowserContext} context */
  async attach(context) {
    await context.route(/\/api\/v1\/rooms/, async (route) => {
      const { pathname } = new URL(route.request().url());
      const path = pathname.replace(/^.*\/rooms/, '');
      const body = route.request().postDataJSON();
      const entry = {
        room: this.name, host: this.state.players[0]?.name ?? null, phase: this.state.phase, players: this.state.players.length, bots: 0, connected: 1, seats: 16,
        spectators: 0, game: null, round: this.state.round?.number ?? null, opened: 0, options: this.state.options,
      };
      if (path === '' && route.request().method() === 'GET') return route.fulfill({ json: { now: Date.now(), tv: this.name, rooms: [entry] } });
      if (path === '' || path.endsWith('/seats')) return route.fulfill({ status: 201, json: this.seat(body.name) });
      if (path === '/tv') return route.fulfill({ json: { room: this.name } });
      if (path.endsWith('/qr.svg')) return route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path d="M1 1h3v3h-3zM6 1h3v3h-3zM1 6h3v3h-3zM5 5h2v2h-2z"/></svg>' });
      if (path === `/${this.name}`) return route.fulfill({ json: entry });
      return route.fulfill({ status: 404, json: { error: { kind: 'not-found', message: 'no such room' } } });
    });
    await context.routeWebSocket(/\/api\/v1\/rooms\/.*\/socket/, (socket) => this.#meet(socket));
  }

  /** @param {string} name */
  seat(name) {
    this.say({ say: 'join', name });
    const player = this.state.players.at(-1)?.id ?? 0;
    const token = `token-of-${player}`;
    this.tokens.set(token, player);
    if (this.state.host === null) {
      const event = /** @type {NumberedEvent} */ ({ event: 'host-changed', player, number: this.state.version + 1, at: Date.now() });
      this.referee.state = { ...this.state, host: player, version: event.number };
      this.#publish([event]);
    }
    return { room: this.name, link: `/#room=${this.name}`, player, token };
  }

  /** @param {WebSocketRoute} socket */
  #meet(socket) {
    if (this.down) {
      void socket.close({ code: 1001 });
      return;
    }
    socket.onMessage((text) => {
      const message = JSON.parse(String(text));
      if ('hello' in message) this.#welcome(socket, message);
      else void this.#do(socket, message);
    });
    socket.onClose(() => this.sockets.delete(socket));
  }

  /** @param {WebSocketRoute} socket @param {any} message */
  #welcome(socket, message) {
    this.heard.push(message);
    const you = this.tokens.get(message.token) ?? null;
    if (message.token && you === null) {
      void socket.close({ code: 4001 });
      return;
    }
    const missed = message.since ? this.log.filter(({ number }) => number > message.since) : null;
    const { failed, ended, standings, talk, ...snapshot } = this.state;
    socket.send(JSON.stringify({
      type: 'welcome', protocol: 1, room: this.name, you, now: Date.now(), version: missed ? message.since : this.state.version, snapshot: missed ? null : snapshot, delay_ms: 0, ping_ms: 1000,
    }));
    for (const event of missed ?? []) socket.send(JSON.stringify({ type: 'event', ...event }));
    this.sockets.set(socket, you);
  }

  /** @param {WebSocketRoute} socket @param {any} message */
  async #do(socket, message) {
    const player = this.sockets.get(socket) ?? 0;
    if (message.do === 'ping') {
      socket.send(JSON.stringify({ type: 'pong', t: message.t, now: Date.now() }));
      return;
    }
    this.heard.push({ ...message, player });
    let refusal = null;
    if (message.do === 'start') await this.start();
    else if (message.do === 'show') for (const play of message.moves.split(' ')) refusal ??= this.say({ say: 'show', player, play });
    else if (message.do === 'say') {
      const event = /** @type {NumberedEvent} */ ({ event: 'said', player, text: message.text, number: this.state.version + 1, at: Date.now() });
      this.referee.state = /** @type {RoomState} */ ({ ...this.state, version: event.number });
      this.#publish([event]);
    } else refusal = this.say({ ...message, say: message.do, player });
    socket.send(JSON.stringify({ type: 'reply', id: message.id, ok: refusal === null, ...refusal }));
  }
}
