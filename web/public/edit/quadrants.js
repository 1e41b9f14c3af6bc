// Picks the four quadrants of an official board from pictures.

/** @import {Diagonal, Target, View} from '../../types/page.d.ts' */
/** @import {App} from '../app/app.js' */
import { ground, targets, walls } from '../board/background.js';
import { CELL, s } from '../board/svg.js';
import { openDialog } from '../ui/dialogs.js';
import { button, fill, h } from '../ui/dom.js';
import { chips } from '../ui/form-fields.js';
import { t } from '../words/edit.js';

/** @typedef {{name: string, editions: string[], walls: number[], targets: Target[], diagonals: Diagonal[]}} Quadrant */
/** @typedef {{name: string, faces: string, layouts: number}} Edition */

const PLACES = /** @type {const} */ (['nw', 'ne', 'se', 'sw']);

/** A small picture of a quadrant, turned by quarters as it lies on the board. @param {Quadrant} side @param {number} turns */
function quadrantPicture(side, turns) {
  /** @type {View} */
  const view = {
    line: null, id: null, optimal: null, layout: null, width: 8, height: 8, walls: side.walls,
    diagonals: side.diagonals, targets: side.targets, robots: [], goal: { robot: null, cell: [-9, -9] },
    rules: { must_ricochet: false }, problems: [],
  };
  const size = 8 * CELL;
  const board = s('g', { transform: `rotate(${turns * 90} ${size / 2} ${size / 2})` }, ground(view), targets(view), walls(view));
  return s('svg', { viewBox: `-8 -8 ${size + 16} ${size + 16}`, class: 'side-picture', 'aria-hidden': 'true', focusable: 'false' }, board);
}

export class QuadrantPicker {
  /** @param {App} app @param {(layout: string, turned?: boolean) => void} onLayout turned: what stands on it turns too */
  constructor(app, onLayout) {
    this.app = app;
    this.onLayout = onLayout;
    /** @type {Map<string, Quadrant>} */
    this.sides = new Map();
    /** @type {Edition[]} */
    this.editions = [];
    this.edition = '1999';
    /** @type {string[]} */
    this.layout = [];
    this.element = h('div', { class: 'stack' });
  }

  /** @param {AbortSignal} signal */
  async load(signal) {
    const { quadrants, editions } = await this.app.engine.ask('quadrants', {}, { signal });
    for (const side of quadrants) this.sides.set(side.name, side);
    this.editions = editions;
    this.#write();
  }

  /** @param {string | null} layout of the position, null if it is not an official one */
  show(layout) {
    const names = layout?.match(/../g) ?? [];
    if (names.join() === this.layout.join() && this.element.childElementCount) return;
    this.layout = names;
    const newest = this.editions.find(({ faces }) => names.every((name) => faces.includes(name[1])));
    const fits = this.editions.find(({ name }) => name === this.edition);
    if (names.length && newest && fits && !names.every((name) => fits.faces.includes(name[1]))) this.edition = newest.name;
    this.#write();
  }

  #write() {
    if (!this.sides.size) return;
    const options = this.editions.map(({ name, faces }) => /** @type {const} */ ([name, t('editionName', { year: name, faces: faces.split('').join(', ') })]));
    const slots = PLACES.map((place, i) => this.#slot(place, i));
    const grid = h('div', { class: 'slots' }, slots[0], slots[1], slots[3], slots[2]);
    fill(this.element, [
      chips(t('edition'), options, this.edition, (edition) => {
        this.edition = edition;
      }),
      grid,
      h('div', { class: 'row' }, button(t('turn'), () => this.#turn(), { disabled: this.layout.length !== 4 })),
    ]);
  }

  /** @param {typeof PLACES[number]} place @param {number} at */
  #slot(place, at) {
    const side = this.sides.get(this.layout[at] ?? '');
    const label = side ? t('slot', { place: t(place), name: side.name }) : t('slotEmpty', { place: t(place) });
    return h(
      'button',
      { type: 'button', class: 'slot', 'aria-label': label, title: label, onclick: () => this.#pick(place, at) },
      side ? quadrantPicture(side, at) : h('span', { class: 'slot-empty' }, '+'),
      h('span', { class: 'slot-name', 'aria-hidden': 'true' }, side?.name ?? '–'),
    );
  }

  /** @param {typeof PLACES[number]} place @param {number} at */
  #pick(place, at) {
    const faces = this.editions.find(({ name }) => name === this.edition)?.faces ?? 'AB';
    const offered = [...this.sides.values()].filter(({ name }) => faces.includes(name[1]));
    const buttons = offered.map((side) =>
      h(
        'button',
        {
          type: 'button', class: 'slot', 'aria-label': t('pickSide', { name: side.name }),
          'aria-pressed': String(this.layout[at] === side.name),
          onclick: () => {
            dialog.close();
            this.#put(side.name, at);
          },
        },
        quadrantPicture(side, at),
        h('span', { class: 'slot-name', 'aria-hidden': 'true' }, side.name),
      ),
    );
    const dialog = openDialog(t('pick', { place: t(place) }), [h('div', { class: 'side-choice' }, ...buttons)]);
  }

  /** Puts a side into a place. A tile lies only once on the board. @param {string} name @param {number} at */
  #put(name, at) {
    const faces = this.editions.find((edition) => edition.name === this.edition)?.faces ?? 'AB';
    const full = this.layout.length === 4 ? [...this.layout] : [1, 2, 3, 4].map((tile) => `${tile}${faces[0]}`);
    const other = full.findIndex((one) => one[0] === name[0]);
    const replaced = full[at];
    full[at] = name;
    if (other >= 0 && other !== at) {
      full[other] = replaced;
      this.app.tell(t('swapped'));
    }
    this.onLayout(full.join(''));
  }

  #turn() {
    const [a, b, c, d] = this.layout;
    this.onLayout([d, a, b, c].join(''), true);
  }
}
