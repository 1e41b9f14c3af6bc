// Tables and bars of the chapters.

/** @import {Child} from '../ui/dom.js' */
import { h } from '../ui/dom.js';
import { currentLanguage } from '../words/words.js';

/** @param {number} value */
export const number = (value) => new Intl.NumberFormat(currentLanguage()).format(value);

/** @param {number} value */
export const percent = (value) => `${new Intl.NumberFormat(currentLanguage(), { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(value)} %`;

/**
 * A table that scrolls by itself where it does not fit; the first column has the names of the rows.
 * @param {string} caption @param {Child[]} heads @param {Child[][]} rows
 */
export function table(caption, heads, rows) {
  return h('div', { class: 'read-table', role: 'region', tabIndex: 0, 'aria-label': caption },
    h('table', {},
      h('caption', {}, caption),
      h('thead', {}, h('tr', {}, ...heads.map((head) => h('th', { scope: 'col' }, head)))),
      h('tbody', {}, ...rows.map(([name, ...cells]) => h('tr', {}, h('th', { scope: 'row' }, name), ...cells.map((cell) => h('td', {}, cell)))))));
}

/** A bar whose length grows with the logarithm of a number. @param {number} value @param {number} most */
export function bar(value, most) {
  const element = h('span', { class: 'read-bar', 'aria-hidden': 'true' });
  element.style.width = `${value > 0 ? Math.max(2, (100 * Math.log(1 + value)) / Math.log(1 + most)) : 0}%`;
  return h('span', { class: 'read-bar-room' }, element);
}
