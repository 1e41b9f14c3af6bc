// Going back and forth in a list of positions.

/** @import {View} from '../../types/page.d.ts' */

const MOST = 500;

export class History {
  /** @param {View} first */
  constructor(first) {
    /** @type {View[]} */
    this.list = [first];
    this.at = 0;
  }

  get current() {
    return this.list[this.at];
  }

  /** @param {View} draft */
  add(draft) {
    if (draft === this.current) return;
    this.list = [...this.list.slice(0, this.at + 1), draft].slice(-MOST);
    this.at = this.list.length - 1;
  }

  /** Replaces the present position by one with more known about it. @param {View} draft */
  replace(draft) {
    this.list[this.at] = draft;
  }

  /** Whether there is a position that many steps further. @param {number} by */
  has(by) {
    return this.list[this.at + by] !== undefined;
  }

  /** @param {number} by @returns {boolean} */
  go(by) {
    if (!this.has(by)) return false;
    this.at += by;
    return true;
  }
}
