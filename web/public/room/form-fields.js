// Fields of the forms of rooms: each with a sentence that says what it means.

import { h } from '../ui/dom.js';

let made = 0;

/** @param {string} label @param {HTMLElement} field @param {string} [explains] */
export function explained(label, field, explains) {
  made += 1;
  const id = `field-${made}`;
  field.id = id;
  if (explains) field.setAttribute('aria-describedby', `${id}-why`);
  return h('div', { class: 'explained' }, h('label', { for: id }, label), field, explains ? h('p', { class: 'soft', id: `${id}-why` }, explains) : null);
}

/** @param {string} label @param {boolean} checked @param {(checked: boolean) => void} onchange @param {string} [explains] */
export function explainedCheck(label, checked, onchange, explains) {
  const field = h('input', { type: 'checkbox', checked, onchange: () => onchange(field.checked) });
  const row = explained(label, field, explains);
  row.classList.add('explained-check');
  return row;
}

/**
 * @template {string} V
 * @param {readonly (readonly [V, string])[]} options @param {V} value @param {(value: V) => void} onchange
 */
export function choice(options, value, onchange) {
  const field = h('select', { onchange: () => onchange(/** @type {V} */ (field.value)) });
  for (const [key, text] of options) field.append(h('option', { value: key, selected: key === value }, text));
  return field;
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
