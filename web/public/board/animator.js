// Animates robots. Slides are queued, and play faster the more are waiting, so that the picture is
// never far behind the game.

/** @import {Cell, Slide} from '../../types/page.d.ts' */
import { middle } from './svg.js';

/** Milliseconds of a slide: a start and a share per cell. */
const START = 90;
const PER_CELL = 14;
const LONGEST = 300;
const GLIDE = 140;
/** Anything shorter would not be seen, and is not animated. */
const SHORTEST = 70;

/** @typedef {{robot: number, points: [number, number][], ms: number, done: () => void}} Job */

export class Animator {
  /** @param {(robot: number, x: number, y: number) => void} draw @param {() => boolean} wanted */
  constructor(draw, wanted) {
    this.draw = draw;
    this.wanted = wanted;
    /** @type {Job[]} */
    this.queue = [];
    /** @type {Map<number, [number, number]>} */
    this.shown = new Map();
    this.frame = 0;
  }

  /** Whether something still moves. */
  get busy() {
    return this.queue.length > 0;
  }

  /** Ends everything at once and puts the robots on their cells. @param {Cell[]} robots */
  place(robots) {
    cancelAnimationFrame(this.frame);
    const ended = this.queue;
    this.queue = [];
    this.shown.clear();
    for (const [robot, cell] of robots.entries()) this.#put(robot, middle(cell));
    for (const job of ended) job.done();
  }

  /** A robot slides along its slide. @param {Slide} slide @returns {Promise<void>} when it is there */
  slide(slide) {
    const ms = Math.min(LONGEST, START + PER_CELL * slide.path.length);
    return this.#add(slide.robot, [slide.from, ...slide.path].map(middle), ms);
  }

  /** A robot goes straight to a cell: a move that is taken back. @param {number} robot @param {Cell} cell */
  glide(robot, cell) {
    return this.#add(robot, [middle(cell)], GLIDE);
  }

  /** @param {number} robot @param {[number, number][]} points @param {number} ms @returns {Promise<void>} */
  #add(robot, points, ms) {
    return new Promise((done) => {
      this.queue.push({ robot, points, ms, done });
      if (this.queue.length === 1) this.#next();
    });
  }

  #next() {
    const job = this.queue[0];
    if (!job) return;
    const here = this.shown.get(job.robot);
    const points = job.points.length === 1 && here ? [here, ...job.points] : job.points;
    const ms = job.ms / this.queue.length;
    const finish = () => {
      this.#put(job.robot, points[points.length - 1]);
      this.queue.shift();
      job.done();
      this.#next();
    };
    if (!this.wanted() || ms < SHORTEST || points.length < 2) {
      finish();
      return;
    }
    const start = performance.now();
    /** @param {number} now */
    const tick = (now) => {
      const share = Math.min(1, Math.max(0, (now - start) / ms));
      if (share >= 1) {
        finish();
        return;
      }
      // A slight easing at the end is easier to follow than none.
      const eased = share * (1.6 - 0.6 * share);
      const at = eased * (points.length - 1);
      const i = Math.min(points.length - 2, Math.floor(at));
      const [a, b] = [points[i], points[i + 1]];
      this.#put(job.robot, [a[0] + (b[0] - a[0]) * (at - i), a[1] + (b[1] - a[1]) * (at - i)]);
      this.frame = requestAnimationFrame(tick);
    };
    this.frame = requestAnimationFrame(tick);
  }

  /** @param {number} robot @param {[number, number]} point */
  #put(robot, point) {
    this.shown.set(robot, point);
    this.draw(robot, point[0], point[1]);
  }
}
