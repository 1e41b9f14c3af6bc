// The sand timer: a picture and a text that count down to a deadline. It needs only the deadline and a
// clock; nothing else ticks.

import { s } from '../board/svg.js';
import { clockText } from '../play/clock.js';
import { fill, h } from '../ui/dom.js';
import { playSound } from '../ui/sound.js';
import { t } from '../words/room.js';

/** Seconds at which the time left is said. */
const SAID = [30, 10];
/** From here on it hurries. */
const HURRY_MS = 10_000;

/** A time that is running out. @typedef {{until: number, total: number, kind: 'sand' | 'show' | 'round' | 'pause'}} RunningTimer */

export class SandTimer {
  /** @param {{now: () => number, say: (text: string) => void}} host */
  constructor(host) {
    this.host = host;
    /** @type {RunningTimer | null} */
    this.running = null;
    /** Milliseconds that the sand will take when it is turned. */
    this.waiting = 0;
    this.lastLeft = Infinity;
    this.upper = s('path', { class: 'grains' });
    this.lower = s('path', { class: 'grains' });
    this.stream = s('path', { class: 'stream', d: 'M20 30V52' });
    const glass = s('path', { class: 'glass', d: 'M8 4H32M8 56H32M10 4C10 20 18 24 18 30C18 36 10 40 10 56M30 4C30 20 22 24 22 30C22 36 30 40 30 56' });
    this.picture = s('svg', { class: 'sand-picture', viewBox: '0 0 40 60', 'aria-hidden': 'true' }, this.upper, this.lower, this.stream, glass);
    this.text = h('span', { class: 'sand-text' });
    this.element = h('div', { class: 'sand', role: 'timer' });
    fill(this.element, [this.picture, this.text]);
    this.timer = window.setInterval(() => this.#write(), 200);
    this.#write();
  }

  /** @param {RunningTimer | null} running @param {number} [waiting] */
  set(running, waiting = this.waiting) {
    const same = running?.until === this.running?.until && running?.kind === this.running?.kind;
    this.running = running;
    this.waiting = waiting;
    if (!same) this.lastLeft = running ? running.until - this.host.now() : Infinity;
    this.#write();
  }

  close() {
    clearInterval(this.timer);
  }

  #write() {
    const { running } = this;
    const left = running ? Math.max(0, running.until - this.host.now()) : this.waiting;
    const share = running ? Math.min(1, left / Math.max(1, running.total)) : 1;
    this.#draw(share);
    this.element.dataset.state = !running ? 'still' : left === 0 ? 'through' : left <= HURRY_MS && running.kind !== 'pause' ? 'hurry' : 'runs';
    this.element.dataset.kind = running?.kind ?? 'sand';
    // Rounded up: 0:00 means that nothing is left.
    const text = clockText(Math.ceil(left / 1000) * 1000);
    if (this.text.textContent !== text) this.text.textContent = text;
    // The same time can be left of something else.
    const label = running ? t(`left-${running.kind}`, { time: text }) : t('sandStill', { time: text });
    if (this.element.getAttribute('aria-label') !== label) this.element.setAttribute('aria-label', label);
    if (running) this.#speak(left);
  }

  /** @param {number} left */
  #speak(left) {
    const { running, lastLeft } = this;
    this.lastLeft = left;
    if (!running || running.kind === 'pause') return;
    for (const seconds of SAID) {
      if (lastLeft > seconds * 1000 && left <= seconds * 1000 && left > 0 && running.total > seconds * 1000) {
        this.host.say(t('secondsLeft', { n: seconds }));
        playSound('tick');
      }
    }
  }

  /** @param {number} share of the sand that is still above */
  #draw(share) {
    // Heights, not volumes: the eye compares heights.
    const top = 30 - 22 * share;
    const half = (/** @type {number} */ y) => 2 + 8 * Math.min(1, Math.abs(30 - y) / 22);
    this.upper.setAttribute('d', share > 0 ? `M${20 - half(top)} ${top}H${20 + half(top)}L21.5 30H18.5Z` : '');
    const level = 54 - 20 * (1 - share);
    this.lower.setAttribute('d', share < 1 ? `M11 54.5H29L${20 + half(level)} ${level + 2}L20 ${level - 1}L${20 - half(level)} ${level + 2}Z` : '');
  }
}
