// A part of the panel that opens when it is wanted.

import { h } from './dom.js';

/**
 * @param {string} title @param {(Node | string)[]} content @param {{open?: boolean, onopen?: () => void}} [options]
 */
export function section(title, content, { open = false, onopen } = {}) {
  const details = h(
    'details',
    { class: 'card section', open, ontoggle: () => details.open && onopen?.() },
    h('summary', {}, title),
    h('div', { class: 'stack section-body' }, ...content),
  );
  return details;
}
