// The board: draws a view and the modes' overlays, takes input, and emits what the player wants. It
// knows the rules of a slide but not the modes, and modes know nothing of SVG.

/** @import {Arrow, BoardEvents, Cell, Direction, Overlay, Slide, View} from '../../types/page.d.ts' */
import { cellName, goalSentence } from '../speech/sentences.js';
import { fill, fillKeyed, h } from '../ui/dom.js';
import { t } from '../words/board.js';
import { Animator } from './animator.js';
import { coordinates, ground, targets, walls } from './background.js';
import { glyphs } from './glyphs.js';
import { Grid } from './grid.js';
import { arrows, previewPath, trails } from './paths.js';
import { ghostPiece, robotPiece } from './pieces.js';
import { listenToPointer } from './pointer.js';
import { LETTERS, isInside, legalSlides, sameCell, slideRobot } from './rules.js';
import { CELL, drawingBox, middle, s, viewBox } from './svg.js';

/** Below everything first. */
const LAYERS = /** @type {const} */ ([
  'ground', 'overlay', 'last', 'walls', 'targets', 'coordinates', 'ghosts', 'ends', 'trails', 'preview', 'robots', 'engine', 'own', 'top',
]);
/** @typedef {typeof LAYERS[number]} Layer */

/** How far from a robot a touch may be, in pixels. */
const FINGER = 16;

export class Board {
  /** @param {HTMLElement} host @param {{motion: () => boolean}} options */
  constructor(host, options) {
    this.host = host;
    /** @type {View | null} */
    this.view = null;
    /** Where the robots are; the picture may still be on its way there. @type {Cell[]} */
    this.robots = [];
    /** @type {number | null} */
    this.selected = null;
    /** What input means: slides of robots, things to edit, or nothing. @type {'slides' | 'edit' | 'none'} */
    this.input = 'slides';
    this.showCoordinates = true;
    /** The side of a cell on the screen. */
    this.cellSize = 40;
    this.events = new EventTarget();
    /** @type {Slide[]} */
    this.ends = [];
    this.renameSoon = 0;

    this.layers = /** @type {Record<Layer, SVGGElement>} */ ({});
    this.svg = s('svg', { class: 'picture', 'aria-hidden': 'true', focusable: 'false' });
    for (const name of LAYERS) {
      this.layers[name] = s('g', { class: `layer-${name}` });
      this.svg.append(this.layers[name]);
    }
    /** @type {SVGGElement[]} */
    this.pieces = [];
    this.animator = new Animator((robot, x, y) => {
      this.pieces[robot]?.setAttribute('transform', `translate(${x} ${y})`);
    }, options.motion);
    this.grid = new Grid({
      enter: (cell) => this.#click(cell, null, 0, this.robotOn(cell)),
      select: (robot) => this.select(robot, true),
      move: (direction) => this.moveSelected(direction),
      focused: (cell) => this.#emit('focus', { cell }),
      robots: () => this.robots,
      goal: () => this.view?.goal.cell ?? [0, 0],
    });
    this.frame = h('div', { class: 'board-frame' });
    this.frame.append(this.svg, this.grid.element);
    /** What the document shows until there is a board. */
    this.drawn = host.querySelector('.board-drawn');
    fill(host, [...(this.drawn ? [this.drawn] : []), this.frame, this.grid.help]);
    this.#listen();
    new ResizeObserver(() => this.#fit()).observe(host);
  }

  /**
   * @template {keyof BoardEvents} K
   * @param {K} type @param {(detail: BoardEvents[K], event: Event) => void} listener
   * @param {AbortSignal} [signal]
   */
  on(type, listener, signal) {
    this.events.addEventListener(type, (event) => listener(/** @type {CustomEvent} */ (event).detail, event), { signal });
  }

  /**
   * @template {keyof BoardEvents} K
   * @param {K} type @param {BoardEvents[K]} detail @returns {boolean} whether a listener said preventDefault
   */
  #emit(type, detail) {
    return !this.events.dispatchEvent(new CustomEvent(type, { detail, cancelable: true }));
  }

