// What an event means, in a sentence.

/** @import {Cell} from '../../types/page.d.ts' */
/** @import {Run, TraceEvent} from './run.js' */
import { LETTERS, parseMove } from '../board/rules.js';
import { capitalize, directionName, placeName, robotName } from '../speech/sentences.js';
import { moveChips, moveName } from '../ui/move-chip.js';
import { t } from '../words/watch.js';

/** @param {string | null | undefined} move */
export function moveText(move) {
  const parsed = move ? parseMove(move) : null;
  return parsed ? t('moveText', { robot: robotName(parsed.robot), direction: directionName(parsed.direction) }) : '';
}

/** @param {TraceEvent} event */
function placeText(event) {
  const cell = Object.values(event.robots ?? {})[0];
  return cell ? placeName(/** @type {Cell} */ (cell)) : '';
}

/** The sentence for an event; it says what happened and why. @param {Run} run @param {TraceEvent | null} event @returns {string} */
export const eventSentence = (run, event) => capitalize(sentenceOf(run, event));

/** @param {Run} run @param {TraceEvent | null} event @returns {string} */
function sentenceOf(run, event) {
  if (!event) return t('atStart', { n: run.trace.total });
  const node = typeof event.id !== 'number' ? '' : `${event.id}`;
  const left = run.iteration - (event.g ?? 0);
  const facts = {
    id: node, move: moveText(event.move), place: placeText(event), g: event.g ?? 0, h: event.h ?? 0, left,
    same: event.same_as ?? '', depth: event.depth ?? 0, nodes: event.nodes ?? 0, hits: event.hits ?? 0,
    parent: event.parent ?? '', n: event.nodes ?? 0,
  };
  switch (event.type) {
    case 'prune':
      if (event.reason === 'bound' && typeof event.h !== 'number') return t('prune-bound-never', facts);
      return t(/** @type {'prune-memo'} */ (`prune-${event.reason}`), facts);
    case 'final':
      return typeof event.depends_on !== 'number'
        ? t(event.move ? 'final' : 'finalStart', facts)
        : t('finalDepends', { ...facts, other: event.depends_on });
    case 'intermediate':
      return t('intermediate', { ...facts, place: event.cell ? placeName(/** @type {Cell} */ (event.cell)) : '' });
    case 'configuration':
      return t('configuration', { ...facts, n: event.edges?.length ?? 0 });
    case 'setup':
      return t(event.score ? 'setupScore' : 'setup', { ...facts, score: event.score ?? '' });
    case 'node':
      return t('node', { ...facts, f: event.f ?? 0, n: event.cells?.length ?? 0 });
    case 'solution':
      return t('solution', { n: event.moves?.length ?? 0, moves: event.moves?.map(moveName).join(', ') ?? '' });
    case 'generate':
      return event.move ? t('generate', facts) : t('root', facts);
    case 'reach':
      return event.move ? t('reach', facts) : t('reachStart', facts);
    default:
      return t(/** @type {'expand'} */ (event.type), facts);
  }
}

/** The same for the screen: moves are chips. @param {Run} run @param {TraceEvent | null} event @returns {(Node | string)[]} */
export function eventContent(run, event) {
  if (event?.type !== 'solution' || !event.moves?.length) return [eventSentence(run, event)];
  return [t('solution', { n: event.moves.length, moves: '' }), moveChips(event.moves)];
}

/** Most nodes that the algorithm could look at, by the formula that its source gives; null if it gives none.
 * @param {Run} run @returns {{formula: string, most: number, now: number} | null} */
export function formulaOf(run) {
  const robots = run.trace.puzzle.robots.length;
  const cells = run.trace.puzzle.width * run.trace.puzzle.height;
  const tree = (/** @type {'formulaTree' | 'formulaSetups' | 'formulaConfigurations'} */ name, /** @type {number} */ movers, /** @type {number} */ depth, /** @type {number} */ now) => {
    let most = 0;
    for (let moves = 0; moves <= depth; moves += 1) most += (4 * movers) ** moves;
    return { formula: t(name, { branching: 4 * movers, depth }), most, now };
  };
  const { generate = 0, configuration = 0, setup = 0, expand = 0, reach = 0 } = run.counts;
  if (run.solver.startsWith('iddfs') && run.iteration > 0) return tree('formulaTree', robots, run.iteration, run.iterationNodes);
  if (run.solver === 'bfs' || run.solver === 'dfs') return tree('formulaTree', robots, run.deepest, generate);
  // The goal robot moves afterwards, or in each of these.
  if (run.solver === 'graph-complete') return tree('formulaConfigurations', robots, run.deepest, configuration);
  if (run.solver.startsWith('graph')) return tree('formulaConfigurations', robots - 1, run.deepest, configuration);
  if (run.solver.startsWith('setup')) return tree('formulaSetups', robots - 1, run.deepest, setup);
  if (run.solver === 'flagship' && run.trace.puzzle.goal.robot) {
    let most = 1;
    for (let helper = 0; helper < robots - 1; helper += 1) most = (most * (cells - helper)) / (helper + 1);
    return { formula: t('formulaSets', { helpers: robots - 1, cells }), most: Math.round(most), now: run.configurations.size };
  }
  if (run.solver === 'stateless') return { formula: t('formulaStateless', { robots, cells }), most: robots * cells, now: expand };
  // Only the goal robot moves, and comes to each cell once.
  if (run.solver === 'single-color') return { formula: t('formulaCells', { cells }), most: cells, now: reach };
  if (run.solver === 'naive') {
    let most = 1;
    for (let robot = 0; robot < robots; robot += 1) most *= cells - robot;
    return { formula: t('formulaStates', { robots, cells }), most, now: expand };
  }
  return null;
}

/** A robot's letter in words, for answers of the quiz. @param {string} letter */
export const letterText = (letter) => robotName(LETTERS.indexOf(letter));

/** How the search ended. @param {Run} run */
export function verdictText(run) {
  const { result } = run.trace;
  const facts = { solver: run.spec, nodes: result.nodes, n: result.length ?? 0, bound: result.lower_bound ?? 0 };
  switch (result.outcome) {
    case 'solved':
      return t('outcomeSolved', facts);
    case 'unsolvable':
      return t('outcomeUnsolvable', facts);
    case 'limit':
      return t('outcomeLimit', facts);
    default:
      return t('outcomeFailed', facts);
  }
}
