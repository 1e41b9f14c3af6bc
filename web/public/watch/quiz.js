// What comes next? A question about an event that has not happened yet.

/** @import {Run, TraceEvent} from './run.js' */
import { LETTERS } from '../board/rules.js';

/** @typedef {{kind: 'prune' | 'robot' | 'move', event: TraceEvent, answer: string, options: string[]}} Question */

/** Reasons for which a node that was made can be pruned; 'no' is not at all. */
const FATES = ['expand', 'depth', 'bound', 'memo', 'sorted-key', 'duplicate', 'solution'];
/** Reasons for which a move is not made. */
const SKIPS = ['reversal', 'tight-bound'];
/** What the algorithms are about: always asked. */
const DECISIONS = ['bound', 'memo', 'sorted-key', 'duplicate', 'solution'];
/** Of anything else every fourth is asked about, so that the answers stay mixed. */
const ASK_EVERY = 4;
/** The numbers of the events worth a question. @type {WeakMap<Run, Set<number>>} */
const worthwhile = new WeakMap();

/** Decisions about nodes; of moves that are skipped and of all else a few, one for each reason and node. @param {Run} run */
function eventsToAsk(run) {
  const known = worthwhile.get(run);
  if (known) return known;
  /** @type {Set<number>} */
  const worth = new Set();
  /** @type {Set<string>} */
  const asked = new Set();
  /** @type {Record<string, number>} */
  const seen = {};
  for (const [i, event] of run.events.entries()) {
    const last = run.events[i - 1];
    const isFate = last?.type === 'generate' && event.id === last.id;
    const reason = event.type === 'prune' ? (event.reason ?? '') : event.type;
    const isDecision = isFate && DECISIONS.includes(reason);
    const kind = `${isFate ? 'fate' : last?.type === 'expand' ? 'robot' : 'move'} ${reason}`;
    const place = `${kind} ${isFate ? event.id : event.parent}`;
    if (!isDecision && (asked.has(place) || (seen[kind] = (seen[kind] ?? -1) + 1) % ASK_EVERY !== 0)) continue;
    asked.add(place);
    worth.add(i);
  }
  worthwhile.set(run, worth);
  return worth;
}

/**
 * A question about the next event, if it is worth one: what becomes of a node that was just made, which
 * robot moves next, or whether a move is made at all. Null if there is nothing to guess.
 * @param {Run} run @returns {Question | null}
 */
export function questionAt(run) {
  const next = run.events[run.at];
  const last = run.event;
  if (!next || !eventsToAsk(run).has(run.at)) return null;
  if (last?.type === 'generate' && next.id === last.id) {
    const answer = next.type === 'prune' ? (next.reason ?? '') : next.type;
    if (!FATES.includes(answer)) return null;
    const possible = FATES.filter((fate) => fate === answer || fate === 'expand' || fate in run.trace.prunes);
    if (possible.length < 2) return null;
    return { kind: 'prune', event: next, answer, options: possible };
  }
  if (next.type === 'generate' && next.move && last?.type === 'expand') {
    const options = run.trace.puzzle.robots.map((_, robot) => LETTERS[robot]);
    return options.length < 2 ? null : { kind: 'robot', event: next, answer: next.move[0], options };
  }
  const isSkipped = next.type === 'prune' && SKIPS.includes(next.reason ?? '');
  const isMade = next.type === 'generate';
  if (next.move && (isSkipped || isMade)) {
    const skips = SKIPS.filter((reason) => reason in run.trace.prunes);
    return skips.length ? { kind: 'move', event: next, answer: isSkipped ? (next.reason ?? '') : 'made', options: ['made', ...skips] } : null;
  }
  return null;
}

/** The moment before the next event that can be asked about; null if there is none. @param {Run} run */
export function nextQuestion(run) {
  const here = run.at;
  try {
    for (let at = here; at < run.length; at += 1) {
      run.goTo(at);
      if (questionAt(run)) return at;
    }
    return null;
  } finally {
    run.goTo(here);
  }
}

export class Score {
  constructor() {
    this.right = 0;
    this.asked = 0;
  }

  /** @param {Question} question @param {string} guess */
  count(question, guess) {
    const right = question.answer === guess;
    this.asked += 1;
    if (right) this.right += 1;
    return right;
  }
}
