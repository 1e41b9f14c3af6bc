// The rooms of a page that has no server: what they would need, and what works all the same.

import { button, h } from '../../ui/dom.js';
import { load } from '../../ui/storage.js';
import { t } from '../../words/room.js';

/** What serves the page with rooms, to everybody in the same network. */
const COMMAND = 'ricochet serve --listen 0.0.0.0';

/** The game that needs no server. @param {() => void} open */
export function tableCard(open) {
  return h(
    'section',
    { class: 'card stack' },
    h('h3', {}, t('table')),
    h('p', { class: 'soft' }, t('tableIntro')),
    h('div', { class: 'row' }, button(load('table', null) ? t('tableGoOn') : t('tableOpen'), open, { class: 'primary' })),
  );
}

export function noServerCard() {
  return h(
    'section',
    { class: 'card stack no-server' },
    h('h3', {}, t('noServerTitle')),
    h('p', {}, t('noServer')),
    h('p', {}, t('noServerRun')),
    h('pre', {}, h('code', {}, COMMAND)),
    h('p', { class: 'soft' }, t('noServerThen')),
  );
}
