// Going back and forth in a list of positions.

/** @import {View} from '../types.d.ts' */

const MOST = 500;

export class History {
  /** @param {View} first */
  constructor(first) {
    /** @type {View[]} */
    this.list = [first];
    this.at = 0;
  }

  get now() {
    return this.list[this.at];
  }

  /** @param {View} draft */
  add(draft) {
    if (draft === this.now) return;
    this.list = [...this.list.slice(0, this.at + 1), draft].slice(-MOST);
    this.at = this.list.length - 1;
  }

  /** What is known of the present position by now. @param {View} draft */
  learn(draft) {
    this.list[this.at] = draft;
  }

  /** @param {number} by @returns {boolean} */
  go(by) {
    const at = this.at + by;
    if (!this.list[at]) return false;
    this.at = at;
    return true;
  }
}
