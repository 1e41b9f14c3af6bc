// What this device remembers about rooms: its seats, the player's name, and for each open tab the room
// as it was last seen, so that a reload loses nothing.

/** @import {PlayerId, RoomState, Seat} from '../../../types/room.d.ts' */
import { load, save } from '../../ui/storage.js';

/** @typedef {{you: PlayerId | null, state: RoomState, puzzle: string, tried: string[], bid: string, words: string}} TabState */

/** @param {string} room */
const keyOf = (room) => `ricochet.room.${room}`;

/** @param {string} room @returns {TabState | null} */
export function loadTabState(room) {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(room)) ?? 'null');
  } catch {
    return null;
  }
}

/** @param {string} room @param {TabState | null} memory */
export function saveTabState(room, memory) {
  try {
    if (memory) sessionStorage.setItem(keyOf(room), JSON.stringify(memory));
    else sessionStorage.removeItem(keyOf(room));
  } catch {
    // Forbidden or full: the server still knows the room.
  }
}

/** Rooms that are remembered. */
const MAX_SEATS = 12;

/** @returns {Seat[]} */
export const keptSeats = () => load('seats', []);

/** @param {string} room @returns {Seat | null} */
export const seatIn = (room) => keptSeats().find((seat) => seat.room === room) ?? null;

/** @param {Seat} seat */
export function keepSeat({ room, player, token }) {
  save('seats', [{ room, player, token }, ...keptSeats().filter((one) => one.room !== room)].slice(0, MAX_SEATS));
}

/** @param {string} room */
export function forgetSeat(room) {
  save('seats', keptSeats().filter((seat) => seat.room !== room));
}

/** @returns {string} */
export const ownName = () => load('name', '');

/** @param {string} name */
export const keepName = (name) => save('name', name);
