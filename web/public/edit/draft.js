// The position in the editor. Changes return a new one, so that undo is a step back in a list.

/** @import {Cell, Direction, Shape, Target, View} from '../../types/page.d.ts' */
import { COLORS, LETTERS, isClosed, isInside, neighbour, sameCell } from '../board/rules.js';

const WALL = { N: 1, E: 2, S: 4, W: 8 };
/** @type {Record<Direction, Direction>} */
const OPPOSITE = { N: 'S', E: 'W', S: 'N', W: 'E' };

export const SIDES = { least: 2, most: 32 };
export const ROBOTS = { least: 1, most: 8 };

/** An empty board with robots in its corners. @param {number} width @param {number} height @param {number} robots @returns {View} */
export function emptyDraft(width, height, robots) {
  /** @type {View} */
  const draft = {
    line: null, id: null, optimal: null, layout: null, width, height, walls: rim(width, height),
    diagonals: [], targets: [], robots: [], goal: { robot: 'R', cell: [width - 1, height - 1] },
    rules: { must_ricochet: false }, problems: [],
  };
  return withRobots(draft, robots);
}

/** @param {number} width @param {number} height */
function rim(width, height) {
  return Array.from({ length: width * height }, (_, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    return (y === 0 ? WALL.N : 0) | (x === width - 1 ? WALL.E : 0) | (y === height - 1 ? WALL.S : 0) | (x === 0 ? WALL.W : 0);
  });
}

/** The draft with changes, and without what was known about the old one. @param {View} draft @param {Partial<View>} changes @returns {View} */
const withChanges = (draft, changes) => ({ ...draft, line: null, id: null, optimal: null, problems: [], ...changes });

/** @param {View} draft @param {number} robot @param {Cell} cell */
export function moveRobot(draft, robot, cell) {
  const other = draft.robots.findIndex((at) => sameCell(at, cell));
  // Two robots swap places rather than share a cell.
  const robots = draft.robots.map((at, i) => (i === robot ? cell : i === other ? draft.robots[robot] : at));
  return withChanges(draft, { robots });
}

/** The draft with another number of robots: the last ones go, new ones get the first free cells. @param {View} draft @param {number} count */
export function withRobots(draft, count) {
  const robots = draft.robots.slice(0, count);
  for (let y = 0; y < draft.height; y += 1) {
    for (let x = 0; x < draft.width && robots.length < count; x += 1) {
      /** @type {Cell} */
      const cell = [x, y];
      const taken = isClosed(draft, cell) || sameCell(cell, draft.goal.cell) || robots.some((at) => sameCell(at, cell));
      if (!taken) robots.push(cell);
    }
  }
  const { goal } = draft;
  const gone = LETTERS.indexOf(goal.robot ?? '') >= count;
  return withChanges(draft, { robots, goal: gone ? { ...goal, robot: 'R' } : goal });
}

/** The target of the round: a printed one brings its robot along. @param {View} draft @param {Cell} cell */
export function setGoal(draft, cell) {
  const printed = draft.targets.find((target) => sameCell(target.cell, cell));
  const robot = printed ? printed.robot : draft.goal.robot;
  return withChanges(draft, { goal: { robot, cell } });
}

/** @param {View} draft @param {string | null} robot */
export const setGoalRobot = (draft, robot) => withChanges(draft, { goal: { ...draft.goal, robot } });

/** A wall that comes or goes, on both sides of its edge; the rim stays. @param {View} draft @param {Cell} cell @param {Direction} side */
export function toggleWall(draft, cell, side) {
  const beside = neighbour(cell, side);
  if (!isInside(draft, beside)) return draft;
  const walls = draft.walls.slice();
  const [a, b] = [cell, beside].map(([x, y]) => y * draft.width + x);
  const there = (walls[a] & WALL[side]) !== 0;
  walls[a] = there ? walls[a] & ~WALL[side] : walls[a] | WALL[side];
  walls[b] = there ? walls[b] & ~WALL[OPPOSITE[side]] : walls[b] | WALL[OPPOSITE[side]];
  return withChanges(draft, { walls, layout: null });
}

