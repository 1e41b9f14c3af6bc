// One traced search, and the state of it after any number of its events. Knows nothing of the page.

/** @import {AnswerOf, Cell, Move} from '../../types/page.d.ts' */
import { LETTERS } from '../board/rules.js';

/** @typedef {AnswerOf<'trace'>} Trace */
/** @typedef {Trace['events'][number]} TraceEvent */
/** @typedef {'new' | 'open' | 'expanded' | 'pruned' | 'solution'} NodeState */
/** @typedef {{id: number, parent: number | null, depth: number, move: Move | null, made: number, robots: Cell[], children: number[], h: number | null}} TreeNode */

/** What a search to watch is asked for: as many events as a reader may step through, and an end to large searches. */
export const TRACE = { events: 20_000, limits: { ms: 4000, nodes: 300_000 } };

/** The slides' story: each improvement alone and together. */
export const ABLATIONS = /** @type {const} */ ([
  ['iddfs:memo=off:sort=off:bound=off', 'ablationNone'],
  ['iddfs:sort=off:bound=off', 'ablationMemo'],
  ['iddfs:bound=off', 'ablationSort'],
  ['iddfs:memo=off:sort=off', 'ablationBound'],
  ['iddfs', 'ablationAll'],
]);

/** How many kept hits of the memo are shown. */
const LAST_HITS = 5;
/** Events that make a node. */
const MAKING = new Set(['root', 'generate', 'final', 'reach', 'node']);

export class Run {
  /** How many events have happened. */
  at = 0;
  /** @type {Map<number, NodeState>} */
  states = new Map();
  /** How often the robot of a move came to a cell. @type {number[]} */
  visits = [];
  /** @type {Record<string, number>} */
  counts = {};
  /** @type {Record<string, number>} */
  prunes = {};
  iteration = 0;
  iterationNodes = 0;
  /** The most moves from the start of a node that was generated. */
  deepest = 0;
  /** Sets of helper cells that have a node. @type {Set<string>} */
  configurations = new Set();
  /** The last prunings by the memo, the latest first. @type {TraceEvent[]} */
  lastHits = [];
  /** Nodes that wait. @type {Set<number>} */
  frontier = new Set();

  /** @param {string} spec the solver with its switches @param {Trace} trace */
  constructor(spec, trace) {
    this.spec = spec;
    this.trace = trace;
    this.events = trace.events;
    /** All nodes that the kept events make. @type {Map<number, TreeNode>} */
    this.nodes = new Map();
    /** Nodes without a parent, in order. @type {number[]} */
    this.roots = [];
    this.#readNodes();
    this.#reset();
  }

  /** The solver's name without its switches. */
  get solver() {
    return this.spec.split(':')[0];
  }

  get length() {
    return this.events.length;
  }

