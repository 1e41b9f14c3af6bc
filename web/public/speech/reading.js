// Why a text cannot be read, in German.

import { LETTERS } from '../board/rules.js';
import { phrases, sentences } from '../words/reading.js';
import { robotName } from './sentences.js';

/**
 * What a reader says: a code, and the values of its sentence.
 * @typedef {{ code: string, with?: Record<string, string | number | Cause> }} Cause
 */

/** @param {Readonly<Record<string, string>>} table @param {Cause} cause @returns {string | null} null: it has no words here */
function fill(table, { code, with: values = {} }) {
  if (!Object.hasOwn(table, code)) return null;
  let known = true;
  const text = table[code].replaceAll(/\{(\w+)\}/g, (gap, name) => {
    const value = values[name];
    if (value === undefined) return gap;
    if (name === 'robot') return robotName(LETTERS.indexOf(String(value)));
    if (typeof value !== 'object') return String(value);
    const phrase = fill(phrases, value);
    known &&= phrase !== null;
    return phrase ?? '';
  });
  return known ? text : null;
}

/** Null if it has no words here. @param {Cause} cause @returns {string | null} */
export const reasonInGerman = (cause) => fill(sentences, cause);
