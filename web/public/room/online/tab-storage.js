// What a reload must not lose: the room as it was seen, moves that were tried, what was typed. It
// lasts as long as the tab.

/** @import {PlayerId, RoomState} from '../../../types/room.d.ts' */

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
