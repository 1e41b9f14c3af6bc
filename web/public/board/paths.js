// Moves as lines: trails with numbers, arrows, previews. Moves along the same cells get separate lanes.

/** @import {Arrow, Cell, Slide} from '../../types/page.d.ts' */
import { glyphs } from './glyphs.js';
import { LETTERS, sameCell } from './rules.js';
import { CELL, ROBOT_RADIUS, middle, s } from './svg.js';

/** @typedef {[number, number]} Point */
/** @typedef {{step: number, from: Cell, to: Cell, horizontal: boolean, lane: number, offset: number}} Leg */

/** The straight parts of a slide. @param {Cell} from @param {Cell[]} path @param {number} step */
function legsOf(from, path, step) {
  /** @type {Leg[]} */
  const legs = [];
  let here = from;
  for (const cell of path) {
    const horizontal = cell[1] === here[1];
    const last = legs.at(-1);
    if (last && last.horizontal === horizontal && sameCell(last.to, here)) last.to = cell;
    else legs.push({ step, from: here, to: cell, horizontal, lane: 0, offset: 0 });
    here = cell;
  }
  return legs;
}

/** @param {Leg} leg @returns {[number, number, number]} its row or column, and where on it */
function extent({ horizontal, from, to }) {
  const [line, a, b] = horizontal ? [from[1], from[0], to[0]] : [from[0], from[1], to[1]];
  return [line, Math.min(a, b), Math.max(a, b)];
}

/** @param {Leg} a @param {Leg} b */
function overlap(a, b) {
  if (a.horizontal !== b.horizontal) return false;
  const [lineA, fromA, toA] = extent(a);
  const [lineB, fromB, toB] = extent(b);
  return lineA === lineB && fromA < toB && fromB < toA;
}

/** Gives each leg the free lane that is nearest to the middle. @param {Leg[]} legs */
function assignLanes(legs) {
  for (const [i, leg] of legs.entries()) {
    const taken = new Set(legs.slice(0, i).filter((other) => overlap(leg, other)).map((other) => other.lane));
    for (let n = 0; ; n += 1) {
      const lane = n % 2 ? (n + 1) / 2 : -n / 2;
      if (taken.has(lane)) continue;
      leg.lane = lane;
      break;
    }
  }
  for (const leg of legs) {
    const beside = legs.filter((other) => other.horizontal === leg.horizontal && extent(other)[0] === extent(leg)[0]);
    const outermost = Math.max(1, ...beside.map((other) => Math.abs(other.lane)));
    leg.offset = leg.lane * Math.min(17, 36 / outermost);
  }
}

/** @param {Leg} leg @param {Cell} cell @param {number} along @returns {Point} */
function pointOn(leg, cell, along) {
  const [x, y] = middle(cell);
  return leg.horizontal ? [x + along, y + leg.offset] : [x + leg.offset, y + along];
}

/** @param {Leg[]} legs of one slide @param {boolean} stopsAtRobot @param {boolean} [startsAtGhost] @returns {Point[]} */
function corners(legs, stopsAtRobot, startsAtGhost = false) {
  const first = legs[0];
  const last = legs[legs.length - 1];
  // A long enough line begins at the edge of a ghost, so that its letter stays readable.
  const long = legs.length > 1 || extent(first)[2] - extent(first)[1] > 1;
  const [dx, dy] = [Math.sign(first.to[0] - first.from[0]), Math.sign(first.to[1] - first.from[1])];
  const away = startsAtGhost && long ? (dx + dy) * (ROBOT_RADIUS + 3) : 0;
  const points = [pointOn(first, first.from, away)];
  for (let i = 1; i < legs.length; i += 1) points.push(pointOn(legs[i - 1], legs[i - 1].to, legs[i].offset));
  const back = stopsAtRobot ? ROBOT_RADIUS + 5 : 0;
  const sign = last.horizontal ? Math.sign(last.to[0] - last.from[0]) : Math.sign(last.to[1] - last.from[1]);
  points.push(pointOn(last, last.to, -sign * back));
  return points;
}

/** @param {Point[]} points @param {string} kind @param {number} [head] */
function arrow(points, kind, head = 25) {
  const end = points[points.length - 1];
  const before = points[points.length - 2];
  const far = Math.max(1, Math.hypot(end[0] - before[0], end[1] - before[1]));
  const [ux, uy] = [(end[0] - before[0]) / far, (end[1] - before[1]) / far];
  const line = [...points.slice(0, -1), [end[0] - ux * head * 0.6, end[1] - uy * head * 0.6]];
  const d = `M${line.map((point) => point.join(' ')).join('L')}`;
  const base = [end[0] - ux * head, end[1] - uy * head];
  const half = head * 0.52;
  const wings = [
    end,
    [base[0] - uy * half, base[1] + ux * half],
    [base[0] + ux * head * 0.2, base[1] + uy * head * 0.2],
    [base[0] + uy * half, base[1] - ux * half],
  ];
  return s(
    'g',
    { class: kind },
    s('path', { class: 'casing', d }),
    s('path', { class: 'shaft', d }),
    s('path', { class: 'head', d: `M${wings.map((point) => point.join(' ')).join('L')}Z` }),
  );
}

