// Dialogs: help with all keys, settings, questions that need an answer.

/** @import {Binding} from '../../types/page.d.ts' */
import { s } from '../board/svg.js';
import { t } from '../words/page.js';
import { button, h } from './dom.js';
import { checkbox, chips } from './form-fields.js';
import { keyName } from './keys.js';
import { ownDataFields } from './own-data.js';
import { changeSettings, settings } from './settings.js';

/**
 * Opens a dialog; it is removed when it is closed, and the focus goes back.
 * @param {string} title @param {(Node | string)[]} content @returns {HTMLDialogElement}
 */
export function openDialog(title, content) {
  const before = document.activeElement;
  const heading = h('h2', { id: 'dialog-title' }, title);
  const dialog = h(
    'dialog',
    { 'aria-labelledby': 'dialog-title' },
    h('div', { class: 'title' }, heading, button(t('close'), () => dialog.close())),
    ...content,
  );
  // Beside the dialog, not on its margin.
  dialog.addEventListener('click', (event) => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    const inside = event.clientX >= left && event.clientX <= right && event.clientY >= top && event.clientY <= bottom;
    if (event.target === dialog && !inside) dialog.close();
  });
  dialog.addEventListener('close', () => {
    dialog.remove();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Asks for one of some answers; null if the dialog was closed without.
 * @template {string} A
 * @param {string} title @param {string} text @param {readonly (readonly [A, string])[]} answers
 * @returns {Promise<A | null>}
 */
export function askPlayer(title, text, answers) {
  return new Promise((resolve) => {
    /** @type {A | null} */
    let given = null;
    const buttons = answers.map(([answer, label], i) =>
      button(label, () => {
        given = answer;
        dialog.close();
      }, { class: i === 0 ? 'primary' : '', autofocus: i === 0 }),
    );
    const dialog = openDialog(title, [h('p', {}, text), h('p', { class: 'row' }, ...buttons)]);
    dialog.addEventListener('close', () => resolve(given));
  });
}

/** @param {string} title @param {Binding[]} bindings */
function keyList(title, bindings) {
  const shown = bindings.filter((binding) => !binding.quiet);
  if (!shown.length) return [];
  /** @type {Map<string, string[]>} */
  const byEffect = new Map();
  for (const binding of shown) byEffect.set(binding.does, [...(byEffect.get(binding.does) ?? []), keyName(binding)]);
  const list = h('dl', { class: 'keys' });
  for (const [does, keys] of byEffect) {
    const names = keys.flatMap((key, i) => [i ? ' ' : '', h('kbd', {}, key)]);
    list.append(h('dt', {}, ...names), h('dd', {}, does));
  }
  return [h('h3', {}, title), list];
}

/** Two slides: to the wall, and on to the target. */
function slidePicture() {
  const line = (/** @type {string} */ d, /** @type {string} */ kind) => s('path', { d, class: kind });
  const robot = (/** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ kind) => s('circle', { cx: x, cy: y, r: 15, class: kind });
  const grid = [42, 82, 122, 162, 202].map((x) => `M${x} 2V106`).join('');
  return s('svg', { class: 'how-to', viewBox: '0 0 244 108', 'aria-hidden': 'true' },
    line(`M2 54H242${grid}`, 'how-grid'),
    s('rect', { x: 165, y: 67, width: 34, height: 34, rx: 8, class: 'how-goal' }),
    line('M42 28H150M182 46V58', 'how-path'),
    line('M148 20L162 28L148 36ZM174 55L182 65L190 55Z', 'how-head'),
    line('M203 2V54M162 105H202', 'how-wall'),
    robot(22, 28, 'how-robot'), robot(182, 28, 'how-ghost'));
}

/** @param {{title: string, bindings: Binding[]}[]} groups */
export function openHelp(groups) {
  // Who has no keyboard at hand wants to know how to play.
  const keys = h('details', { open: !matchMedia('(pointer: coarse)').matches }, h('summary', {}, t('keys')), ...groups.flatMap(({ title, bindings }) => keyList(title, bindings)));
  const learn = h('a', { class: 'button', href: '#learn&as=start', onclick: () => dialog.close() }, t('learnRules'));
  const read = h('a', { href: '#read', onclick: () => dialog.close() }, t('readLink'));
  const dialog = openDialog(t('help'), [slidePicture(), h('p', {}, t('howTo')), h('p', { class: 'row' }, learn, read), keys]);
}

/** @param {() => void} onLanguage called when all texts have to be written again */
export function openSettings(onLanguage) {
  const dialog = openDialog(t('settings'), [
    chips(t('theme'), [['auto', t('themeAuto')], ['light', t('themeLight')], ['dark', t('themeDark')], ['contrast', t('themeContrast')], ['color-blind', t('themeColorBlind')]], settings.theme, (theme) => changeSettings({ theme })),
    chips(t('language'), [['auto', t('themeAuto')], ['en', 'English'], ['de', 'Deutsch']], settings.language, (language) => {
      changeSettings({ language });
      dialog.close();
      onLanguage();
    }),
    chips(t('motion'), [['auto', t('motionAuto')], ['on', t('motionOn')], ['off', t('motionOff')]], settings.motion, (motion) => changeSettings({ motion })),
    checkbox(t('coordinates'), settings.coordinates, (coordinates) => changeSettings({ coordinates })),
    checkbox(t('trails'), settings.trails, (trails) => changeSettings({ trails })),
    checkbox(t('sound'), settings.sound, (sound) => changeSettings({ sound })),
    checkbox(t('letterKeys'), settings.letterKeys, (letterKeys) => changeSettings({ letterKeys })),
    document.body.dataset.server === 'no'
      ? h('p', { class: 'soft' }, `${t('share')}: ${t('needsServer')}`)
      : checkbox(t('share'), settings.share, (share) => changeSettings({ share })),
    ...(document.body.dataset.server === 'no' ? [] : ownDataFields()),
  ]);
}
