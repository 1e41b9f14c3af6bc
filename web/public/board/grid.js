// The board for keyboards and screen readers: a grid of cells over the picture, of which one can be
// reached by Tab and the others by arrows.

/** @import {Cell, Direction, View} from '../../types/page.d.ts' */
import { h } from '../ui/dom.js';
import { t } from '../words/board.js';
import { LETTERS } from './rules.js';

/** @type {Record<string, Direction>} */
export const ARROWS = { ArrowUp: 'N', ArrowRight: 'E', ArrowDown: 'S', ArrowLeft: 'W' };

/**
 * @typedef {object} GridActions
 * @property {(cell: Cell) => void} enter
 * @property {(robot: number) => void} select
 * @property {(direction: Direction) => void} move
 * @property {(cell: Cell) => void} focused
 * @property {() => Cell[]} robots
 * @property {() => Cell} goal
 */

let grids = 0;

export class Grid {
  /** @param {GridActions} actions */
  constructor(actions) {
    this.actions = actions;
    grids += 1;
    const help = `grid-help-${grids}`;
    this.element = h('div', { class: 'cells', role: 'grid', 'aria-describedby': help });
    this.help = h('p', { id: help, class: 'unseen' });
    this.columns = 0;
    /** @type {HTMLElement[]} */
    this.cells = [];
    this.current = 0;
    this.element.addEventListener('keydown', (event) => this.#onKey(event));
    this.element.addEventListener('focusin', (event) => {
      const at = this.cells.indexOf(/** @type {HTMLElement} */ (event.target));
      if (at >= 0) {
        this.#setCurrent(at);
        this.actions.focused(this.#cell(at));
      }
    });
  }

  /** @param {View} view @param {string} label */
  build(view, label) {
    this.element.setAttribute('aria-label', label);
    this.help.textContent = t('instructions');
    if (this.columns === view.width && this.cells.length === view.width * view.height) return;
    this.columns = view.width;
    this.current = 0;
    this.cells = [];
    const rows = [];
    for (let y = 0; y < view.height; y += 1) {
      const row = h('div', { role: 'row' });
      for (let x = 0; x < view.width; x += 1) {
        const cell = h('div', { role: 'gridcell', tabIndex: this.cells.length === 0 ? 0 : -1, 'data-cell': `${x},${y}` });
        this.cells.push(cell);
        row.append(cell);
      }
      rows.push(row);
    }
    this.element.replaceChildren(...rows);
    this.element.style.setProperty('--columns', String(view.width));
    this.element.style.setProperty('--rows', String(view.height));
  }

  /** Gives the cells their names. @param {(cell: Cell) => string} name */
  rename(name) {
    for (const [at, cell] of this.cells.entries()) {
      const text = name(this.#cell(at));
      if (cell.getAttribute('aria-label') !== text) cell.setAttribute('aria-label', text);
    }
  }

  get hasFocus() {
    return this.element.contains(document.activeElement);
  }

  /** The cell that has the focus or would get it. @returns {Cell} */
  get cell() {
    return this.#cell(this.current);
  }

  /** @param {Cell} cell */
  focus([x, y]) {
    this.cells[y * this.columns + x]?.focus({ preventScroll: true });
  }

  /** @param {number} at @returns {Cell} */
  #cell(at) {
    return [at % this.columns, Math.floor(at / this.columns)];
  }

  /** @param {number} at */
  #setCurrent(at) {
    const before = this.cells[this.current];
    if (before) before.tabIndex = -1;
    this.current = at;
    this.cells[at].tabIndex = 0;
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const [x, y] = this.cell;
    const rows = this.cells.length / this.columns;
    const direction = ARROWS[event.key];
    /** @type {Cell | null} */
    let to = null;
    if (direction && event.shiftKey) this.actions.move(direction);
    else if (direction === 'N') to = [x, Math.max(0, y - 1)];
    else if (direction === 'S') to = [x, Math.min(rows - 1, y + 1)];
    else if (direction === 'W') to = [Math.max(0, x - 1), y];
    else if (direction === 'E') to = [Math.min(this.columns - 1, x + 1), y];
    else if (event.key === 'Home') to = [0, y];
    else if (event.key === 'End') to = [this.columns - 1, y];
    else if (event.key === 'PageUp') to = [x, 0];
    else if (event.key === 'PageDown') to = [x, rows - 1];
    else if (event.key.toLowerCase() === 't') to = this.actions.goal();
    else if (event.key === 'Enter' || event.key === ' ') this.actions.enter([x, y]);
    else {
      const robot = event.shiftKey ? -1 : LETTERS.indexOf(event.key.toUpperCase());
      const place = event.key.length === 1 && robot >= 0 ? this.actions.robots()[robot] : undefined;
      if (!place) return;
      this.actions.select(robot);
      to = place;
    }
    event.preventDefault();
    event.stopPropagation();
    if (to) this.focus(to);
  }
}
