// The input for a bid: by tapping a number, by typing it anywhere, or in the field.

import { button, fill, form, h } from '../ui/dom.js';
import { t } from '../words/room.js';

/** How many numbers have a button. */
const BUTTONS = 16;
export const MAX_BID = 99;

export class BidPad {
  /**
   * @param {{bid: (moves: number) => void, say: (text: string) => void, changed?: () => void}} actions
   * @param {Node[]} [before] what stands above the numbers
   */
  constructor(actions, before = []) {
    this.actions = actions;
    /** A new bid has to be lower than this. @type {number | null} */
    this.below = null;
    /** Whose bid it is; empty for the player's own. */
    this.name = '';
    this.numbers = Array.from({ length: BUTTONS }, (_, i) => button(String(i + 1), () => this.choose(i + 1), { 'aria-pressed': 'false' }));
    this.field = h('input', { type: 'text', inputMode: 'numeric', maxLength: 2, class: 'pad-field', autocomplete: 'off', 'aria-label': t('bidField'), oninput: () => this.#written() });
    this.send = h('button', { type: 'submit', class: 'primary pad-send' });
    this.more = h('div', { class: 'row pad-more' });
    this.refusal = h('p', { class: 'refusal', role: 'alert' });
    /** Where the focus was before a digit was typed. @type {HTMLElement | null} */
    this.before = null;
    const onkeydown = (/** @type {KeyboardEvent} */ event) => {
      if (event.key === 'Escape') this.#back();
    };
    this.element = form(
      { class: 'pad', autocomplete: 'off', onkeydown },
      () => this.#submit(),
      ...before,
      h('div', { class: 'pad-numbers', role: 'group', 'aria-label': t('bidNumbers') }, ...this.numbers),
      h('div', { class: 'row pad-row' }, this.field, this.send, this.more),
      this.refusal,
    );
    this.update();
  }

  /** The number that is entered, if it is one. @returns {number | null} */
  get number() {
    const value = Number(this.field.value);
    return this.field.value.trim() !== '' && Number.isInteger(value) && value >= 1 && value <= MAX_BID ? value : null;
  }

  /** @param {number | null} number */
  choose(number) {
    this.field.value = number === null ? '' : String(number);
    this.#written();
  }

  /** A digit that was typed somewhere else begins a number. @param {string} digit */
  type(digit) {
    const focused = document.activeElement;
    this.before = focused instanceof HTMLElement && focused !== document.body ? focused : null;
    this.field.value = digit;
    this.field.focus();
    this.#written();
  }

  update({ below = this.below, name = this.name, enabled = true } = {}) {
    Object.assign(this, { below, name });
    const { number } = this;
    for (const [i, one] of this.numbers.entries()) {
      one.disabled = !enabled || (below !== null && i + 1 >= below);
      one.setAttribute('aria-pressed', String(number === i + 1));
    }
    this.send.textContent = number === null ? t('bid') : name ? t('bidNumberFor', { n: number, name }) : t('bidNumber', { n: number });
    // Never disabled for a number that cannot be bid: Enter would say nothing then.
    this.send.dataset.ready = number !== null && (below === null || number < below) ? 'yes' : 'no';
    this.send.disabled = !enabled;
    this.field.disabled = !enabled;
  }

  /** Why a bid was not taken; nothing: all is well. @param {string} text */
  refuse(text) {
    this.refusal.textContent = text;
  }

  /** Buttons next to the field. @param {(Node | null)[]} nodes */
  setMore(nodes) {
    const wanted = nodes.filter((node) => node !== null);
    const there = [...this.more.childNodes];
    if (wanted.length !== there.length || wanted.some((node, i) => node !== there[i])) fill(this.more, wanted);
  }

  #written() {
    this.refuse('');
    this.update();
    this.actions.changed?.();
  }

  #submit() {
    const { number, below } = this;
    if (number === null) {
      this.refuse(t('bidRange', { n: MAX_BID }));
      return;
    }
    if (below !== null && number >= below) {
      this.refuse(this.name ? t('bidLowerFor', { name: this.name, n: below }) : t('bidLower', { n: below }));
      return;
    }
    this.actions.bid(number);
    this.#back();
  }

  /** The focus goes back to where the digits were typed. */
  #back() {
    if (document.activeElement === this.field) {
      if (this.before?.isConnected) this.before.focus({ preventScroll: true });
      else this.field.blur();
    }
    this.before = null;
  }
}
