// A live region. Screen readers keep silent about a text that did not change, so a text that
// repeats the last one gets a no-break space more.

export class Announcer {
  /** @param {HTMLElement} region */
  constructor(region) {
    this.region = region;
    this.last = '';
    /** @type {string[]} */
    this.waiting = [];
    this.timer = 0;
  }

  /** Says a text; what is said within the same moment is said in one breath. @param {string} text */
  say(text) {
    if (!text) return;
    this.waiting.push(text);
    if (this.timer) return;
    this.timer = window.setTimeout(() => this.#flush(), 60);
  }

  #flush() {
    this.timer = 0;
    let text = this.waiting.join(' ');
    this.waiting = [];
    if (text === this.last) text += '\u00a0';
    this.last = text;
    this.region.textContent = text;
  }
}
