// Errors in the language of the page; for an unknown code, the engine's English sentence.

/** @import {Problem} from '../../types/page.d.ts' */
import { LETTERS } from '../board/rules.js';
import { EngineError } from '../engine/errors.js';
import { errors, t } from '../words/errors.js';
import { phrases, sentences } from '../words/reader-errors.js';
import { currentLanguage } from '../words/words.js';
import { directionName, placeName, robotName } from './sentences.js';

/** Values that name robots by their letters. */
const ROBOTS = new Set(['robot', 'first', 'second']);

/** @param {string} name @param {unknown} value @returns {string | number} */
function inWords(name, value) {
  if (ROBOTS.has(name)) return robotName(LETTERS.indexOf(String(value)));
  if (name === 'side') return directionName(/** @type {'N'} */ (value));
  if (Array.isArray(value)) return value.join('; ');
  return typeof value === 'number' ? value : String(value);
}

/** One thing that is wrong. @param {Problem} problem @returns {string} */
export function problemText({ code = '', with: values = {}, cell, message }) {
  if (!Object.hasOwn(errors, code)) return message;
  const spelt = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, inWords(name, value)]));
  if (cell) spelt.place = placeName(cell);
  const cause = /** @type {Cause | undefined} */ (values.cause);
  const reason = code === 'unreadable' && cause && currentLanguage() === 'de' ? reasonInGerman(cause) : null;
  if (reason) return t('unreadable-told', { ...spelt, reason });
  return t(/** @type {keyof typeof errors} */ (code), spelt);
}

/** Why there is no answer. @param {unknown} error @returns {string} */
export function errorText(error) {
  if (!(error instanceof EngineError)) return error instanceof Error ? error.message : String(error);
  // Everything that is wrong with a position says more than that it is invalid.
  if (error.kind === 'invalid' && error.problems.length) return error.problems.map(problemText).join(' ');
  return problemText({ code: error.code, with: error.values, message: error.message });
}

/**
 * What a reader says: a code, and the values of its sentence.
 * @typedef {{ code: string, with?: Record<string, string | number | Cause> }} Cause
 */

/** @param {Readonly<Record<string, string>>} table @param {Cause} cause @returns {string | null} null for an unknown code */
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

/** A reader's reason, or null if the code is unknown. @param {Cause} cause @returns {string | null} */
const reasonInGerman = (cause) => fill(sentences, cause);