  /** Draws a puzzle afresh, its robots on their first cells. @param {View} view */
  show(view) {
    const fresh = this.view?.width !== view.width || this.view.height !== view.height;
    this.view = view;
    fill(this.layers.ground, [ground(view)]);
    fill(this.layers.targets, [targets(view)]);
    fill(this.layers.walls, [walls(view)]);
    fill(this.layers.coordinates, this.showCoordinates ? [coordinates(view)] : []);
    if (this.pieces.length !== view.robots.length) {
      this.pieces = view.robots.map((_, robot) => robotPiece(robot));
      fill(this.layers.robots, this.pieces);
    }
    for (const name of /** @type {Layer[]} */ (['overlay', 'last', 'ghosts', 'trails', 'preview', 'engine', 'own', 'top'])) {
      fill(this.layers[name], []);
    }
    this.drawn?.remove();
    this.host.dataset.empty = 'no';
    this.grid.build(view, t('label', { width: view.width, height: view.height, goal: goalSentence(view) }));
    if (fresh || !this.svg.hasAttribute('viewBox')) this.#fit();
    if (this.selected !== null && this.selected >= view.robots.length) this.selected = null;
    this.place(view.robots);
  }

  /** @param {boolean} shown */
  setCoordinates(shown) {
    this.showCoordinates = shown;
    if (!this.view) return;
    fill(this.layers.coordinates, shown ? [coordinates(this.view)] : []);
    this.#fit();
  }

  /** Puts the robots on cells, at once or gliding. @param {Cell[]} robots @param {boolean} [glide] */
  place(robots, glide = false) {
    const before = this.robots;
    this.robots = robots;
    if (glide && before.length === robots.length) {
      for (const [i, cell] of robots.entries()) if (!sameCell(cell, before[i])) this.animator.glide(i, cell);
    } else {
      this.animator.place(robots);
    }
    this.#afterChange();
  }

  /** Slides a robot; the picture follows when earlier animations are done. @param {Slide} slide */
  slide(slide) {
    this.robots = this.robots.with(slide.robot, slide.to);
    const done = this.animator.slide(slide);
    this.#afterChange();
    return done;
  }

  /** @param {number | null} robot @param {boolean} [byPlayer] whether listeners are told */
  select(robot, byPlayer = false) {
    if (robot !== null && robot >= this.robots.length) return;
    this.selected = robot;
    this.#afterChange();
    if (byPlayer) this.#emit('select', { robot });
  }

  /** Asks for a move as if the player had made it. @param {number} robot @param {Direction} direction */
  requestMove(robot, direction) {
    this.#emit('move', { robot, direction });
  }

  /** @param {Direction} direction */
  moveSelected(direction) {
    if (this.input === 'edit') this.#emit('cell', { cell: this.grid.cell, edge: direction, button: 0 });
    else if (this.selected !== null && this.input === 'slides') this.requestMove(this.selected, direction);
  }

  /** The paths of moves with their numbers, and ghosts where those robots started.
   * @param {Slide[]} steps @param {number} [first] the first move's number */
  setTrails(steps, first = 1) {
    fill(this.layers.trails, steps.length ? [trails(steps, first)] : []);
    const movers = new Map(steps.toReversed().map((step) => [step.robot, step.from]));
    const gone = [...movers].filter(([robot, from]) => !sameCell(this.robots[robot] ?? from, from));
    fill(this.layers.ghosts, gone.map(([robot, from]) => ghostPiece(robot, from)));
  }

  /** Marks where the last move began and ended. @param {Slide | null} step */
  setLast(step) {
    const cells = step ? [step.from, step.to] : [];
    fill(this.layers.last, cells.map(([x, y]) => {
      const rect = s('rect', { x: x * CELL, y: y * CELL, width: CELL, height: CELL });
      rect.setAttribute('data-robot', LETTERS[step?.robot ?? 0]);
      return rect;
    }));
  }

  /** Previews one slide without making the move. @param {Slide | null} slide */
  setPreview(slide) {
    fill(this.layers.preview, slide ? [previewPath(slide)] : []);
  }

  /** @param {Arrow[]} list @param {'engine' | 'own'} [whose] */
  setArrows(list, whose = 'engine') {
    fill(this.layers[whose], list.length ? [arrows(list, `${whose}-arrows`)] : []);
  }

  /** @param {Overlay | null} overlay */
  setOverlay(overlay) {
    fillKeyed(this.layers.overlay, overlay && this.view ? overlayCells(this.view, overlay) : []);
  }

