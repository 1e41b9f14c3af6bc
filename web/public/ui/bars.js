// Bars that show how often something happened.
import { h } from './dom.js';

/** @typedef {{name: string, count: number, mine?: boolean}} Bar */

/** A list of bars; the longest is the most frequent. @param {Bar[]} bars */
export function barList(bars) {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  return h('ul', {}, ...bars.map(({ name, count, mine }) => {
    const meter = h('span', { class: 'bar' });
    meter.style.setProperty('--share', String(count / most));
    return h('li', { 'data-mine': mine ? 'yes' : 'no' }, h('span', {}, name), meter, h('b', {}, count));
  }));
}