/** Half the height of a badge, and how much wider it gets with each further digit. */
const BADGE = 20;
const DIGIT = 7;

/** A number on a disc, which is as wide as its digits need. @param {string} text @param {Point} at */
function badge(text, [x, y]) {
  const half = BADGE + DIGIT * Math.max(0, text.length - 1);
  return s(
    'g',
    { class: 'badge', transform: `translate(${x} ${y})` },
    s('rect', { x: -half, y: -BADGE, width: 2 * half, height: 2 * BADGE, rx: BADGE }),
    glyphs(text, 0, 0, text.length > 1 ? 19 : 23),
  );
}

/** The paths of moves with their numbers. @param {Slide[]} steps @param {number} [first] */
export function trails(steps, first = 1) {
  const layer = s('g', { class: 'trails' });
  const legs = steps.flatMap((step, i) => legsOf(step.from, step.path, i));
  assignLanes(legs);
  /** @type {Point[]} */
  const taken = [];
  const badges = steps.map((step, i) => {
    const mine = legs.filter((leg) => leg.step === i);
    if (!mine.length) return null;
    const movesAgain = steps.slice(i + 1).some((later) => later.robot === step.robot);
    const isFirst = !steps.slice(0, i).some((earlier) => earlier.robot === step.robot);
    const points = corners(mine, !movesAgain, isFirst);
    const trail = arrow(points, 'trail');
    trail.setAttribute('data-robot', LETTERS[step.robot]);
    layer.append(trail);
    const disc = badge(String(first + i), freePlace(points, taken));
    disc.setAttribute('data-robot', LETTERS[step.robot]);
    return disc;
  });
  for (const disc of badges) if (disc) layer.append(disc);
  return layer;
}

/** A place near the start of a path that no other number covers. @param {Point[]} points @param {Point[]} taken */
function freePlace(points, taken) {
  const far = Math.hypot(points[1][0] - points[0][0], points[1][1] - points[0][1]);
  /** @type {Point} */
  let best = points[0];
  let bestRoom = -1;
  for (let along = Math.min(60, far * 0.6); along < Math.max(far - 30, 61); along += 25) {
    const share = Math.min(1, along / Math.max(far, 1));
    /** @type {Point} */
    const place = [
      points[0][0] + (points[1][0] - points[0][0]) * share,
      points[0][1] + (points[1][1] - points[0][1]) * share,
    ];
    const room = Math.min(Infinity, ...taken.map((other) => Math.hypot(other[0] - place[0], other[1] - place[1])));
    if (room > bestRoom) [best, bestRoom] = [place, room];
    if (room > 42) break;
  }
  taken.push(best);
  return best;
}

/** The path of one slide, without a number. @param {Slide} slide */
export function previewPath(slide) {
  const legs = legsOf(slide.from, slide.path, 0);
  const group = legs.length ? arrow(corners(legs, false), 'preview') : s('g');
  group.setAttribute('data-robot', LETTERS[slide.robot]);
  return group;
}

/** Arrows and marks of an engine or of a person. @param {Arrow[]} list @param {string} kind */
export function arrows(list, kind) {
  const layer = s('g', { class: kind });
  for (const one of list) {
    const group = sameCell(one.from, one.to) ? mark(one) : pointer(one);
    group.setAttribute(/[1-4]/.test(one.color) ? 'data-ink' : 'data-robot', one.color);
    if (one.best) group.classList.add('best');
    layer.append(group);
  }
  return layer;
}

/** @param {Arrow} one */
function mark({ from, label }) {
  const [x, y] = middle(from);
  const group = s('g', { class: 'mark' }, s('circle', { cx: x, cy: y, r: 44 }));
  if (label) group.append(badge(label, [x, y - 40]));
  return group;
}

/** @param {Arrow} one */
function pointer(one) {
  const path = one.path ?? [one.to];
  /** @type {Point[]} */
  const points = [middle(one.from)];
  for (const [i, cell] of path.entries()) {
    const next = path[i + 1];
    const before = i ? path[i - 1] : one.from;
    const straight = next && (before[0] === next[0] || before[1] === next[1]);
    if (!straight) points.push(middle(cell));
  }
  const far = Math.hypot(points[1][0] - points[0][0], points[1][1] - points[0][1]);
  const share = Math.min(0.9, (ROBOT_RADIUS + 4) / Math.max(far, 1));
  points[0] = [
    points[0][0] + (points[1][0] - points[0][0]) * share,
    points[0][1] + (points[1][1] - points[0][1]) * share,
  ];
  const group = arrow(points, 'pointer', 34);
  if (one.label) {
    const [x, y] = points[points.length - 1];
    const edge = CELL * 0.28;
    group.append(badge(one.label, [x + edge, y - edge]));
  }
  return group;
}
