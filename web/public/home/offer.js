// The first run is offered once, to visitors who have not played here before.

import { firstRunState, saveFirstRun } from '../learn/progress.js';
import { button, fill, h } from '../ui/dom.js';
import { icon } from '../ui/icons.js';
import { load } from '../ui/storage.js';
import { t } from '../words/home.js';

/** Offered on this visit: until it is answered, it stays. */
let isOpen = false;

/** What a player leaves behind. */
const TRACES = ['attempts', 'days', 'open', 'training', 'game', 'lessons'];

/** The offer, or null. */
export function firstRunOffer() {
  if (firstRunState() === 'new') {
    saveFirstRun('offered');
    isOpen = TRACES.every((name) => load(name, null) === null);
  }
  if (!isOpen || firstRunState() !== 'offered') return null;
  const decline = button('', () => {
    isOpen = false;
    offer.remove();
  }, { class: 'quiet small offer-close', 'aria-label': t('offerNo'), title: t('offerNo') });
  fill(decline, [icon('close')]);
  const offer = h('section', { class: 'sheet offer no-print', 'aria-label': t('offerTitle') },
    h('div', {}, h('h2', {}, t('offerTitle')), h('p', { class: 'small-text' }, t('offerText'))),
    h('a', { class: 'button', href: '#learn&as=start' }, t('offerYes')),
    decline);
  return offer;
}