  #readNodes() {
    const start = /** @type {Cell[]} */ (this.trace.puzzle.robots);
    for (const event of this.events) {
      const { id } = event;
      if (typeof id !== 'number' || this.nodes.has(id) || !MAKING.has(event.type)) continue;
      const parent = typeof event.parent !== 'number' ? undefined : this.nodes.get(event.parent);
      const robots = [...(parent?.robots ?? start)];
      for (const [letter, cell] of Object.entries(event.robots ?? {})) robots[LETTERS.indexOf(letter)] = /** @type {Cell} */ (cell);
      this.nodes.set(id, {
        id, parent: parent?.id ?? null, depth: parent ? parent.depth + 1 : 0, move: event.move ?? null,
        made: event.number, robots, children: [], h: event.h ?? null,
      });
      if (parent) parent.children.push(id);
      else this.roots.push(id);
    }
  }

  #reset() {
    this.at = 0;
    this.states = new Map();
    this.visits = new Array(this.trace.puzzle.width * this.trace.puzzle.height).fill(0);
    this.counts = {};
    this.prunes = {};
    this.iteration = 0;
    this.iterationNodes = 0;
    this.deepest = 0;
    this.configurations = new Set();
    this.lastHits = [];
    this.frontier = new Set();
  }

  /** The event that happened last; null before the first. @returns {TraceEvent | null} */
  get event() {
    return this.events[this.at - 1] ?? null;
  }

  /** Goes to the moment after so many events. @param {number} wanted */
  goTo(wanted) {
    const to = Math.max(0, Math.min(this.length, Math.round(wanted)));
    if (to < this.at) this.#reset();
    while (this.at < to) {
      this.#apply(this.events[this.at]);
      this.at += 1;
    }
  }

  /** @param {TraceEvent} event */
  #apply(event) {
    const { type, id } = event;
    this.counts[type] = (this.counts[type] ?? 0) + 1;
    if (type === 'iteration') {
      this.iteration = event.depth ?? 0;
      this.iterationNodes = 0;
    }
    if (type === 'generate') {
      this.iterationNodes += 1;
      this.deepest = Math.max(this.deepest, this.nodes.get(id ?? -1)?.depth ?? 0);
    }
    if (type === 'prune') this.#prune(event);
    if (typeof id !== 'number') return;
    if (MAKING.has(type)) {
      this.states.set(id, 'open');
      this.frontier.add(id);
      for (const cell of Object.values(event.robots ?? {})) this.#visit(/** @type {Cell} */ (cell));
    }
    if (type === 'node') {
      const goal = LETTERS.indexOf(this.trace.puzzle.goal.robot ?? 'R');
      const helpers = this.nodes.get(id)?.robots.filter((_, robot) => robot !== goal) ?? [];
      this.configurations.add(helpers.map((cell) => cell.join()).sort().join(' '));
    }
    if (type === 'expand' || type === 'configuration' || type === 'setup') {
      this.states.set(id, 'expanded');
      this.frontier.delete(id);
    }
    if (type === 'reach') this.frontier.delete(id);
    if (type === 'solution') this.states.set(id, 'solution');
  }

  /** @param {TraceEvent} event */
  #prune(event) {
    const reason = event.reason ?? '';
    this.prunes[reason] = (this.prunes[reason] ?? 0) + 1;
    if (typeof event.same_as === 'number') this.lastHits = [event, ...this.lastHits].slice(0, LAST_HITS);
    if (typeof event.id !== 'number') return;
    this.states.set(event.id, 'pruned');
    this.frontier.delete(event.id);
  }

  /** @param {Cell} cell */
  #visit([x, y]) {
    this.visits[y * this.trace.puzzle.width + x] += 1;
  }

  /** The node that the last event is about: its own, or the one a move was not made from. @returns {TreeNode | null} */
  get node() {
    const event = this.event;
    const id = event?.id ?? event?.parent;
    return typeof id !== 'number' ? null : (this.nodes.get(id) ?? null);
  }

  /** The moves from the start to a node. @param {TreeNode | null} node @returns {Move[]} */
  path(node) {
    const moves = [];
    for (let at = node; at; at = at.parent === null ? null : (this.nodes.get(at.parent) ?? null)) {
      if (at.move) moves.push(at.move);
    }
    return moves.reverse();
  }

  /** The moment after the next event that passes a test. @param {(event: TraceEvent) => boolean} test @param {1 | -1} [by] */
  find(test, by = 1) {
    for (let at = by > 0 ? this.at : this.at - 2; at >= 0 && at < this.length; at += by) {
      if (test(this.events[at])) return at + 1;
    }
    return null;
  }

  /** The moment at which so many search nodes have been made; the end if there are fewer. @param {number} nodes */
  atNodes(nodes) {
    let made = 0;
    for (const [at, event] of this.events.entries()) {
      if (MAKING.has(event.type) && event.type !== 'root') made += 1;
      if (made >= nodes) return at + 1;
    }
    return this.length;
  }

  /** How many search nodes have been made by now. */
  get nodesMade() {
    return nodesOf(this.counts);
  }

  /** How many the whole search makes, with those whose events were not kept. */
  get nodesInAll() {
    return nodesOf(this.trace.counts);
  }
}

/** @param {Record<string, number>} counts */
const nodesOf = ({ generate = 0, final = 0, reach = 0, node = 0 }) => generate + final + reach + node;

/** Whether an event is a pruning, an iteration or layer, or a solution: what to jump to. */
export const JUMPS = /** @type {const} */ ({
  prune: (/** @type {TraceEvent} */ event) => event.type === 'prune',
  iteration: (/** @type {TraceEvent} */ event) => event.type === 'iteration' || event.type === 'layer' || event.type === 'restart',
  solution: (/** @type {TraceEvent} */ event) => event.type === 'solution',
});
