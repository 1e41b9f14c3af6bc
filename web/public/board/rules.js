// The rules, only as far as a slide needs them: tests replay what the Rust rules say.

/** @import {Cell, Direction, Move, Replay, Slide, View} from '../../types/page.d.ts' */

export const LETTERS = 'RGBYWOPC';
export const COLORS = ['red', 'green', 'blue', 'yellow', 'silver', 'orange', 'purple', 'cyan'];
/** @type {Direction[]} */
export const DIRECTIONS = ['N', 'E', 'S', 'W'];

const WALL = { N: 1, E: 2, S: 4, W: 8 };
const CLOSED = 15;
/** @type {Record<Direction, [number, number]>} */
const STEP = { N: [0, -1], E: [1, 0], S: [0, 1], W: [-1, 0] };
/** @type {Record<'/' | '\\', Record<Direction, Direction>>} */
const DEFLECT = {
  '/': { N: 'E', E: 'N', S: 'W', W: 'S' },
  '\\': { N: 'W', W: 'N', S: 'E', E: 'S' },
};

/** @param {Cell} a @param {Cell} b */
export const sameCell = (a, b) => a[0] === b[0] && a[1] === b[1];

/** @param {View} view @param {Cell} cell */
const wallsAt = (view, [x, y]) => view.walls[y * view.width + x];

/** @param {View} view @param {Cell} cell @param {Direction} side */
export const hasWall = (view, cell, side) => (wallsAt(view, cell) & WALL[side]) !== 0;

/** A closed cell: a block that no robot enters. @param {View} view @param {Cell} cell */
export const isClosed = (view, cell) => wallsAt(view, cell) === CLOSED;

/** @param {View} view @param {Cell} cell */
export function isInside(view, [x, y]) {
  return x >= 0 && y >= 0 && x < view.width && y < view.height;
}

/** @param {Cell} cell @param {Direction} direction @returns {Cell} */
export function neighbour([x, y], direction) {
  const [dx, dy] = STEP[direction];
  return [x + dx, y + dy];
}

/** The diagonal on a cell, if there is one. @param {View} view @param {Cell} cell */
export function diagonalAt(view, [x, y]) {
  return view.diagonals.find((diagonal) => diagonal[0] === x && diagonal[1] === y);
}

/** The target that is printed where the goal is, if there is one. @param {View} view */
export function printedAtGoal({ goal, targets, printed }) {
  const there = targets.find(({ cell }) => sameCell(cell, goal.cell));
  // The engine also knows the targets that a position does not carry.
  return there ?? (printed && sameCell(printed.cell, goal.cell) ? printed : null);
}

/**
 * The slide of a robot that leaves its cell. A diagonal of another colour deflects it; if diagonals
 * form a ring, it would never stop, and the slide is not a move: `to` equals `from`.
 * @param {View} view @param {Cell[]} robots @param {number} robot @param {Direction} direction
 * @returns {Slide}
 */
export function slideRobot(view, robots, robot, direction) {
  const from = robots[robot];
  /** @type {Cell[]} */
  const path = [];
  const seen = new Set();
  let cell = from;
  let heading = direction;
  /** @type {Slide['stoppedBy']} */
  let stoppedBy;
  for (;;) {
    const next = neighbour(cell, heading);
    if (hasWall(view, cell, heading) || !isInside(view, next)) {
      stoppedBy = { kind: isInside(view, next) ? 'wall' : 'rim' };
      break;
    }
    const other = robots.findIndex((at, i) => i !== robot && sameCell(at, next));
    if (other >= 0) {
      stoppedBy = { kind: 'robot', robot: other };
      break;
    }
    const key = `${next[0]},${next[1]},${heading}`;
    if (seen.has(key)) {
      return { robot, direction, from, to: from, path: [], stoppedBy: { kind: 'nothing' } };
    }
    seen.add(key);
    path.push(next);
    cell = next;
    const diagonal = diagonalAt(view, cell);
    if (diagonal && diagonal[3] !== COLORS[robot]) heading = DEFLECT[diagonal[2]][heading];
  }
  return { robot, direction, from, to: cell, path, stoppedBy };
}

/** Whether a slide is a move: a robot that ends where it began has not moved. @param {Slide} slide */
export const isMove = (slide) => !sameCell(slide.from, slide.to);

/**
 * All moves of one robot, or of all. @param {View} view @param {Cell[]} robots
 * @param {number} [robot]
 */
export function legalSlides(view, robots, robot) {
  const who = robot === undefined ? robots.map((_, i) => i) : [robot];
  return who
    .flatMap((i) => DIRECTIONS.map((direction) => slideRobot(view, robots, i, direction)))
    .filter(isMove);
}

/** @param {Slide} slide @returns {Move} */
export const moveOf = (slide) => LETTERS[slide.robot] + slide.direction;

/**
 * The robot and the direction of a move such as "RN" (either case), or null.
 * @param {string} text @param {number} [robots] how many there are
 * @returns {{robot: number, direction: Direction} | null}
 */
export function parseMove(text, robots = LETTERS.length) {
  const [letter, heading] = [...text.trim().toUpperCase()];
  const robot = LETTERS.indexOf(letter ?? ' ');
  const direction = DIRECTIONS.find((one) => one === heading);
  if (text.trim().length !== 2 || robot < 0 || robot >= robots || !direction) return null;
  return { robot, direction };
}

/**
 * Plays moves from a view's start. @param {View} view @param {Move[]} moves @returns {Replay}
 */
export function replay(view, moves) {
  let robots = view.robots.map((cell) => /** @type {Cell} */ ([...cell]));
  /** Which axes each robot has travelled along: 1 rows, 2 columns. */
  const axes = robots.map(() => 0);
  /** @type {Slide[]} */
  const steps = [];
  const { robot: active, cell: target } = view.goal;
  /** Whether a robot that may arrive has stopped on the target before it had turned. */
  let tooEarly = false;
  /** @type {Replay['failed']} */
  let failed = null;
  for (const [number, move] of moves.entries()) {
    const parsed = parseMove(move, robots.length);
    const slide = parsed && slideRobot(view, robots, parsed.robot, parsed.direction);
    if (!slide || !isMove(slide)) {
      failed = { number, move };
      break;
    }
    let [x] = slide.from;
    for (const cell of slide.path) {
      axes[slide.robot] |= cell[0] === x ? 2 : 1;
      [x] = cell;
    }
    const mayArrive = active === null || active === LETTERS[slide.robot];
    tooEarly ||= mayArrive && sameCell(slide.to, target) && axes[slide.robot] !== 3;
    robots = robots.with(slide.robot, slide.to);
    steps.push(slide);
  }
  return { steps, robots, solved: isSolved(view, robots, axes, tooEarly), failed };
}

/** @param {View} view @param {Cell[]} robots @param {number[]} axes @param {boolean} tooEarly */
function isSolved(view, robots, axes, tooEarly) {
  const { robot, cell } = view.goal;
  if (view.rules.must_ricochet && tooEarly) return false;
  return robots.some(
    (at, i) =>
      sameCell(at, cell) &&
      (robot === null || robot === LETTERS[i]) &&
      (!view.rules.must_ricochet || axes[i] === 3),
  );
}
