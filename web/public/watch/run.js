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
/** What going back over an event has to restore.
 * @typedef {{iteration: number, iterationNodes: number, deepest: number, lastHits: TraceEvent[], state: NodeState | undefined, waited: boolean, configuration: string}} Before */

/** Events that make a node. */
const MAKING = new Set(['root', 'generate', 'final', 'reach', 'node']);

/** Runs made so far. */
let runs = 0;

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
  /** How many of them came to a cell by their last move. @type {number[]} */
  waiting = [];
  /** For each event that has happened. @type {Before[]} */
  #before = [];

  /** Another one for each run. */
  name = `run-${runs += 1}`;

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
    const cells = trace.puzzle.width * trace.puzzle.height;
    this.visits = new Array(cells).fill(0);
    this.waiting = new Array(cells).fill(0);
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

  /** The event that happened last; null before the first. @returns {TraceEvent | null} */
  get event() {
    return this.events[this.at - 1] ?? null;
  }

  /** Goes to the moment after so many events. @param {number} wanted */
  goTo(wanted) {
    const to = Math.max(0, Math.min(this.length, Math.round(wanted)));
    while (this.at > to) {
      this.at -= 1;
      this.#undo(this.events[this.at]);
    }
    while (this.at < to) {
      this.#apply(this.events[this.at]);
      this.at += 1;
    }
  }

  /** @param {TraceEvent} event */
  #apply(event) {
    const { type, id } = event;
    const { iteration, iterationNodes, deepest, lastHits } = this;
    /** @type {Before} */
    const before = { iteration, iterationNodes, deepest, lastHits, state: undefined, waited: false, configuration: '' };
    if (typeof id === 'number') {
      before.state = this.states.get(id);
      before.waited = this.frontier.has(id);
    }
    this.#before.push(before);
    add(this.counts, type, 1);
    if (type === 'iteration') {
      this.iteration = event.depth ?? 0;
      this.iterationNodes = 0;
    }
    if (type === 'generate') {
      this.iterationNodes += 1;
      this.deepest = Math.max(this.deepest, this.nodes.get(id ?? -1)?.depth ?? 0);
    }
    if (type === 'prune') {
      add(this.prunes, event.reason ?? '', 1);
      if (typeof event.same_as === 'number') this.lastHits = [event, ...this.lastHits].slice(0, LAST_HITS);
    }
    if (typeof id !== 'number') return;
    if (MAKING.has(type)) {
      this.states.set(id, 'open');
      this.#wait(id, true);
      this.#visit(event, 1);
    }
    if (type === 'node') {
      const goal = LETTERS.indexOf(this.trace.puzzle.goal.robot ?? 'R');
      const helpers = this.nodes.get(id)?.robots.filter((_, robot) => robot !== goal) ?? [];
      const configuration = helpers.map((cell) => cell.join()).sort().join(' ');
      if (!this.configurations.has(configuration)) before.configuration = configuration;
      this.configurations.add(configuration);
    }
    if (type === 'expand' || type === 'configuration' || type === 'setup') this.#settle(id, 'expanded');
    if (type === 'prune') this.#settle(id, 'pruned');
    if (type === 'reach') this.#wait(id, false);
    if (type === 'solution') this.states.set(id, 'solution');
  }

  /** Takes back what `#apply` did for the last event. @param {TraceEvent} event */
  #undo(event) {
    const { type, id } = event;
    const before = /** @type {Before} */ (this.#before.pop());
    const { state, waited, configuration } = before;
    this.iteration = before.iteration;
    this.iterationNodes = before.iterationNodes;
    this.deepest = before.deepest;
    this.lastHits = before.lastHits;
    add(this.counts, type, -1);
    if (type === 'prune') add(this.prunes, event.reason ?? '', -1);
    if (typeof id !== 'number') return;
    if (state) this.states.set(id, state);
    else this.states.delete(id);
    this.#wait(id, waited);
    if (MAKING.has(type)) this.#visit(event, -1);
    if (configuration) this.configurations.delete(configuration);
  }

  /** @param {number} id @param {NodeState} state */
  #settle(id, state) {
    this.states.set(id, state);
    this.#wait(id, false);
  }

  /** @param {number} id @param {boolean} waits */
  #wait(id, waits) {
    if (this.frontier.has(id) === waits) return;
    if (waits) this.frontier.add(id);
    else this.frontier.delete(id);
    const cell = this.cellOf(this.nodes.get(id) ?? null);
    if (cell) this.waiting[cell[1] * this.trace.puzzle.width + cell[0]] += waits ? 1 : -1;
  }

  /** Where the last move to a node ended. @param {TreeNode | null} node @returns {Cell | null} */
  cellOf(node) {
    return node?.move ? node.robots[LETTERS.indexOf(node.move[0])] : null;
  }

  /** @param {TraceEvent} event @param {1 | -1} by */
  #visit(event, by) {
    for (const [x, y] of Object.values(event.robots ?? {})) this.visits[y * this.trace.puzzle.width + x] += by;
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

/** Counts; what was never counted has no entry. @param {Record<string, number>} counts @param {string} key @param {1 | -1} by */
function add(counts, key, by) {
  const now = (counts[key] ?? 0) + by;
  if (now === 0) delete counts[key];
  else counts[key] = now;
}

/** Whether an event is a pruning, an iteration or layer, or a solution: what to jump to. */
export const JUMPS = /** @type {const} */ ({
  prune: (/** @type {TraceEvent} */ event) => event.type === 'prune',
  iteration: (/** @type {TraceEvent} */ event) => event.type === 'iteration' || event.type === 'layer' || event.type === 'restart',
  solution: (/** @type {TraceEvent} */ event) => event.type === 'solution',
});
