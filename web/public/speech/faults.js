// What went wrong, in the language of the page. What has no sentence here is told as the engine does, in English.

/** @import {Problem} from '../../types/page.d.ts' */
/** @import {Cause} from './reading.js' */
import { LETTERS } from '../board/rules.js';
import { EngineError } from '../engine/errors.js';
import { faults, t } from '../words/faults.js';
import { currentLanguage } from '../words/words.js';
import { reasonInGerman } from './reading.js';
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
export function faultText({ code = '', with: values = {}, cell, message }) {
  if (!Object.hasOwn(faults, code)) return message;
  const spelt = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, inWords(name, value)]));
  if (cell) spelt.place = placeName(cell);
  const cause = /** @type {Cause | undefined} */ (values.cause);
  const reason = code === 'unreadable' && cause && currentLanguage() === 'de' ? reasonInGerman(cause) : null;
  if (reason) return t('unreadable-told', { ...spelt, reason });
  return t(/** @type {keyof typeof faults} */ (code), spelt);
}

/** Why there is no answer. @param {unknown} error @returns {string} */
export function errorText(error) {
  if (!(error instanceof EngineError)) return error instanceof Error ? error.message : String(error);
  // Everything that is wrong with a position says more than that it is invalid.
  if (error.kind === 'invalid' && error.problems.length) return error.problems.map(faultText).join(' ');
  return faultText({ code: error.code, with: error.values, message: error.message });
}
