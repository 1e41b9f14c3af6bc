// The seats that this device has in rooms: their tokens, the latest first.

/** @import {Seat} from '../../../types/room.d.ts' */
import { load, save } from '../../ui/storage.js';

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
