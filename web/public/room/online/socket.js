// The connection to a room. It reconnects automatically, tells the server the last event it saw, and
// measures the delay and the time at the server.

/** @import {NumberedEvent, Presence, Reply, Welcome} from '../../../types/room.d.ts' */
import { socketAddress } from './api.js';

const PROTOCOL = 1;
const LONGEST_WAIT = 30_000;
/** Missed pings after which the connection counts as broken, whatever the browser says. */
const MISSED_PINGS = 3;
/** Milliseconds without a reply after which the page reconnects and sends its message again. */
const ANSWER_MS = 5000;
/** Pings that are remembered to find the quickest. */
const SAMPLES = 8;

/** What to do when the server closes with a code; everything else is tried again. @type {Record<number, Ending>} */
const ENDINGS = { 1008: 'flood', 1009: 'flood', 4000: 'no-seat', 4001: 'bad-token', 4002: 'old-page', 4004: 'no-such-room', 4009: 'elsewhere', 4010: 'no-such-room' };

/** @typedef {'flood' | 'no-seat' | 'bad-token' | 'old-page' | 'no-such-room' | 'elsewhere'} Ending */
/** @typedef {'connecting' | 'open' | 'waiting' | 'ended'} Status */

/**
 * @typedef {object} Listeners
 * @property {(welcome: Welcome) => void} welcome
 * @property {(event: NumberedEvent) => void} event
 * @property {(presence: Presence) => void} presence
 * @property {(status: Status) => void} status
 * @property {() => void} caughtUp all missed events have arrived
 * @property {(ending: Ending) => void} ended
 */

/** A message that waits for its reply. @typedef {{message: object, resolve: (reply: Reply) => void, reject: (error: Error) => void, again: (() => boolean) | null}} PendingMessage */

/** The connection broke before the reply came: whether it was done shows in the events. */
export class ConnectionLostError extends Error {}

export class RoomSocket {
  /** @param {string} room @param {string | null} token @param {() => number | null} since the last event seen @param {Listeners} listeners */
  constructor(room, token, since, listeners) {
    this.room = room;
    this.token = token;
    this.since = since;
    this.listeners = listeners;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {Status} */
    this.status = 'connecting';
    this.tries = 0;
    this.retryTimer = 0;
    this.pingTimer = 0;
    this.pingMs = 5000;
    this.lastMessageAt = 0;
    /** @type {{lag: number, offset: number}[]} */
    this.samples = [];
    this.nextId = 1;
    /** @type {Map<number, PendingMessage>} */
    this.sent = new Map();
    this.leaving = new AbortController();
    const { signal } = this.leaving;
    const wake = () => this.#checkAfterWake();
    window.addEventListener('online', () => this.retryNow(), { signal });
    window.addEventListener('pageshow', wake, { signal });
    window.addEventListener('offline', () => {
      if (this.status === 'open' || this.status === 'connecting') this.#drop();
    }, { signal });
    document.addEventListener('visibilitychange', wake, { signal });
    this.#connect();
  }

  /** Round trip of the last ping. @returns {number | null} */
  get lag() {
    return this.samples.at(-1)?.lag ?? null;
  }

  /** The time at the server, as the quickest of the last pings tells it. */
  now() {
    const quickest = this.samples.reduce((/** @type {{lag: number, offset: number} | null} */ best, one) => (best && best.lag <= one.lag ? best : one), null);
    return Date.now() + (quickest?.offset ?? 0);
  }

  /** Asks something of the room. @param {object} message
   * @param {() => boolean} [again] whether it may be said again after the connection broke
   * @returns {Promise<Reply>} */
  send(message, again) {
    return new Promise((resolve, reject) => {
      const id = this.nextId;
      this.nextId += 1;
      window.setTimeout(() => {
        if (this.sent.has(id) && this.status === 'open') this.#drop();
      }, ANSWER_MS);
      this.sent.set(id, { message, resolve, reject, again: again ?? null });
      if (this.status === 'open') this.#write({ ...message, id });
      else if (!again) this.#rejectLost(id);
    });
  }

  retryNow() {
    if (this.status !== 'waiting') return;
    clearTimeout(this.retryTimer);
    this.#connect();
  }

  /** Something is missing: begins anew from the last event seen. */
  resync() {
    this.#drop();
    this.retryNow();
  }

