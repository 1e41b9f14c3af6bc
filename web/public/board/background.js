// What does not move: ground, grid, closed cells, walls, targets, diagonals, coordinates.

/** @import {View} from '../../types/page.d.ts' */
import { glyphs } from './glyphs.js';
import { diagonalPiece, goalPiece, targetPiece } from './pieces.js';
import { hasWall, isClosed, isInside, sameCell } from './rules.js';
import { CELL, GRID_WIDTH, WALL_WIDTH, s } from './svg.js';

/** How much larger the target in the centre block is than the one on its cell. */
const CENTRE_SCALE = 1.6;

/** @param {View} view */
export function ground(view) {
  const width = view.width * CELL;
  const height = view.height * CELL;
  let lines = '';
  for (let x = 1; x < view.width; x += 1) lines += `M${x * CELL} 0V${height}`;
  for (let y = 1; y < view.height; y += 1) lines += `M0 ${y * CELL}H${width}`;
  return s(
    'g',
    { class: 'ground' },
    s('rect', { width, height }),
    s('path', { class: 'grid-lines', d: lines, 'stroke-width': GRID_WIDTH }),
  );
}

/** The longest runs of positions for which `there` holds. @param {number} length
 * @param {(at: number) => boolean} there */
function runs(length, there) {
  /** @type {[number, number][]} */
  const found = [];
  for (let at = 0; at < length; at += 1) {
    if (!there(at)) continue;
    const last = found.at(-1);
    if (last && last[1] === at) last[1] = at + 1;
    else found.push([at, at + 1]);
  }
  return found;
}

/** Whether a wall is drawn on a side of a cell: all but those inside a block of closed cells.
 * @param {View} view @param {number} x @param {number} y @param {'N' | 'W'} side */
function isWallDrawn(view, x, y, side) {
  const [nx, ny] = side === 'N' ? [x, y - 1] : [x - 1, y];
  const here = isInside(view, [x, y]);
  const there = isInside(view, [nx, ny]);
  const wall =
    (here && hasWall(view, [x, y], side)) || (there && hasWall(view, [nx, ny], side === 'N' ? 'S' : 'E'));
  return wall && !(here && there && isClosed(view, [x, y]) && isClosed(view, [nx, ny]));
}

/** @param {View} view */
export function walls(view) {
  const group = s('g', { class: 'walls' });
  let blocks = '';
  for (let y = 0; y < view.height; y += 1) {
    for (const [from, to] of runs(view.width, (x) => isClosed(view, [x, y]))) {
      // A little taller, so that no seam shows between two rows of a block.
      const below = y + 1 < view.height && isClosed(view, [from, y + 1]) ? 1 : 0;
      blocks += `M${from * CELL} ${y * CELL}H${to * CELL}v${CELL + below}H${from * CELL}Z`;
    }
  }
  group.append(s('path', { class: 'closed', d: blocks }));
  let lines = '';
  for (let y = 0; y <= view.height; y += 1) {
    for (const [from, to] of runs(view.width, (x) => isWallDrawn(view, x, y, 'N'))) {
      lines += `M${from * CELL} ${y * CELL}H${to * CELL}`;
    }
  }
  for (let x = 0; x <= view.width; x += 1) {
    for (const [from, to] of runs(view.height, (y) => isWallDrawn(view, x, y, 'W'))) {
      lines += `M${x * CELL} ${from * CELL}V${to * CELL}`;
    }
  }
  group.append(s('path', { class: 'wall-lines', d: lines, 'stroke-width': WALL_WIDTH }));
  return group;
}

/** The current target once more, on the closed block in the middle, as in the game of cardboard.
 * @param {View} view */
function centreChip(view) {
  const [x, y] = [view.width / 2, view.height / 2];
  const isBlock = [[x - 1, y - 1], [x, y - 1], [x - 1, y], [x, y]].every((cell) => Number.isInteger(cell[0]) && Number.isInteger(cell[1]) && isInside(view, /** @type {[number, number]} */ (cell)) && isClosed(view, /** @type {[number, number]} */ (cell)));
  if (!isBlock || view.goal.cell[0] < 0) return null;
  const chip = goalPiece(view);
  chip.setAttribute('class', 'goal centre');
  chip.setAttribute('transform', `translate(${x * CELL} ${y * CELL}) scale(${CENTRE_SCALE})`);
  return chip;
}

/** @param {View} view */
export function targets(view) {
  const group = s('g', { class: 'targets' });
  for (const target of view.targets) {
    if (!sameCell(target.cell, view.goal.cell)) group.append(targetPiece(target));
  }
  group.append(goalPiece(view));
  const chip = centreChip(view);
  if (chip) group.append(chip);
  for (const diagonal of view.diagonals) group.append(diagonalPiece(diagonal));
  return group;
}

/** @param {View} view */
export function coordinates(view) {
  const group = s('g', { class: 'coordinates' });
  for (let x = 0; x < view.width; x += 1) {
    group.append(glyphs(String(x), (x + 0.5) * CELL, -28, 22, { weight: 1.3 }));
  }
  for (let y = 0; y < view.height; y += 1) {
    group.append(glyphs(String(y), -29, (y + 0.5) * CELL, 22, { weight: 1.3 }));
  }
  return group;
}
