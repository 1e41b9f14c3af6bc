// Why the moves of a solution are made, in words. The tests compare it with the engine's `explain`.

/** @import {Slide, View} from '../../types/page.d.ts' */
import { LETTERS, sameCell } from '../board/rules.js';
import { capitalize, directionName, robotName } from '../speech/sentences.js';
import { t } from '../words/learn.js';

/**
 * What a move is for: the later moves that the robot stops where it now stands, or the first move of
 * another robot over the cell that it left.
 * @param {Slide[]} steps @param {number} number @returns {{stops: number[]} | {clears: number} | null}
 */
export function purposeOf(steps, number) {
  const step = steps[number];
  /** @type {number[]} */
  const stops = [];
  for (let later = number + 1; later < steps.length && steps[later].robot !== step.robot; later += 1) {
    if (steps[later].stoppedBy.robot === step.robot) stops.push(later);
  }
  if (stops.length) return { stops };
  const first = steps.findIndex((later, i) => i > number && later.path.some((cell) => sameCell(cell, step.from)));
  return first >= 0 && steps[first].robot !== step.robot ? { clears: first } : null;
}

/** @param {Slide[]} steps @param {number} number */
function stopText(steps, number) {
  const { kind, robot } = steps[number].stoppedBy;
  if (kind !== 'robot' || robot === undefined) return t(kind === 'rim' ? 'stop-rim' : 'stop-wall');
  const placed = steps.slice(0, number).findLastIndex((step) => step.robot === robot);
  return t(placed < 0 ? 'stop-robot' : 'stop-placed', { robot: robotName(robot), n: placed + 1 });
}

/** A move of a solution and what it is for. @param {View} view @param {Slide[]} steps @param {number} number */
export function reasonSentence(view, steps, number) {
  const step = steps[number];
  const text = [t('why', { robot: capitalize(robotName(step.robot)), direction: directionName(step.direction), stop: stopText(steps, number) })];
  const purpose = purposeOf(steps, number);
  if (purpose && 'stops' in purpose) text.push(...purpose.stops.map((later) => t('whyStops', { robot: robotName(steps[later].robot), n: later + 1 })));
  if (purpose && 'clears' in purpose) text.push(t('whyClears', { robot: robotName(steps[purpose.clears].robot), n: purpose.clears + 1 }));
  const { robot, cell } = view.goal;
  if (sameCell(step.to, cell) && (robot === null || robot === LETTERS[step.robot])) text.push(t('whyTarget'));
  return text.join(' ');
}
