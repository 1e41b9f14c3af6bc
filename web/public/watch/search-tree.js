// The search tree as a list of rows that can be folded. Only the rows in sight exist, so tens of thousands
// of nodes scroll smoothly.

/** @import {Run, TreeNode} from './run.js' */
import { h } from '../ui/dom.js';
import { moveChip } from '../ui/move-chip.js';
import { t } from '../words/watch.js';

/** The height of a row, as the style sheet has it. */
const ROW = 24;
/** Trees made so far, for unique ids. */
let trees = 0;
/** Rows beyond the edges that exist as well. */
const SPARE = 8;

export class SearchTree {
  /** @param {(made: number) => void} onpick told at which moment a node was made */
  constructor(onpick) {
    this.onpick = onpick;
    trees += 1;
    this.name = `tree-${trees}`;
    /** @type {Run | null} */
    this.run = null;
    /** Nodes whose children are hidden. @type {Set<number>} */
    this.folded = new Set();
    /** The nodes that are listed, in order. @type {TreeNode[]} */
    this.rows = [];
    /** By id, the place in the list. @type {Map<number, number>} */
    this.places = new Map();
    /** The row with the keyboard's focus. */
    this.cursor = 0;
    this.space = h('div', { class: 'tree-space' });
    this.element = h('div', { class: 'search-tree', role: 'tree', tabIndex: 0, 'aria-label': t('tree'), onscroll: () => this.#draw(), onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event) }, this.space);
    // It may be shown later than it is filled, or in another size.
    new ResizeObserver(() => this.update()).observe(this.element);
  }

  /** @param {Run} run */
  show(run) {
    this.run = run;
    this.folded.clear();
    this.cursor = 0;
    this.update();
  }

  /** The run has moved on, or a node was folded. */
  update() {
    const { run } = this;
    if (!run) return;
    this.rows = [];
    this.places.clear();
    const stack = [...run.roots].reverse();
    while (stack.length) {
      const id = /** @type {number} */ (stack.pop());
      if (!run.states.has(id)) continue;
      const node = /** @type {TreeNode} */ (run.nodes.get(id));
      this.places.set(id, this.rows.length);
      this.rows.push(node);
      if (!this.folded.has(id)) for (let i = node.children.length - 1; i >= 0; i -= 1) stack.push(node.children[i]);
    }
    this.space.style.height = `${this.rows.length * ROW}px`;
    const current = run.node && this.places.get(run.node.id);
    if (current !== null && current !== undefined) this.#reveal(current);
    this.#draw();
  }

  /** @param {number} place */
  #reveal(place) {
    const { element } = this;
    const top = place * ROW;
    if (top < element.scrollTop || top > element.scrollTop + element.clientHeight - ROW) element.scrollTop = Math.max(0, top - element.clientHeight / 2);
  }

  #draw() {
    const { element, run } = this;
    if (!run) return;
    const first = Math.max(0, Math.floor(element.scrollTop / ROW) - SPARE);
    const last = Math.min(this.rows.length, Math.ceil((element.scrollTop + (element.clientHeight || 240)) / ROW) + SPARE);
    this.cursor = Math.max(0, Math.min(this.cursor, this.rows.length - 1));
    /** @type {HTMLElement[]} */
    const shown = [];
    for (let place = first; place < last; place += 1) shown.push(this.#row(run, this.rows[place], place));
    this.space.replaceChildren(...shown);
    if (this.rows.length) element.setAttribute('aria-activedescendant', `${this.name}-row-${this.rows[this.cursor]?.id}`);
    else element.removeAttribute('aria-activedescendant');
  }

  /** @param {Run} run @param {TreeNode} node @param {number} place */
  #row(run, node, place) {
    const state = run.states.get(node.id) ?? 'open';
    const children = node.children.some((id) => run.states.has(id));
    const bound = node.h === null ? '' : ` h ${node.h}`;
    const row = h(
      'div',
      {
        class: `tree-row ${state}`, role: 'treeitem', id: `${this.name}-row-${node.id}`, 'aria-level': node.depth + 1,
        'aria-selected': run.node?.id === node.id, ...(children ? { 'aria-expanded': !this.folded.has(node.id) } : {}),
        onclick: () => this.#pick(place),
      },
      h('span', { class: 'fold', 'aria-hidden': 'true', onclick: (/** @type {Event} */ event) => { event.stopPropagation(); this.#fold(node.id); } }, children ? (this.folded.has(node.id) ? '▸' : '▾') : ''),
      h('span', { class: 'tree-move' }, node.move ? moveChip(node.move) : t('start')),
      h('span', { class: 'tree-facts' }, `#${node.id}${bound} ${t(`state-${state}`)}`),
    );
    row.style.top = `${place * ROW}px`;
    row.style.paddingLeft = `${0.25 + Math.min(node.depth, 20) * 0.9}rem`;
    if (place === this.cursor) row.classList.add('cursor');
    return row;
  }

  /** @param {number} place */
  #pick(place) {
    this.cursor = place;
    const node = this.rows[place];
    if (node) this.onpick(node.made + 1);
  }

  /** @param {number} id */
  #fold(id) {
    if (this.folded.has(id)) this.folded.delete(id);
    else this.folded.add(id);
    this.update();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const node = this.rows[this.cursor];
    if (!node) return;
    const to = { ArrowDown: this.cursor + 1, ArrowUp: this.cursor - 1, Home: 0, End: this.rows.length - 1 }[event.key];
    if (to !== undefined) this.cursor = Math.max(0, Math.min(this.rows.length - 1, to));
    else if (event.key === 'ArrowLeft' && !this.folded.has(node.id) && node.children.length) this.#fold(node.id);
    else if (event.key === 'ArrowLeft' && node.parent !== null) this.cursor = this.places.get(node.parent) ?? this.cursor;
    else if (event.key === 'ArrowRight' && this.folded.has(node.id)) this.#fold(node.id);
    else if (event.key === 'Enter' || event.key === ' ') this.#pick(this.cursor);
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.#reveal(this.cursor);
    this.#draw();
  }
}