/** None, rising, falling, none. @param {View} draft @param {Cell} cell @param {number} robot the diagonal's colour */
export function cycleDiagonal(draft, cell, robot) {
  const color = COLORS[robot];
  const there = draft.diagonals.find(([x, y]) => sameCell([x, y], cell));
  const rest = draft.diagonals.filter((one) => one !== there);
  if (there?.[2] === '\\' && there[3] === color) return withChanges(draft, { diagonals: rest, layout: null });
  const lean = there?.[3] === color ? '\\' : '/';
  return withChanges(draft, { diagonals: [...rest, [cell[0], cell[1], lean, color]], layout: null });
}

/** A printed target that comes or goes. @param {View} draft @param {Cell} cell @param {string | null} robot @param {Shape} shape */
export function togglePrinted(draft, cell, robot, shape) {
  const there = draft.targets.find((target) => sameCell(target.cell, cell));
  const rest = draft.targets.filter((target) => target !== there);
  if (there && there.robot === robot && there.shape === shape) return withChanges(draft, { targets: rest });
  /** @type {Target} */
  const target = { cell, robot, shape };
  return withChanges(draft, { targets: [...rest, target] });
}

/** The draft with another size: what lies outside is removed, the rim is new. @param {View} draft @param {number} width @param {number} height */
export function resize(draft, width, height) {
  const walls = rim(width, height);
  const [w, h] = [Math.min(width, draft.width), Math.min(height, draft.height)];
  for (let y = 0; y < h; y += 1) {
    for (let x = 0; x < w; x += 1) {
      let mask = draft.walls[y * draft.width + x];
      // The old rim is not a wall if it is now inside the board.
      if (x === draft.width - 1 && x < width - 1) mask &= ~WALL.E;
      if (y === draft.height - 1 && y < height - 1) mask &= ~WALL.S;
      walls[y * width + x] |= mask;
    }
  }
  const inside = (/** @type {Cell} */ [x, y]) => x < width && y < height;
  const count = draft.robots.length;
  const next = withChanges(draft, {
    width, height, walls, layout: null,
    diagonals: draft.diagonals.filter(([x, y]) => inside([x, y])),
    targets: draft.targets.filter(({ cell }) => inside(cell)),
    goal: inside(draft.goal.cell) ? draft.goal : { ...draft.goal, cell: [width - 1, height - 1] },
    robots: draft.robots.filter(inside),
  });
  return withRobots(next, Math.min(count, width * height - 1));
}

/** Without walls, diagonals and printed targets. @param {View} draft */
export function withoutWalls(draft) {
  return withChanges(draft, { walls: rim(draft.width, draft.height), diagonals: [], targets: [], layout: null });
}

/** @param {View} draft @param {boolean} must */
export const setRicochet = (draft, must) => withChanges(draft, { rules: { must_ricochet: must } });

/** The position turned clockwise by a quarter, as the board below it; its walls are the other board's. @param {View} draft @returns {View} */
export function rotate(draft) {
  const turn = (/** @type {Cell} */ [x, y]) => /** @type {Cell} */ ([draft.height - 1 - y, x]);
  return withChanges(draft, {
    robots: draft.robots.map(turn),
    goal: { ...draft.goal, cell: turn(draft.goal.cell) },
    targets: draft.targets.map((target) => ({ ...target, cell: turn(target.cell) })),
  });
}

/** The draft on another board, with its robots, rules and, if it is also printed there, its goal. @param {View} draft @param {View} board */
export function moveToBoard(draft, board) {
  const { goal } = draft;
  const old = draft.targets.find((target) => sameCell(target.cell, goal.cell));
  const printed = old && board.targets.find((target) => target.robot === old.robot && target.shape === old.shape);
  const fits = draft.robots.every((cell) => isInside(board, cell) && !isClosed(board, cell));
  return withChanges(board, {
    layout: board.layout,
    robots: fits ? draft.robots : board.robots,
    goal: printed ? { robot: printed.robot, cell: printed.cell } : isInside(board, goal.cell) && !isClosed(board, goal.cell) && fits ? goal : board.goal,
    rules: draft.rules,
  });
}