  /** Draws attention to cells: hints, problems. @param {Cell[]} cells @param {'hint' | 'problem' | 'frontier'} kind */
  setRings(cells, kind) {
    fillKeyed(this.layers.top, cells.map((cell) => [`${kind} ${cell}`, () => {
      const [cx, cy] = middle(cell);
      return s('circle', { class: `ring-${kind}`, cx, cy, r: kind === 'hint' ? 53 : kind === 'frontier' ? 20 : 46 });
    }]));
  }

  /** @param {Cell} cell */
  focusCell(cell) {
    this.grid.focus(cell);
  }

  /** @param {Cell} cell */
  robotOn(cell) {
    const robot = this.robots.findIndex((at) => sameCell(at, cell));
    return robot < 0 ? null : robot;
  }

  #afterChange() {
    const { view, robots, selected } = this;
    if (!view) return;
    for (const [i, piece] of this.pieces.entries()) piece.classList.toggle('selected', i === selected);
    this.ends = selected === null || this.input !== 'slides' ? [] : legalSlides(view, robots, selected);
    fill(this.layers.ends, this.ends.map((slide) => {
      const [cx, cy] = middle(slide.to);
      const printed = [...view.targets.map(({ cell }) => cell), view.goal.cell].some((cell) => sameCell(cell, slide.to));
      // A start that is an end again is covered by it.
      const radius = printed ? 43 : view.robots.some((cell) => sameCell(cell, slide.to)) ? 40 : 30;
      const end = s('g', { class: printed ? 'end printed' : 'end' }, s('circle', { cx, cy, r: radius }), s('circle', { class: 'dot', cx, cy, r: 9 }));
      end.setAttribute('data-robot', LETTERS[slide.robot]);
      return end;
    }));
    fill(this.layers.preview, []);
    // Naming the cells is for later: a move must not wait for it.
    clearTimeout(this.renameSoon);
    this.renameSoon = window.setTimeout(() => this.#rename(), this.grid.hasFocus ? 0 : 150);
  }

