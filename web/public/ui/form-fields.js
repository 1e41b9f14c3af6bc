// Form fields.

import { fill, h } from './dom.js';

/** Fields made so far, for unique ids. */
let made = 0;

/**
 * A choice of one. @template {string} V
 * @param {readonly (readonly [V, string])[]} options @param {V} value @param {(value: V) => void} onchange
 */
export function choice(options, value, onchange) {
  const field = h('select', { onchange: () => onchange(/** @type {V} */ (field.value)) });
  for (const [key, text] of options) field.append(h('option', { value: key, selected: key === value }, text));
  return field;
}

/**
 * A choice of one of a few as chips, which shows all of them at once. @template {string} V
 * @param {string} label @param {readonly (readonly [V, string | Node])[]} options @param {V} value
 * @param {(value: V) => void} onchange
 */
export function chips(label, options, value, onchange) {
  made += 1;
  const name = `chips-${made}`;
  return h(
    'fieldset',
    { class: 'choices' },
    h('legend', {}, label),
    h('div', { class: 'choices-row' }, ...options.map(([key, text]) =>
      h('label', { class: 'choice' }, h('input', { type: 'radio', name, value: key, checked: key === value, onchange: (/** @type {Event} */ event) => onchange(/** @type {V} */ (/** @type {HTMLInputElement} */ (event.target).value)) }), h('span', {}, text)))),
  );
}

/**
 * A choice of one of many with its label. @template {string} V
 * @param {string} label @param {readonly (readonly [V, string])[]} options @param {V} value
 * @param {(value: V) => void} onchange
 */
export function select(label, options, value, onchange) {
  return h('label', { class: 'field' }, h('span', {}, label), choice(options, value, onchange));
}

/** @param {string} label @param {boolean} checked @param {(checked: boolean) => void} onchange */
export function checkbox(label, checked, onchange) {
  const field = h('input', { type: 'checkbox', checked, onchange: () => onchange(field.checked) });
  return h('label', { class: 'check' }, field, h('span', {}, label));
}

/** A field with its label and a sentence that says what it means. @param {string} label @param {HTMLElement} field @param {string} [explains] */
export function labelledField(label, field, explains) {
  made += 1;
  const id = `field-${made}`;
  field.id = id;
  if (explains) field.setAttribute('aria-describedby', `${id}-why`);
  return h('div', { class: 'explained' }, h('label', { for: id }, label), field, explains ? h('p', { class: 'soft', id: `${id}-why` }, explains) : null);
}

/**
 * Chips with a sentence that says what the choice means. @template {string} V
 * @param {string} label @param {readonly (readonly [V, string])[]} options @param {V} value
 * @param {(value: V) => void} onchange @param {string} explains
 */
export function labelledChips(label, options, value, onchange, explains) {
  const group = chips(label, options, value, onchange);
  const why = h('p', { class: 'soft', id: `${/** @type {HTMLInputElement} */ (group.querySelector('input')).name}-why` }, explains);
  group.setAttribute('aria-describedby', why.id);
  group.append(why);
  group.classList.add('explained');
  return group;
}

/** @param {string} label @param {boolean} checked @param {(checked: boolean) => void} onchange @param {string} [explains] */
export function labelledCheckbox(label, checked, onchange, explains) {
  const field = h('input', { type: 'checkbox', checked, onchange: () => onchange(field.checked) });
  const row = labelledField(label, field, explains);
  row.classList.add('explained-check');
  return row;
}

/** @param {number} value @param {number} least @param {number} most @param {(value: number) => void} onchange */
export function numberField(value, least, most, onchange) {
  const field = h('input', {
    type: 'number', min: String(least), max: String(most), value: String(value), inputMode: 'numeric', required: true,
    onchange: () => {
      const wanted = Math.round(Number(field.value));
      if (wanted >= least && wanted <= most) onchange(wanted);
    },
  });
  return field;
}

/**
 * A whole number within bounds. Anything else is not taken: it stays in the field, next to a
 * sentence that says what is allowed.
 * @param {string} label
 * @param {object} options
 * @param {{least: number, most: number}} options.range
 * @param {string} options.bounds what is allowed, shown for any other number
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
    // A wrong entry stays, unless the number itself has changed.
    if (value() === shown && field.getAttribute('aria-invalid') === 'true') return;
    shown = value();
    field.value = String(shown);
    say(false);
  };
  return { element: h('div', {}, h('label', { class: 'field', for: id }, h('span', {}, label), field), fault), write };
}
