// A number with bounds: what is out of them is not taken, stays to be corrected, and is answered.

import { fill, h } from '../ui/dom.js';

let made = 0;

/**
 * @param {string} label
 * @param {object} options
 * @param {{least: number, most: number}} options.range
 * @param {string} options.bounds what is allowed, said where a number is not
 * @param {() => number} options.value the number that counts
 * @param {(value: number) => void} options.run takes a number within the bounds
 * @returns {{element: HTMLElement, write: () => void}} write: the number that counts may be another one now
 */
export function boundedNumber(label, { range: { least, most }, bounds, value, run }) {
  made += 1;
  const id = `bounded-${made}`;
  const fault = h('p', { class: 'refusal', role: 'alert', id: `${id}-fault` });
  let shown = value();
  const field = h('input', {
    type: 'number', min: String(least), max: String(most), inputMode: 'numeric', id, value: String(shown), 'aria-describedby': fault.id,
    onchange: () => {
      const wanted = Number(field.value);
      const fits = field.value !== '' && Number.isInteger(wanted) && wanted >= least && wanted <= most;
      say(!fits);
      if (!fits) return;
      shown = wanted;
      run(wanted);
    },
  });
  /** @param {boolean} wrong */
  const say = (wrong) => {
    field.setAttribute('aria-invalid', String(wrong));
    fill(fault, wrong ? [bounds] : []);
  };
  const write = () => {
    // What is to be corrected stays, unless it is about a board that is no longer there.
    if (value() === shown && field.getAttribute('aria-invalid') === 'true') return;
    shown = value();
    field.value = String(shown);
    say(false);
  };
  return { element: h('div', {}, h('label', { class: 'field', for: id }, h('span', {}, label), field), fault), write };
}
