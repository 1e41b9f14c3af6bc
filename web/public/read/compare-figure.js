// A figure with the solutions of two solvers on the same puzzle, one board each.

/** @import {AnswerOf, Move, View} from '../../types/page.d.ts' */
/** @import {Reader} from './mode.js' */
/** @import {FigureOptions} from './puzzle-figure.js' */
import { Board } from '../board/board.js';
import { replay } from '../board/rules.js';
import { capitalize, robotName } from '../speech/sentences.js';
import { fill, h } from '../ui/dom.js';
import { moveChips } from '../ui/move-chip.js';
import { isMotionOn } from '../ui/settings.js';
import { t } from '../words/read.js';
import { PuzzleFigure, goalRobot } from './puzzle-figure.js';

/** @param {Board} board @param {View} view @param {Move[]} moves */
function drawSolution(board, view, moves) {
  const { steps, robots } = replay(view, moves);
  board.show(view);
  board.place(robots);
  board.setTrails(steps);
}

/**
 * The first helper move that waits for the goal robot: its number from 1 on and its robot; null if all helpers move
 * before the goal robot does.
 * @param {View} view @param {Move[]} moves
 */
export function firstLateHelper(view, moves) {
  const goal = goalRobot(view);
  const { steps } = replay(view, moves);
  const first = steps.findIndex(({ robot }) => robot === goal);
  const late = steps.findIndex(({ robot }, at) => first >= 0 && at > first && robot !== goal);
  return late < 0 ? null : { number: late + 1, robot: steps[late].robot };
}

/** @param {Reader} reader @param {Omit<FigureOptions, 'update' | 'watch'> & {solver: string, name: string}} options */
export function compareFigure({ app, leaving }, { solver, name, ...options }) {
  const first = h('div', { class: 'stack' });
  const host = h('div', { class: 'figure-board' });
  const second = h('div', { class: 'stack' });
  const verdict = h('p', { role: 'status' });
  const board = new Board(host, { motion: isMotionOn });
  board.input = 'none';
  const figure = new PuzzleFigure(app, leaving, {
    ...options,
    watch: solver,
    update: async (view, signal) => {
      board.show(view);
      const puzzle = view.line ?? '';
      const limits = { ms: 5000 };
      const [own, best] = await Promise.all([
        figure.ask('solve', { puzzle, solver, limits }, { signal }),
        figure.ask('solve', { puzzle, solver: 'flagship', limits }, { signal }),
      ]);
      if (signal.aborted) return;
      if (own.moves && !figure.change.open) drawSolution(figure.board, view, own.moves);
      if (best.moves) drawSolution(board, view, best.moves);
      fill(first, [h('h4', {}, headline(name, own)), own.moves && moveChips(own.moves)]);
      fill(second, [h('h4', {}, headline(t('shortest'), best)), best.moves && moveChips(best.moves)]);
      const late = best.moves && firstLateHelper(view, best.moves);
      const missed = (best.length ?? Infinity) < (own.length ?? Infinity);
      fill(verdict, [
        missed && late ? t('caseMissed', { n: late.number, robot: capitalize(robotName(late.robot)), goal: robotName(goalRobot(view)) }) : t(missed ? 'caseMissedOther' : 'caseFound'),
      ]);
    },
  }, first, host, second, verdict);
  figure.change.addEventListener('toggle', () => {
    const { view } = figure;
    if (view && figure.change.open) figure.board.show(view);
    else if (view?.line) void figure.open(view.line);
  });
  return figure.element;
}

/** @param {string} name @param {AnswerOf<'solve'>} answer */
function headline(name, { outcome, length }) {
  return outcome === 'solved' ? t('solvedIn', { name, n: length ?? 0 }) : t(outcome === 'unsolvable' ? 'solvedNever' : 'solvedNot', { name });
}
