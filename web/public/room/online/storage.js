// What this device remembers about rooms: its seats, the player's name, and for each open tab the room
// as it was last seen, so that a reload loses nothing.

/** @import {PlayerId, RoomState, Seat} from '../../../types/room.d.ts' */
import { load, save } from '../../ui/storage.js';

/** @typedef {{you: PlayerId | null, state: RoomState, puzzle: string, tried: string[], bid: string, words: string}} Memory */

/** @param {string} room */
const keyOf = (room) => `ricochet.room.${room}`;

/** @param {string} room @returns {Memory | null} */
export function recall(room) {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(room)) ?? 'null');
  } catch {
    return null;
  }
}

/** @param {string} room @param {Memory | null} memory */
export function remember(room, memory) {
  try {
    if (memory) sessionStorage.setItem(keyOf(room), JSON.stringify(memory));
    else sessionStorage.removeItem(keyOf(room));
  } catch {
    // Forbidden or full: the server still knows the room.
  }
}

/** Rooms that are remembered. */
const MOST = 12;

/** @returns {Seat[]} */
export const keptSeats = () => load('seats', []);

/** @param {string} room @returns {Seat | null} */
export const seatIn = (room) => keptSeats().find((seat) => seat.room === room) ?? null;

/** @param {Seat} seat */
export function keepSeat({ room, player, token }) {
  save('seats', [{ room, player, token }, ...keptSeats().filter((one) => one.room !== room)].slice(0, MOST));
}

/** @param {string} room */
export function forgetSeat(room) {
  save('seats', keptSeats().filter((seat) => seat.room !== room));
}

/** @returns {string} */
export const ownName = () => load('name', '');

/** @param {string} name */
export const keepName = (name) => save('name', name);
