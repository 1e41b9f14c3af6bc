// Dialogs: help with all keys, settings, questions that need an answer.

/** @import {Binding} from '../../types/page.d.ts' */
import { t } from '../words/page.js';
import { button, h } from './dom.js';
import { checkbox, chips } from './form-fields.js';
import { keyName } from './keys.js';
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

/** @param {{title: string, bindings: Binding[]}[]} groups */
export function openHelp(groups) {
  openDialog(t('help'), [h('p', {}, t('howTo')), ...groups.flatMap(({ title, bindings }) => keyList(title, bindings))]);
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
  ]);
}
