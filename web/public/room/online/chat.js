// Chat in plain text. Messages of players whom the reader has hidden are left out, on this device only.

/** @import {ChatLine, PlayerId} from '../../../types/room.d.ts' */
import { fill, form, h } from '../../ui/dom.js';
import { t } from '../../words/room.js';
import { seatColor } from '../seats.js';

/** Characters of a line, as the server takes them. */
const MAX_CHAT = 300;

export class Chat {
  /** @param {(text: string) => Promise<boolean>} send whether it was taken @param {(text: string) => void} say */
  constructor(send, say) {
    this.send = send;
    this.say = say;
    /** @type {Set<PlayerId>} */
    this.hidden = new Set();
    /** @type {ChatLine[]} */
    this.lines = [];
    this.seen = 0;
    this.started = false;
    this.list = h('ol', { class: 'talk-lines', tabIndex: 0, 'aria-label': t('talk') });
    this.field = h('input', { maxLength: MAX_CHAT, autocomplete: 'off', 'aria-label': t('talkField'), placeholder: t('talkField') });
    this.problem = h('p', { class: 'refusal', role: 'alert' });
    this.title = h('summary', {}, t('talk'));
    this.why = h('p', { class: 'soft' }, t('talkOnlyPlayers'));
    this.why.hidden = true;
    this.form = form({ class: 'row' }, () => void this.#submit(), this.field, h('button', { type: 'submit' }, t('talkSend')));
    this.element = h('details', { class: 'card talk', ontoggle: () => this.update(this.lines) }, this.title, this.list, this.form, this.why, this.problem);
  }

  /** @param {ChatLine[]} lines @param {boolean} [mayTalk] */
  update(lines, mayTalk = !this.form.hidden) {
    const last = this.lines.at(-1);
    // Older messages are not announced.
    const fresh = this.started ? lines.slice(last ? lines.lastIndexOf(last) + 1 : 0) : [];
    this.started = true;
    this.lines = lines;
    this.form.hidden = !mayTalk;
    this.why.hidden = mayTalk;
    const shown = lines.filter(({ player }) => !this.hidden.has(player));
    fill(this.list, shown.map(({ player, name, text }) => h('li', {}, h('b', { class: 'talk-name', 'data-robot': seatColor(player) }, name), ' ', text)));
    this.list.scrollTop = this.list.scrollHeight;
    if (this.element.open) {
      this.seen = shown.length;
      for (const { name, text, player } of fresh) if (!this.hidden.has(player)) this.say(t('newsSaid', { name, text }));
    }
    const unread = Math.max(0, shown.length - this.seen);
    this.title.textContent = unread ? t('talkUnread', { n: unread }) : t('talk');
  }

  async #submit() {
    const text = this.field.value.trim();
    if (!text) return;
    this.problem.textContent = '';
    this.field.value = '';
    // A refused message returns to the field.
    if (!(await this.send(text)) && !this.field.value) this.field.value = text;
  }
}
