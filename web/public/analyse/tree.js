// A tree of variations: a new move branches, old lines stay.

/** @import {Arrow, Cell, Move, Slide, View} from '../../types/page.d.ts' */
import { isMove, moveOf, parseMove, replay, slideRobot } from '../board/rules.js';

/**
 * @typedef {object} Node
 * @property {number} id from 0, the root
 * @property {Node | null} parent
 * @property {Slide | null} step the move that led here
 * @property {Cell[]} robots
 * @property {boolean} solved
 * @property {Node[]} children the main line first
 * @property {Arrow[]} marks what the player drew
 */

/** @typedef {{moves: [Move, SavedNode[]][], marks: Arrow[]}} SavedNode a node: its children with their moves */

/** A limit for trees from storage and from long play. */
const MOST = 5000;

export class Tree {
  /** @param {View} view */
  constructor(view) {
    this.view = view;
    this.size = 0;
    /** @type {Map<number, Node>} */
    this.nodes = new Map();
    this.root = this.#node(null, null, view.robots, replay(view, []).solved);
  }

  /** @param {Node | null} parent @param {Slide | null} step @param {Cell[]} robots @param {boolean} solved */
  #node(parent, step, robots, solved) {
    /** @type {Node} */
    const node = { id: this.size, parent, step, robots, solved, children: [], marks: [] };
    this.size += 1;
    this.nodes.set(node.id, node);
    return node;
  }

  /** The node after a move; null if the move is illegal or the tree is full. @param {Node} node @param {Move} move */
  add(node, move) {
    const there = this.child(node, move);
    if (there) return there;
    const parsed = parseMove(move, node.robots.length);
    const slide = parsed && slideRobot(this.view, node.robots, parsed.robot, parsed.direction);
    if (!slide || !isMove(slide) || this.nodes.size >= MOST) return null;
    const { solved } = replay(this.view, [...this.moves(node), moveOf(slide)]);
    const child = this.#node(node, slide, node.robots.with(slide.robot, slide.to), solved);
    node.children.push(child);
    return child;
  }

  /** The node after some moves, as far as they are moves. @param {Node} node @param {Move[]} moves */
  addAll(node, moves) {
    let last = node;
    for (const move of moves) {
      const next = this.add(last, move);
      if (!next) break;
      last = next;
    }
    return last;
  }

  /** @param {Node} node @param {Move} move */
  child(node, move) {
    return node.children.find(({ step }) => step && moveOf(step) === move.toUpperCase()) ?? null;
  }

  /** From the root to a node; the root is left out. @param {Node} node */
  path(node) {
    /** @type {Node[]} */
    const path = [];
    for (let at = /** @type {Node | null} */ (node); at?.parent; at = at.parent) path.unshift(at);
    return path;
  }

  /** @param {Node} node @returns {Move[]} */
  moves(node) {
    return this.path(node).map(({ step }) => moveOf(/** @type {Slide} */ (step)));
  }

  /** @param {Node} node @returns {Slide[]} */
  steps(node) {
    return this.path(node).map(({ step }) => /** @type {Slide} */ (step));
  }

  /** Where the main line from here ends. @param {Node} node */
  end(node) {
    let last = node;
    while (last.children.length) [last] = last.children;
    return last;
  }

  /** The sibling that many places further, if there is one. @param {Node} node @param {number} by */
  sibling(node, by) {
    const all = node.parent?.children ?? [];
    return all[all.indexOf(node) + by] ?? null;
  }

  /** Makes the line that leads here the main line. @param {Node} node */
  promote(node) {
    for (const one of this.path(node)) {
      const all = /** @type {Node} */ (one.parent).children;
      all.splice(all.indexOf(one), 1);
      all.unshift(one);
    }
  }

  /** Removes a node and all that follow it; returns its parent. @param {Node} node */
  remove(node) {
    if (!node.parent) return node;
    node.parent.children.splice(node.parent.children.indexOf(node), 1);
    /** @param {Node} gone */
    const forget = (gone) => {
      this.nodes.delete(gone.id);
      gone.children.forEach(forget);
    };
    forget(node);
    return node.parent;
  }

  /** The tree for storage. @returns {SavedNode} */
  save() {
    /** @param {Node} node @returns {SavedNode} */
    const saved = (node) => ({
      moves: node.children.map((child) => [moveOf(/** @type {Slide} */ (child.step)), [saved(child)]]),
      marks: node.marks,
    });
    return saved(this.root);
  }

  /** Adds a saved tree; anything that does not fit the puzzle is skipped. @param {unknown} saved */
  restore(saved) {
    /** @param {Node} node @param {any} one */
    const grow = (node, one) => {
      if (Array.isArray(one?.marks)) node.marks = one.marks.filter(isArrow).slice(0, 200);
      if (!Array.isArray(one?.moves)) return;
      for (const pair of one.moves) {
        const child = Array.isArray(pair) && typeof pair[0] === 'string' && this.add(node, pair[0]);
        if (child) grow(child, pair[1]?.[0]);
      }
    };
    grow(this.root, saved);
  }
}

/** @param {any} arrow @returns {arrow is Arrow} */
function isArrow(arrow) {
  const isCell = (/** @type {any} */ cell) => Array.isArray(cell) && cell.length === 2 && cell.every(Number.isInteger);
  return isCell(arrow?.from) && isCell(arrow?.to) && typeof arrow?.color === 'string';
}
