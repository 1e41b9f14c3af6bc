// What is on the board and what a move does, in words.

/** @import {Cell, Direction, Slide, View} from '../../types/page.d.ts' */
import { COLORS, DIRECTIONS, LETTERS, diagonalAt, hasWall, isClosed, isMove, printedAtGoal, sameCell, slideRobot } from '../board/rules.js';
import { t } from '../words/board.js';

/** @param {string} text */
export const capitalize = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {number} robot */
export const robotName = (robot) => t(/** @type {'red'} */ (COLORS[robot]));

/** @param {string | null} [letter] none for any robot */
export const whoName = (letter) => (letter ? robotName(LETTERS.indexOf(letter)) : t('any'));

/** @param {Cell} cell */
export const placeName = ([x, y]) => t('place', { x, y });

/** @param {Direction} direction */
export const directionName = (direction) => t(direction);

/** @param {View} view */
export function goalSentence(view) {
  const { robot, cell } = view.goal;
  // Between rounds there is no target.
  if (cell[0] < 0) return '';
  const who = robot ? robotName(LETTERS.indexOf(robot)) : t('anyWho');
  const rule = view.rules.must_ricochet ? ` ${t('ricochetRule')}` : '';
  const values = { who, place: placeName(cell) };
  const target = printedAtGoal(view);
  if (!target) return t('goalText', values) + rule;
  const shape = t(target.shape);
  if (!target.robot) return t('goalShape', { ...values, shape }) + rule;
  if (target.robot === robot) return t('goalOwn', { ...values, shape }) + rule;
  return t('goalOther', { ...values, shape, color: whoName(target.robot) }) + rule;
}

/** @param {Slide} slide */
function stopName({ stoppedBy }) {
  const { kind, robot } = stoppedBy;
  return kind === 'robot' ? t('robot', { robot: robotName(robot ?? 0) }) : t(kind);
}

/** A move that was made. @param {Slide} slide */
export function slideSentence(slide) {
  const values = { robot: capitalize(robotName(slide.robot)), direction: directionName(slide.direction), stop: stopName(slide) };
  return isMove(slide) ? t('moved', { ...values, place: placeName(slide.to) }) : t('cannot', values);
}

/** What each direction would do. @param {View} view @param {Cell[]} robots @param {number} robot */
export function directionsSentence(view, robots, robot) {
  const slides = DIRECTIONS.map((direction) => slideRobot(view, robots, robot, direction));
  const parts = slides.map((slide) => {
    const values = { direction: capitalize(directionName(slide.direction)), stop: stopName(slide) };
    return isMove(slide) ? t('wouldGo', { ...values, place: placeName(slide.to) }) : t('wouldStay', values);
  });
  return `${capitalize(robotName(robot))}. ${parts.join(' ')}`;
}

/** Where all robots and the target are. @param {View} view @param {Cell[]} robots */
export function whereSentence(view, robots) {
  const places = robots.map((cell, i) => t('selected', { robot: capitalize(robotName(i)), place: placeName(cell) }));
  return `${places.join(' ')} ${goalSentence(view)}`;
}

/**
 * The name of a cell: where it is and what is on it.
 * @param {View} view @param {Cell[]} robots @param {Cell} cell
 * @param {number | null} selected @param {Slide | undefined} end the selected robot's slide that ends here
 */
export function cellName(view, robots, cell, selected, end) {
  const parts = [placeName(cell)];
  const robot = robots.findIndex((at) => sameCell(at, cell));
  if (robot >= 0) parts.unshift(t('robotHere', { robot: robotName(robot) }));
  if (robot >= 0 && robot === selected) parts.push(t('selectedHere'));
  if (sameCell(view.goal.cell, cell)) parts.push(t('goalHere', { who: whoName(view.goal.robot) }));
  else {
    const target = view.targets.find((one) => sameCell(one.cell, cell));
    if (target) parts.push(t('targetHere', { shape: t(target.shape), who: whoName(target.robot) }));
  }
  if (end) parts.push(t('endHere', { robot: robotName(end.robot), direction: directionName(end.direction) }));
  const diagonal = diagonalAt(view, cell);
  if (diagonal) {
    const color = t(/** @type {'red'} */ (diagonal[3]));
    parts.push(t('diagonalHere', { color, lean: t(diagonal[2] === '/' ? 'slash' : 'backslash') }));
  }
  if (isClosed(view, cell)) parts.push(t('closedHere'));
  else {
    const sides = DIRECTIONS.filter((side) => hasWall(view, cell, side)).map(directionName);
    if (sides.length) parts.push(t('wallsHere', { sides: sides.join(', ') }));
  }
  return parts.join(', ');
}