  close() {
    this.leaving.abort();
    clearTimeout(this.retryTimer);
    clearInterval(this.pingTimer);
    this.status = 'ended';
    for (const id of this.sent.keys()) this.#rejectLost(id);
    this.socket?.close(1000);
    this.socket = null;
  }

  #connect() {
    this.#setStatus('connecting');
    const socket = new WebSocket(socketAddress(this.room));
    this.socket = socket;
    this.lastMessageAt = Date.now();
    socket.addEventListener('open', () => {
      socket.send(JSON.stringify({ hello: PROTOCOL, token: this.token, since: this.since() }));
    });
    socket.addEventListener('message', ({ data }) => {
      if (socket === this.socket) this.#receive(JSON.parse(data));
    });
    socket.addEventListener('close', ({ code }) => {
      if (socket === this.socket) this.#closed(code);
    });
    clearInterval(this.pingTimer);
    this.pingTimer = window.setInterval(() => this.#checkHeartbeat(), this.pingMs);
  }

  /** @param {any} message */
  #receive(message) {
    this.lastMessageAt = Date.now();
    switch (message.type) {
      case 'welcome':
        this.tries = 0;
        this.pingMs = message.ping_ms;
        clearInterval(this.pingTimer);
        this.pingTimer = window.setInterval(() => this.#checkHeartbeat(), this.pingMs);
        // Good enough until the first ping is back.
        if (!this.samples.length) this.samples.push({ lag: Infinity, offset: message.now - Date.now() });
        this.#setStatus('open');
        this.listeners.welcome(message);
        this.caughtUp = false;
        this.#ping();
        break;
      case 'event':
        this.listeners.event(message);
        break;
      case 'presence':
        this.listeners.presence(message);
        break;
      case 'reply': {
        const sent = this.sent.get(message.id);
        this.sent.delete(message.id);
        sent?.resolve(message);
        break;
      }
      case 'pong': {
        const lag = performance.now() - message.t;
        this.samples = [...this.samples.filter((one) => one.lag !== Infinity), { lag, offset: message.now + lag / 2 - Date.now() }].slice(-SAMPLES);
        if (!this.caughtUp) {
          this.caughtUp = true;
          this.listeners.caughtUp();
          this.#resend();
        }
        this.listeners.status(this.status);
        break;
      }
      default:
    }
  }

  /** Sends unanswered messages again if they still make sense. */
  #resend() {
    for (const [id, { message, again }] of [...this.sent]) {
      if (again?.()) this.#write({ ...message, id });
      else this.#rejectLost(id);
    }
  }

  /** @param {number} id */
  #rejectLost(id) {
    this.sent.get(id)?.reject(new ConnectionLostError('the connection broke'));
    this.sent.delete(id);
  }

  #checkHeartbeat() {
    if (Date.now() - this.lastMessageAt > MISSED_PINGS * this.pingMs) this.#drop();
    else if (this.status === 'open') this.#ping();
  }

  #ping() {
    const lag = this.lag;
    this.#write({ do: 'ping', t: performance.now(), ...(lag === null || lag === Infinity ? {} : { lag: Math.round(lag) }) });
  }

  /** After sleep the connection may be dead without knowing it. */
  #checkAfterWake() {
    if (document.visibilityState !== 'visible') return;
    if (this.status === 'waiting') this.retryNow();
    else this.#checkHeartbeat();
  }

  /** Gives a connection up that says nothing any more. */
  #drop() {
    const { socket } = this;
    this.socket = null;
    socket?.close();
    this.#closed(1006);
  }

  /** @param {object} message */
  #write(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** @param {number} code */
  #closed(code) {
    clearInterval(this.pingTimer);
    this.socket = null;
    for (const [id, { again }] of [...this.sent]) if (!again) this.#rejectLost(id);
    const ending = ENDINGS[code];
    if (ending) {
      for (const id of this.sent.keys()) this.#rejectLost(id);
      this.#setStatus('ended');
      this.listeners.ended(ending);
      return;
    }
    // The first time soon, then after 1, 2, 4 … 30 s; a little by chance, so that not all come at once.
    const wait = Math.min(LONGEST_WAIT, 500 * 2 ** this.tries) * (0.5 + Math.random() / 2);
    this.tries += 1;
    this.retryTimer = window.setTimeout(() => this.#connect(), wait);
    this.#setStatus('waiting');
  }

  /** @param {Status} status */
  #setStatus(status) {
    this.status = status;
    this.listeners.status(status);
  }
}