  #rename() {
    const { view, robots, selected, ends } = this;
    if (!view) return;
    this.grid.rename((cell) => cellName(view, robots, cell, selected, ends.find((slide) => sameCell(slide.to, cell))));
  }

  /** Sizes the picture so that a cell is a whole number of the screen's pixels. */
  #fit() {
    const { view } = this;
    if (!view) return;
    const box = drawingBox(view, this.showCoordinates);
    const room = this.host.getBoundingClientRect();
    const dots = window.devicePixelRatio || 1;
    const fitting = Math.min(room.width / box.width, room.height / box.height) * CELL;
    const cell = Math.max(4, Math.floor(fitting * dots) / dots);
    const scale = cell / CELL;
    this.cellSize = cell;
    this.svg.setAttribute('viewBox', viewBox(box));
    const style = this.frame.style;
    style.width = `${box.width * scale}px`;
    style.height = `${box.height * scale}px`;
    style.setProperty('--cell', `${cell}px`);
    style.setProperty('--left', `${-box.left * scale}px`);
    style.setProperty('--top', `${-box.top * scale}px`);
  }

  #listen() {
    listenToPointer(this.host, {
      place: (event) => {
        const box = this.view ? drawingBox(this.view, this.showCoordinates) : { left: 0, top: 0, width: 1, height: 1 };
        const rect = this.svg.getBoundingClientRect();
        const scale = box.width / (rect.width || 1) / CELL;
        return {
          x: (event.clientX - rect.left) * scale + box.left / CELL,
          y: (event.clientY - rect.top) * scale + box.top / CELL,
        };
      },
      cell: ({ x, y }) => {
        /** @type {Cell} */
        const cell = [Math.floor(x), Math.floor(y)];
        return this.view && isInside(this.view, cell) ? cell : null;
      },
      robotAt: ({ x, y }, touch) => this.#robotNear(x, y, touch),
      input: () => (this.view ? this.input : 'none'),
      press: (robot) => {
        if (this.input === 'slides' && this.selected !== robot) this.select(robot, true);
      },
      click: (cell, edge, button, robot) => this.#click(cell, edge, button, robot),
      drag: (robot, place, direction) => this.#drag(robot, place, direction),
      drop: (robot, place, direction) => this.#drop(robot, place, direction),
      cancel: () => this.place(this.robots),
      hover: (cell, place) => this.#hover(cell, place),
      draw: (from, to, color) => this.#emit('draw', { from, to, color }),
      step: (by) => this.#emit('step', { by }),
    });
  }

  /** The robot at a point; a touch may be a little off, unless it is on an end.
   * @param {number} x @param {number} y @param {boolean} touch */
  #robotNear(x, y, touch) {
    const on = this.robotOn([Math.floor(x), Math.floor(y)]);
    if (on !== null || !touch || this.ends.some(({ to }) => to[0] === Math.floor(x) && to[1] === Math.floor(y))) return on;
    const far = this.robots.map(([rx, ry]) => Math.hypot(rx + 0.5 - x, ry + 0.5 - y));
    const nearest = Math.min(...far);
    return nearest < Math.max(0.8, FINGER / this.cellSize) ? far.indexOf(nearest) : null;
  }

  /** @param {Cell} cell @param {Direction | null} edge @param {number} button @param {number | null} robot */
  #click(cell, edge, button, robot) {
    if (this.input === 'edit') this.#emit('cell', { cell, edge, button });
    if (this.input !== 'slides' || button !== 0) return;
    // A free cell on the way to an end means the same move.
    const onTheWay = (/** @type {Slide} */ { path }) => path.some((passed) => sameCell(passed, cell));
    const slide = this.ends.find(({ to }) => sameCell(to, cell)) ?? (robot === null ? this.ends.find(onTheWay) : undefined);
    if (slide) this.requestMove(slide.robot, slide.direction);
    else if (robot !== null) this.select(robot, this.selected !== robot);
    else if (!this.#emit('miss', { cell })) this.select(null, true);
  }

  /** @param {number} robot @param {{x: number, y: number}} place @param {Direction | null} direction */
  #drag(robot, place, direction) {
    if (this.input === 'edit') {
      this.pieces[robot].setAttribute('transform', `translate(${place.x * CELL} ${place.y * CELL})`);
    } else if (this.view) {
      const slide = direction && slideRobot(this.view, this.robots, robot, direction);
      this.setPreview(slide && slide.path.length ? slide : null);
    }
  }

  /** @param {number} robot @param {{x: number, y: number}} place @param {Direction | null} direction */
  #drop(robot, place, direction) {
    this.setPreview(null);
    if (this.input === 'edit') {
      /** @type {Cell} */
      const cell = [Math.floor(place.x), Math.floor(place.y)];
      if (this.view && isInside(this.view, cell) && !sameCell(cell, this.robots[robot])) this.#emit('drop', { robot, cell });
      else this.animator.place(this.robots);
    } else if (direction) {
      this.requestMove(robot, direction);
    }
  }

  /** Previews the slide to the end cell under the pointer, or all slides of the robot under it.
   * @param {Cell | null} cell @param {{x: number, y: number} | null} place */
  #hover(cell, place) {
    const { view } = this;
    if (!view || this.input === 'none') return;
    const on = cell && this.robotOn(cell);
    const at = cell ? this.ends.filter(({ to }) => sameCell(to, cell)) : [];
    const ends = at.length || !cell || on !== null ? at : this.ends.filter(({ path }) => path.some((passed) => sameCell(passed, cell))).slice(0, 1);
    const slides = ends.length ? ends : on !== null && this.input === 'slides' ? legalSlides(view, this.robots, on) : [];
    fill(this.layers.preview, slides.map(previewPath));
    this.frame.dataset.cursor = ends.length || on !== null ? 'pointer' : '';
    if (place) this.#emit('hover', { cell });
  }
}

/** A number per cell, as shades and digits, each with a key. @param {View} view @param {Overlay} overlay */
function overlayCells(view, { values, labels }) {
  /** @type {[string, () => SVGElement][]} */
  const cells = [];
  const numbers = values.filter((value) => value !== null);
  const least = Math.min(...numbers);
  const range = Math.max(...numbers) - least || 1;
  for (const [at, value] of values.entries()) {
    if (value === null) continue;
    const x = (at % view.width) * CELL;
    const y = Math.floor(at / view.width) * CELL;
    // The style sheet mixes the theme's shades: it has eleven steps.
    const step = Math.round(((value - least) / range) * 10);
    cells.push([`${at} ${step}`, () => s('rect', { x, y, width: CELL, height: CELL, class: `shade-${step}` })]);
    const label = labels ? labels[at] : String(value);
    if (label) cells.push([`${at} ${label} label`, () => glyphs(label, x + 50, y + 50, 24)]);
  }
  return cells;
}
