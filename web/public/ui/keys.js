// Keys: one list for everywhere, one of the mode. Text fields and dialogs keep theirs.

/** @import {Binding} from '../../types/page.d.ts' */
import { settings } from './settings.js';

/** @param {EventTarget | null} target */
function takesText(target) {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button', 'range'].includes(target.type);
  return target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

/** @param {EventTarget | null} target @param {string} key */
function keepsKey(target, key) {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement && ['radio', 'range'].includes(target.type)) return key.startsWith('Arrow');
  return (key === 'Enter' || key === ' ') && target.closest('button, a, summary, [role="gridcell"], input') !== null;
}

/** @param {KeyboardEvent} event @param {Binding} binding */
function matches(event, binding) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  // Signs such as '?' need Shift on some keyboards and not on others.
  const isSign = key.length === 1 && key.toLowerCase() === key.toUpperCase();
  return key === binding.key && (isSign || event.shiftKey === (binding.shift ?? false));
}

/**
 * Listens to the whole document. @param {() => Binding[]} bindings asked at each key, the first
 * match runs @param {AbortSignal} [signal]
 */
export function listen(bindings, signal) {
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
      if (takesText(event.target) || keepsKey(event.target, event.key)) return;
      if (document.querySelector('dialog[open]')) return;
      const binding = bindings().find((one) => matches(event, one));
      // Those who speak to their computer, or whose hands shake, can turn single letters off.
      if (!binding || (event.key.length === 1 && !settings.letterKeys)) return;
      event.preventDefault();
      binding.run();
    },
    { signal },
  );
}

/** @type {Record<string, string>} */
const SHOWN = {
  ArrowUp: '↑', ArrowRight: '→', ArrowDown: '↓', ArrowLeft: '←', ' ': 'Space', Escape: 'Esc', Backspace: '⌫',
};

/** A key as people know it. @param {Binding} binding */
export function keyName({ key, shift }) {
  const name = SHOWN[key] ?? (key.length === 1 ? key.toUpperCase() : key);
  return shift ? `Shift ${name}` : name;
}
