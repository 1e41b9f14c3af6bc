// Requests about rooms that do not go through a room's socket: the lobby, opening rooms, seats.

/** @import {GameReview, Lobby, Options, RoomEntry, Seat} from '../../../types/room.d.ts' */

const BASE = 'api/v1/rooms';

/** Why a request failed. */
export class RoomError extends Error {
  /** @param {string} kind 'none' if the server has no rooms, 'gone' if it does not respond @param {string} message */
  constructor(kind, message) {
    super(message);
    this.name = 'RoomError';
    this.kind = kind;
  }
}

/** @template T @param {string} path @param {RequestInit} [init] @returns {Promise<T>} */
async function call(path, init = {}) {
  let response;
  try {
    response = await fetch(`${BASE}${path}`, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new RoomError('gone', String(error));
  }
  const isJson = (response.headers.get('content-type') ?? '').includes('json');
  if (!isJson) throw new RoomError(response.status >= 500 ? 'gone' : 'none', `${response.status} ${response.statusText}`);
  const answer = await response.json();
  if (response.ok) return answer;
  const kind = response.status === 404 ? 'no-such-room' : response.status === 429 ? 'too-fast' : (answer.refusal ?? answer.error?.kind ?? 'internal');
  throw new RoomError(kind, answer.message ?? answer.error?.message ?? response.statusText);
}

/** @template T @param {string} path @param {object} body @returns {Promise<T>} */
const post = (path, body) => call(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** @param {AbortSignal} signal @returns {Promise<Lobby>} */
export const lobby = (signal) => call('', { signal });

/** @param {string} room @param {AbortSignal} [signal] @returns {Promise<RoomEntry>} */
export const entry = (room, signal) => call(`/${encodeURIComponent(room)}`, { signal });

/** The busiest public room. @param {AbortSignal} signal @returns {Promise<{room: string | null}>} */
export const busiest = (signal) => call('/tv', { signal });

/** @param {Partial<Options>} options @param {string} name @param {number | null} team @returns {Promise<Seat>} */
export const openRoom = (options, name, team) => post('', { options, name, team });

/** @param {string} room @param {string} name @param {number | null} team @returns {Promise<Seat>} */
export const takeSeat = (room, name, team) => post(`/${encodeURIComponent(room)}/seats`, { name, team });

/** @param {string} room @param {AbortSignal} signal @returns {Promise<GameReview>} */
export const latestGame = (room, signal) => call(`/${encodeURIComponent(room)}/games/latest`, { signal });

/** @param {string} room */
export const qrAddress = (room) => `${BASE}/${encodeURIComponent(room)}/qr.svg`;

/** @param {string} room */
export function socketAddress(room) {
  const address = new URL(`${BASE}/${encodeURIComponent(room)}/socket`, document.baseURI);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  address.hash = '';
  return address.href;
}

/** The invitation. @param {string} room */
export function linkOf(room) {
  const address = new URL(document.baseURI);
  address.hash = `room=${room}`;
  return address.href;
}

/** The room named by a link or a code. @param {string} text */
export function roomIn(text) {
  const found = /room=([a-z0-9]+)/i.exec(text) ?? /^\s*([a-z0-9]{4,})\s*$/i.exec(text);
  return found ? found[1].toLowerCase() : null;
}
