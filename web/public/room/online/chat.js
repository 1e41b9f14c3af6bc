// Chat in plain text, or in numbered phrases that everybody reads in their own language. Messages of players whom the reader has hidden are left out, on this device only.

/** @import {Chat as ChatKind, ChatLine, PlayerId} from '../../../types/room.d.ts' */
import { fill, form, h } from '../../ui/dom.js';
import { t } from '../../words/room.js';
import { seatColor } from '../seats.js';

/** Characters of a line, as the server takes them. */
const MAX_CHAT = 300;

/** The numbers of the phrases; a test compares them with the server's. */
export const PHRASES = /** @type {const} */ ([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);

/** What a line says. @param {ChatLine} line */
function textOf({ text, phrase }) {
  const known = PHRASES.find((number) => number === phrase);
  return known ? t(`phrase-${known}`) : text;
}

export class Chat {
  /**
   * @param {(text: string) => Promise<boolean>} send whether it was taken @param {(phrase: number) => Promise<boolean>} sendPhrase
   * @param {(text: string) => void} say
   */
  constructor(send, sendPhrase, say) {
    this.send = send;
    this.mayTalk = false;
    /** @type {ChatKind} */
    this.kind = 'free';
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
    this.phrases = h('div', { class: 'phrases', role: 'group', 'aria-label': t('phrases') }, ...PHRASES.map((number) => h('button', { type: 'button', onclick: () => {
      this.problem.textContent = '';
      void sendPhrase(number);
    } }, t(`phrase-${number}`))));
    this.element = h('details', { class: 'card talk', ontoggle: () => this.update(this.lines) }, this.title, this.list, this.form, this.phrases, this.why, this.problem);
  }

  /** @param {ChatLine[]} lines @param {boolean} [mayTalk] @param {ChatKind} [kind] */
  update(lines, mayTalk = this.mayTalk, kind = this.kind) {
    this.mayTalk = mayTalk;
    this.kind = kind;
    const last = this.lines.at(-1);
    // Older messages are not announced.
    const fresh = this.started ? lines.slice(last ? lines.lastIndexOf(last) + 1 : 0) : [];
    this.started = true;
    this.lines = lines;
    this.form.hidden = !mayTalk || kind !== 'free';
    this.phrases.hidden = !mayTalk || kind !== 'quick';
    this.why.hidden = mayTalk;
    const shown = lines.filter(({ player }) => !this.hidden.has(player));
    fill(this.list, shown.map((line) => h('li', {}, h('b', { class: 'talk-name', 'data-robot': seatColor(line.player) }, line.name), ' ', textOf(line))));
    this.list.scrollTop = this.list.scrollHeight;
    if (this.element.open) {
      this.seen = shown.length;
      for (const line of fresh) if (!this.hidden.has(line.player)) this.say(t('newsSaid', { name: line.name, text: textOf(line) }));
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
