// The command box: moves such as `RN GE`, and the words of a mode.

import { parseMove } from '../board/rules.js';

/** @typedef {{robot: number, direction: import('../../types/page.d.ts').Direction}} MoveCommand */

/**
 * The commands in a text: moves may be joined (`RNGE`) or apart.
 * @param {string} text @param {number} robots how many there are
 * @returns {({move: MoveCommand} | {word: string})[]}
 */
export function parseCommand(text, robots) {
  const words = text.split(/[\s,;]+/).filter(Boolean);
  return words.flatMap((word) => parseMoves(word, robots) ?? [{ word: word.toLowerCase() }]);
}

/** A word as moves, or null if it is not only moves. @param {string} word @param {number} robots
 * @returns {({move: MoveCommand} | {word: string})[] | null} */
function parseMoves(word, robots) {
  const pairs = word.length % 2 === 0 ? (word.match(/../g) ?? []) : [];
  const moves = pairs.flatMap((pair) => {
    const move = parseMove(pair, robots);
    return move ? [{ move }] : [];
  });
  return moves.length > 0 && moves.length === pairs.length ? moves : null;
}
