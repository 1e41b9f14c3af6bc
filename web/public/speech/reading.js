// Why a text cannot be read, in German: sentences and phrases of the readers, found by their English form.

import { COLORS } from '../board/rules.js';
import { phrases, sentences } from '../words/reading.js';
import { robotName } from './sentences.js';

/** A text that is quoted, a number, a mark: the same in all languages. */
const PLAIN = /^(?:'.*'|`.*`|".*"?|\[.*\]|[-\d.,×x()…]+|dim\(\d+\)|[a-z]+,\d+.*)$/s;

/** @param {string} template */
function pattern(template) {
  const parts = template.split(/\{(\w+)\}/).map((part, i) => (i % 2 ? `(?<${part}>.*?)` : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')));
  return new RegExp(`^${parts.join('')}$`, 's');
}

/** @param {readonly (readonly [string, string])[]} table */
const compiled = (table) => table.map(([english, german]) => /** @type {const} */ ([pattern(english), german]));

/** @type {ReturnType<typeof compiled>} */
let asSentence;
/** @type {ReturnType<typeof compiled>} */
let asPhrase;

/** @param {ReturnType<typeof compiled>} table @param {string} text @returns {string | null} null: one of its phrases is not known */
function look(table, text) {
  for (const [english, german] of table) {
    const groups = english.exec(text)?.groups;
    if (!groups && !english.test(text)) continue;
    const filled = german.replaceAll(/\{(\w+)\}/g, (whole, name) => {
      const value = groups?.[name];
      if (value === undefined) return whole;
      if (name === 'robot') return COLORS.includes(value) ? robotName(COLORS.indexOf(value)) : '\0';
      if (name === 'what' || name === 'found' || name === 'left' || name === 'right') return phraseInGerman(value) ?? '\0';
      return value;
    });
    if (!filled.includes('\0')) return filled;
  }
  return null;
}

/** @param {string} text @returns {string | null} */
function phraseInGerman(text) {
  asPhrase ??= compiled(phrases);
  return look(asPhrase, text) ?? (PLAIN.test(text) ? text : null);
}

/** Null where it is not known. @param {string} reason as a reader says it @returns {string | null} */
export function reasonInGerman(reason) {
  asSentence ??= compiled(sentences);
  // JSON's readers name the field first.
  const [, field, rest] = /^(`\w+`): (.*)$/s.exec(reason) ?? [];
  const told = look(asSentence, rest ?? reason);
  return told && field ? `${field}: ${told}` : told;
}
