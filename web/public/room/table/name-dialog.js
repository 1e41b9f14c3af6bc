// A dialog that asks for a name.

import { openDialog } from '../../ui/dialogs.js';
import { h } from '../../ui/dom.js';
import { t } from '../../words/room.js';
import { MAX_NAME, cleanName } from '../names.js';

/** @param {string} title @param {string} value @returns {Promise<string | null>} */
export function askName(title, value) {
  return new Promise((resolve) => {
    /** @type {string | null} */
    let given = null;
    const field = h('input', { value, maxLength: MAX_NAME, autocomplete: 'nickname', 'aria-label': t('name'), autofocus: true });
    const form = h(
      'form',
      {
        class: 'row',
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          given = cleanName(field.value) || null;
          dialog.close();
        },
      },
      field,
      h('button', { type: 'submit', class: 'primary' }, t('ok')),
    );
    const dialog = openDialog(title, [form]);
    field.focus();
    dialog.addEventListener('close', () => resolve(given));
  });
}
