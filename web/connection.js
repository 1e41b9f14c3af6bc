// Whether the server answers: says so when it does not, and when it does again.

/** @import {Health} from './transport/http.js' */
import { byId } from './dom.js';
import { HttpTransport } from './transport/http.js';
import { t } from './words/page.js';

export class Connection {
  /** @param {string} base */
  constructor(base) {
    this.transport = new HttpTransport(base, (health) => this.#show(health));
    this.lost = false;
    this.timer = 0;
    /** Called when the server answers again. */
    this.onBack = () => {};
    byId('banner-retry').addEventListener('click', () => this.transport.retryNow());
    window.addEventListener('online', () => this.transport.retryNow());
  }

  /** @param {Health} health */
  #show({ state, wait = 0 }) {
    clearInterval(this.timer);
    const banner = byId('banner');
    if (state === 'ok') {
      banner.hidden = true;
      if (this.lost) this.onBack();
      this.lost = false;
      return;
    }
    this.lost = true;
    banner.hidden = false;
    let seconds = Math.ceil(wait / 1000);
    const write = () => {
      byId('banner-text').textContent = t(state, { n: Math.max(0, seconds) });
      seconds -= 1;
    };
    write();
    this.timer = window.setInterval(write, 1000);
  }
}
