// Tabs: parts of a panel of which one is shown.

import { h } from './dom.js';
import { isMotionOn } from './settings.js';

let made = 0;

/** @typedef {{title: string, content: Node[], name?: string, onopen?: () => void}} Tab */

/**
 * The first tab is open; `onopen` runs whenever a tab is chosen.
 * @param {string} label what they are for @param {Tab[]} tabs
 */
export const tabs = (label, tabs) => switchableTabs(label, tabs);

/**
 * Tabs that are next to each other where there is room.
 * @param {string} label @param {Tab[]} tabs a tab's name is the class of its panel
 * @param {{columns?: MediaQueryList, signal?: AbortSignal}} [options] columns: when all panels are shown, each with its heading
 */
export function switchableTabs(label, tabs, { columns, signal } = {}) {
  made += 1;
  const id = (/** @type {number} */ i) => `tab-${made}-${i}`;
  const buttons = tabs.map(({ title }, i) => h('button', { type: 'button', role: 'tab', id: id(i), 'aria-controls': `${id(i)}-panel`, onclick: () => show(i) }, title));
  const headings = tabs.map(({ title }) => h('h3', {}, title));
  const panels = tabs.map(({ content, name }, i) => h('div', { id: `${id(i)}-panel`, 'aria-labelledby': id(i), class: `stack tab-panel ${name ?? ''}`.trim() }, columns ? headings[i] : null, ...content));
  const list = h('div', { class: 'tab-list', role: 'tablist', 'aria-label': label, onkeydown: (/** @type {KeyboardEvent} */ event) => onkeydown(event) }, ...buttons);
  let shown = 0;
  /** @param {number} at */
  const write = (at) => {
    shown = at;
    const all = columns?.matches ?? false;
    list.hidden = all;
    for (const [i, one] of buttons.entries()) {
      one.setAttribute('aria-selected', String(i === at));
      one.tabIndex = i === at ? 0 : -1;
      panels[i].setAttribute('role', all ? 'group' : 'tabpanel');
      panels[i].hidden = !all && i !== at;
      headings[i].hidden = !all;
    }
  };
  /** @param {number} at */
  const show = (at) => {
    write(at);
    buttons[at].focus();
    tabs[at].onopen?.();
    // What was opened may be below the screen, or become so when its answer arrives.
    if (panels[at].getBoundingClientRect().top > window.innerHeight / 2) buttons[0].scrollIntoView({ block: 'start', behavior: isMotionOn() ? 'smooth' : 'auto' });
  };
  const onkeydown = (/** @type {KeyboardEvent} */ event) => {
    const to = { ArrowRight: shown + 1, ArrowLeft: shown - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    show((to + tabs.length) % tabs.length);
  };
  write(0);
  columns?.addEventListener('change', () => write(shown), { signal });
  return h('section', { class: 'card tabs', 'aria-label': label }, list, ...panels);
}
