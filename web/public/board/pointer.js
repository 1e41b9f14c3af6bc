// Mouse, pen and touch on the board: click or tap a robot and then one of its ends, drag or swipe a
// robot, right-drag to draw, turn the wheel.

/** @import {Cell, Direction} from '../../types/page.d.ts' */

/** Pixels after which a press becomes a drag: a finger trembles more than a mouse. */
const DRAG_FROM = { mouse: 3, touch: 10 };
/** A drag this long, in cells, is a move; a shorter one is taken back. */
const MOVE_FROM = 0.4;
/** How near to an edge, in cells, a click means the edge. */
const EDGE = 0.24;
/** Pixels of the wheel for one step, and milliseconds between two. */
const WHEEL_STEP = 30;
const WHEEL_PAUSE = 70;

/** @typedef {{x: number, y: number}} Place in cells, from the board's north-west corner */

/**
 * @typedef {object} PointerTarget
 * @property {(event: {clientX: number, clientY: number}) => Place} place
 * @property {(place: Place) => Cell | null} cell
 * @property {(place: Place, touch: boolean) => number | null} robotAt
 * @property {() => 'slides' | 'edit' | 'none'} input
 * @property {(robot: number) => void} press a robot was pressed
 * @property {(cell: Cell, edge: Direction | null, button: number, robot: number | null) => void} click
 * @property {(robot: number, place: Place, direction: Direction | null) => void} drag
 * @property {(robot: number, place: Place, direction: Direction | null) => void} drop
 * @property {() => void} cancel a drag ended without effect
 * @property {(cell: Cell | null, place: Place | null) => void} hover
 * @property {(from: Cell, to: Cell, color: string) => void} draw
 * @property {(by: 1 | -1) => boolean} step false if there is nothing to step through
 */

/** @param {Place} from @param {Place} to @param {number} least @returns {Direction | null} */
function directionOf(from, to, least) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  if (Math.max(Math.abs(dx), Math.abs(dy)) < least) return null;
  if (Math.abs(dx) > Math.abs(dy)) return dx > 0 ? 'E' : 'W';
  return dy > 0 ? 'S' : 'N';
}

/** @param {Place} place @returns {Direction | null} */
function edgeOf({ x, y }) {
  const [fx, fy] = [x - Math.floor(x), y - Math.floor(y)];
  /** @type {[number, Direction][]} */
  const sides = [[fy, 'N'], [1 - fx, 'E'], [1 - fy, 'S'], [fx, 'W']];
  const [far, side] = sides.reduce((a, b) => (b[0] < a[0] ? b : a));
  return far < EDGE ? side : null;
}

/** The colour of what is drawn: the modifiers choose it. @param {MouseEvent} event */
const inkOf = (event) => String(1 + (event.shiftKey || event.ctrlKey ? 1 : 0) + (event.altKey || event.metaKey ? 2 : 0));

/** @param {HTMLElement} host @param {PointerTarget} target */
export function listenToPointer(host, target) {
  /** @type {{id: number, at: {clientX: number, clientY: number}, from: Place, robot: number | null, button: number, dragging: boolean} | null} */
  let press = null;

  host.addEventListener('pointerdown', (event) => {
    if (target.input() === 'none' || press || event.button > 2) return;
    const from = target.place(event);
    const touch = event.pointerType === 'touch';
    const robot = event.button === 0 ? target.robotAt(from, touch) : null;
    press = { id: event.pointerId, at: event, from, robot, button: event.button, dragging: false };
    // Touches next to a robot are left to the page, for scrolling.
    if (!touch || robot !== null) host.setPointerCapture(event.pointerId);
    if (robot !== null) target.press(robot);
  });

  host.addEventListener('pointermove', (event) => {
    if (!press) {
      if (event.pointerType !== 'touch') {
        const place = target.place(event);
        target.hover(target.cell(place), place);
      }
      return;
    }
    if (event.pointerId !== press.id) return;
    const far = Math.hypot(event.clientX - press.at.clientX, event.clientY - press.at.clientY);
    if (!press.dragging && far < (event.pointerType === 'touch' ? DRAG_FROM.touch : DRAG_FROM.mouse)) return;
    press.dragging = true;
    if (press.robot !== null) {
      const place = target.place(event);
      target.drag(press.robot, place, directionOf(press.from, place, MOVE_FROM));
    }
  });

  host.addEventListener('pointerup', (event) => {
    if (!press || event.pointerId !== press.id) return;
    const { from, robot, button, dragging } = press;
    press = null;
    const place = target.place(event);
    const cell = target.cell(place);
    const start = target.cell(from);
    if (button === 2) {
      if (cell && start) target.draw(start, cell, inkOf(event));
    } else if (dragging && robot !== null) {
      target.drop(robot, place, directionOf(from, place, MOVE_FROM));
    } else if (cell && !dragging) {
      target.click(cell, edgeOf(place), button, robot);
    }
  });

  host.addEventListener('pointercancel', () => {
    if (press) target.cancel();
    press = null;
  });
  host.addEventListener('pointerleave', () => {
    if (!press) target.hover(null, null);
  });

  // A touch that begins on a robot drags it; any other may scroll the page.
  host.addEventListener(
    'touchstart',
    (event) => {
      if (target.input() === 'none' || event.touches.length !== 1) return;
      if (target.robotAt(target.place(event.touches[0]), true) !== null) event.preventDefault();
    },
    { passive: false },
  );
  host.addEventListener('contextmenu', (event) => event.preventDefault());
  listenToWheel(host, target);
}

/** @param {HTMLElement} host @param {PointerTarget} target */
function listenToWheel(host, target) {
  let turned = 0;
  let last = 0;
  host.addEventListener(
    'wheel',
    (event) => {
      if (event.ctrlKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
      const now = event.timeStamp;
      if (now - last > 400 || Math.sign(turned) !== Math.sign(event.deltaY)) turned = 0;
      turned += event.deltaMode === 0 ? event.deltaY : event.deltaY * WHEEL_STEP;
      if (Math.abs(turned) < WHEEL_STEP) return;
      if (now - last < WHEEL_PAUSE) {
        event.preventDefault();
        return;
      }
      if (target.step(turned > 0 ? 1 : -1)) {
        event.preventDefault();
        last = now;
        turned = 0;
      }
    },
    { passive: false },
  );
}
