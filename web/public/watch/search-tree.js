// The search tree as a list of rows that can be folded. Only the rows in sight exist, and each node knows how many
// rows are below it, so a step costs the same in a tree of tens of thousands of nodes.

/** @import {Run, TreeNode} from './run.js' */
import { fillKeyed, h } from '../ui/dom.js';
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
    /** How many events of the run have their nodes counted. */
    this.counted = 0;
    /** Nodes whose children are hidden. @type {Set<number>} */
    this.folded = new Set();
    /** By id, how many rows a node has below it while it is not folded. @type {Map<number, number>} */
    this.below = new Map();
    /** How many rows there are. */
    this.total = 0;
    /** The row with the keyboard's focus. */
    this.cursor = 0;
    /** Where it is scrolled to and its height, which are dear to ask for after each change. */
    this.top = 0;
    this.height = 0;
    this.space = h('div', { class: 'tree-space' });
    this.element = h('div', { class: 'search-tree', role: 'tree', tabIndex: 0, 'aria-label': t('tree'), onscroll: () => this.#scrolled(), onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event) }, this.space);
    // It may be shown later than it is filled, or in another size.
    new ResizeObserver(() => this.#resized()).observe(this.element);
  }

  /** @param {Run} run */
  show(run) {
    this.run = run;
    this.counted = 0;
    this.folded.clear();
    this.below.clear();
    this.total = 0;
    this.cursor = 0;
    this.update();
  }

  #scrolled() {
    this.top = this.element.scrollTop;
    this.#draw();
  }

  #resized() {
    this.height = this.element.clientHeight;
    this.top = this.element.scrollTop;
    this.update();
  }

  /** The run has moved on. */
  update() {
    const { run } = this;
    if (!run) return;
    for (; this.counted < run.at; this.counted += 1) this.#count(run, this.counted, 1);
    for (; this.counted > run.at; this.counted -= 1) this.#count(run, this.counted - 1, -1);
    const current = run.node && this.#placeOf(run, run.node);
    this.space.style.height = `${this.total * ROW}px`;
    if (current !== null) this.#reveal(current);
    this.#draw();
  }

  /** The node that an event makes comes or goes. @param {Run} run @param {number} number @param {1 | -1} by */
  #count(run, number, by) {
    const node = run.nodes.get(run.events[number].id ?? -1);
    if (node?.made === number) this.#add(run, node, by);
  }

  /** Rows come or go at a node. @param {Run} run @param {TreeNode} node @param {number} by */
  #add(run, node, by) {
    for (let id = node.parent; id !== null; id = run.nodes.get(id)?.parent ?? null) {
      this.below.set(id, (this.below.get(id) ?? 0) + by);
      if (this.folded.has(id)) return;
    }
    this.total += by;
  }

  /** The rows of a node and of all below it. @param {number} id */
  #rowsOf(id) {
    return 1 + (this.folded.has(id) ? 0 : (this.below.get(id) ?? 0));
  }

  /** Those of some nodes that have been made; the later ones come last. @param {Run} run @param {number[]} ids */
  * #made(run, ids) {
    for (const id of ids) {
      const node = run.nodes.get(id);
      if (!node || node.made >= run.at) return;
      yield node;
    }
  }

  /** Which row a node is; null if it is in a folded branch or not made yet. @param {Run} run @param {TreeNode} node */
  #placeOf(run, node) {
    if (node.made >= run.at) return null;
    let place = 0;
    for (let at = node; ;) {
      const parent = at.parent === null ? null : run.nodes.get(at.parent);
      if (parent && this.folded.has(parent.id)) return null;
      for (const sibling of this.#made(run, parent ? parent.children : run.roots)) {
        if (sibling === at) break;
        place += this.#rowsOf(sibling.id);
      }
      if (!parent) return place;
      place += 1;
      at = parent;
    }
  }

  /** The nodes of some rows, in order. @param {number} first @param {number} last not included */
  #nodesAt(first, last) {
    const { run } = this;
    /** @type {TreeNode[]} */
    const found = [];
    const collect = (/** @type {number[]} */ ids, /** @type {number} */ from) => {
      if (!run) return;
      let place = from;
      for (const node of this.#made(run, ids)) {
        if (place >= last) return;
        const rows = this.#rowsOf(node.id);
        if (place + rows > first) {
          if (place >= first) found.push(node);
          if (rows > 1) collect(node.children, place + 1);
        }
        place += rows;
      }
    };
    collect(run?.roots ?? [], 0);
    return found;
  }

  /** @param {number} place */
  #reveal(place) {
    const top = place * ROW;
    if (top >= this.top && top <= this.top + this.height - ROW) return;
    this.element.scrollTop = Math.max(0, top - this.height / 2);
    this.top = this.element.scrollTop;
  }

  #draw() {
    const { element, run } = this;
    if (!run) return;
    const first = Math.max(0, Math.floor(this.top / ROW) - SPARE);
    const last = Math.min(this.total, Math.ceil((this.top + (this.height || 240)) / ROW) + SPARE);
    this.cursor = Math.max(0, Math.min(this.cursor, this.total - 1));
    const nodes = this.#nodesAt(first, last);
    const current = run.node?.id;
    const rows = fillKeyed(this.space, nodes.map((node, i) => {
      const row = {
        state: run.states.get(node.id) ?? 'open', hasChildren: (this.below.get(node.id) ?? 0) > 0,
        isFolded: this.folded.has(node.id), isCurrent: node.id === current, isCursor: first + i === this.cursor,
      };
      return [`${node.id} ${Object.values(row).join(' ')}`, () => this.#row(node, row)];
    }));
    for (const [i, row] of rows.entries()) row.style.top = `${(first + i) * ROW}px`;
    const [pointed] = this.#nodesAt(this.cursor, this.cursor + 1);
    if (pointed) element.setAttribute('aria-activedescendant', this.#rowId(pointed));
    else element.removeAttribute('aria-activedescendant');
  }

  /** @param {TreeNode} node */
  #rowId(node) {
    return `${this.name}-row-${node.id}`;
  }

  /** @param {TreeNode} node @param {{state: import('./run.js').NodeState, hasChildren: boolean, isFolded: boolean, isCurrent: boolean, isCursor: boolean}} look */
  #row(node, { state, hasChildren, isFolded, isCurrent, isCursor }) {
    const bound = node.h === null ? '' : ` h ${node.h}`;
    const row = h(
      'div',
      {
        class: `tree-row ${state}${isCursor ? ' cursor' : ''}`, role: 'treeitem', id: this.#rowId(node), 'aria-level': node.depth + 1,
        'aria-selected': isCurrent, ...(hasChildren ? { 'aria-expanded': !isFolded } : {}),
        onclick: () => this.#pick(node),
      },
      h('span', { class: 'fold', 'aria-hidden': 'true', onclick: (/** @type {Event} */ event) => { event.stopPropagation(); this.#fold(node); } }, hasChildren ? (isFolded ? '▸' : '▾') : ''),
      h('span', { class: 'tree-move' }, node.move ? moveChip(node.move) : t('start')),
      h('span', { class: 'tree-facts' }, `#${node.id}${bound} ${t(`state-${state}`)}`),
    );
    row.style.paddingLeft = `${0.25 + Math.min(node.depth, 20) * 0.9}rem`;
    return row;
  }

  /** @param {TreeNode} node */
  #pick(node) {
    if (this.run) this.cursor = this.#placeOf(this.run, node) ?? this.cursor;
    this.onpick(node.made + 1);
  }

  /** @param {TreeNode} node */
  #fold(node) {
    const { run } = this;
    if (!run) return;
    const rows = this.below.get(node.id) ?? 0;
    const unfolds = this.folded.delete(node.id);
    if (!unfolds) this.folded.add(node.id);
    this.#add(run, node, unfolds ? rows : -rows);
    this.update();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { run } = this;
    const [node] = this.#nodesAt(this.cursor, this.cursor + 1);
    if (!run || !node) return;
    const to = { ArrowDown: this.cursor + 1, ArrowUp: this.cursor - 1, Home: 0, End: this.total - 1 }[event.key];
    const parent = node.parent === null ? null : run.nodes.get(node.parent);
    if (to !== undefined) this.cursor = Math.max(0, Math.min(this.total - 1, to));
    else if (event.key === 'ArrowLeft' && !this.folded.has(node.id) && (this.below.get(node.id) ?? 0) > 0) this.#fold(node);
    else if (event.key === 'ArrowLeft' && parent) this.cursor = this.#placeOf(run, parent) ?? this.cursor;
    else if (event.key === 'ArrowRight' && this.folded.has(node.id)) this.#fold(node);
    else if (event.key === 'Enter' || event.key === ' ') this.#pick(node);
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.#reveal(this.cursor);
    this.#draw();
  }
}
