// The settings of this device, and applying them.

import { preferredLanguage, setLanguage } from '../words/words.js';
import { load, save } from './storage.js';

/**
 * @typedef {object} Settings
 * @property {'auto' | 'light' | 'dark' | 'contrast' | 'color-blind'} theme
 * @property {'auto' | 'en' | 'de'} language
 * @property {'auto' | 'on' | 'off'} motion
 * @property {boolean} sound
 * @property {boolean} coordinates
 * @property {boolean} trails
 * @property {boolean} letterKeys whether single letters, digits and signs are keys
 * @property {boolean} share whether the server may keep attempts and results
 */

/** @type {Settings} */
const DEFAULTS = { theme: 'auto', language: 'auto', motion: 'auto', sound: false, coordinates: true, trails: true, letterKeys: true, share: false };

/** @type {Settings} */
export const settings = { ...DEFAULTS, ...load('settings', {}) };

/** @type {Set<() => void>} */
const watchers = new Set();

/** Calls back after each change. @param {() => void} watcher */
export function onSettingsChange(watcher) {
  watchers.add(watcher);
}

/** @param {Partial<Settings>} changes */
export function changeSettings(changes) {
  Object.assign(settings, changes);
  save('settings', settings);
  applySettings();
  for (const watcher of watchers) watcher();
}

/** Theme and language of the whole page. */
export function applySettings() {
  window.showTheme(settings.theme);
  setLanguage(settings.language === 'auto' ? preferredLanguage() : settings.language);
}

/** Whether things may move on the screen. */
export function isMotionOn() {
  if (settings.motion !== 'auto') return settings.motion === 'on';
  return !matchMedia('(prefers-reduced-motion: reduce)').matches;
}
