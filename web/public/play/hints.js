// Help for a player who is stuck: hints that say a little more each time, and the solution.

/** @import {Move} from '../../types/page.d.ts' */
/** @import {App} from '../app/app.js' */
/** @import {Attempt} from './attempt.js' */
/** @import {PlayPanel} from './panel.js' */
import { LETTERS, parseMove, replay, slideRobot } from '../board/rules.js';
import { capitalize, directionName, robotName } from '../speech/sentences.js';
import { h } from '../ui/dom.js';
import { moveChips, moveName } from '../ui/move-chip.js';
import { isMotionOn } from '../ui/settings.js';
import { t } from '../words/play.js';
import { lineWithoutOptimum } from './new-puzzle.js';

const HINT_MS = 8000;
const SOLUTION_MS = 30_000;
/** Between two moves of a shown solution. */
const PAUSE_MS = 450;

/** How much was said about which position. @type {WeakMap<Attempt, {moves: string, level: number}>} */
const hintLevels = new WeakMap();

/**
 * First only which robot, then how many moves are left, then the move itself.
 * @param {App} app @param {Pick<PlayPanel, 'message' | 'setMessage'>} panel @param {Attempt} attempt @param {AbortSignal} signal
 * @param {{moves: Move[], reason: () => string}} [line] a shortest solution that begins with the moves so far, and why its next move is made
 */
export async function takeHint(app, panel, attempt, signal, line) {
  const moves = attempt.moves.join(' ');
  const before = hintLevels.get(attempt);
  const level = before?.moves === moves ? Math.min(3, before.level + 1) : 1;
  hintLevels.set(attempt, { moves, level });
  attempt.hints += 1;
  panel.setMessage([t('hintWait')]);
  try {
    const position = await app.engine.ask('position', { puzzle: lineWithoutOptimum(attempt.view), moves: attempt.moves, limits: { ms: HINT_MS } }, { signal });
    if (attempt.moves.join(' ') !== moves) {
      panel.setMessage([]);
      return;
    }
    const best = position.moves.find((one) => one.best);
    const next = line?.moves[attempt.moves.length] ?? best?.move;
    const move = next && parseMove(next);
    let text = t(position.outcome === 'unsolvable' ? 'hintBack' : 'hintUnknown');
    if (move) {
      const robot = robotName(move.robot);
      text = t(level === 1 || position.distance === null ? 'hintRobot' : 'hintCount', { robot, n: position.distance ?? 0 });
      if (level === 3) text = t('hintMove', { robot: capitalize(robot), direction: directionName(move.direction) });
      if (level === 3 && line) text += ` ${line.reason()}`;
      app.board.setRings([attempt.robots[move.robot]], 'hint');
      const slide = slideRobot(attempt.view, attempt.robots, move.robot, move.direction);
      if (level === 3) app.board.setArrows([{ from: slide.from, to: slide.to, path: slide.path, color: LETTERS[move.robot], best: true }]);
      else app.board.select(move.robot);
    }
    panel.setMessage([text]);
    app.say(text, panel.message);
  } catch (error) {
    panel.setMessage([]);
    app.report(error);
  }
}

/**
 * Shows a shortest solution, move by move; it can be stepped through afterwards. Returns what was said
 * about it and its moves, or null if there is none or the player went on in the meantime.
 * @param {App} app @param {PlayPanel} panel @param {Attempt} attempt @param {AbortSignal} signal
 * @returns {Promise<{text: string, moves: import('../../types/page.d.ts').Move[]} | null>}
 */
export async function showSolution(app, panel, attempt, signal) {
  panel.setMessage([t('hintWait')]);
  try {
    const answer = await app.engine.ask('solve', { puzzle: lineWithoutOptimum(attempt.view), limits: { ms: SOLUTION_MS } }, { signal });
    if (answer.outcome !== 'solved') {
      const text = t(answer.outcome === 'unsolvable' ? 'unsolvable' : 'solveLimit');
      panel.setMessage([text]);
      app.say(text, panel.message);
      return null;
    }
    const moves = answer.moves ?? [];
    attempt.giveUpWith(moves);
    const text = t(answer.optimal === false ? 'shownNotOptimal' : 'shown');
    panel.setMessage([h('p', {}, text), h('p', {}, moveChips(moves))]);
    panel.update(attempt);
    // The board shows it, and chips when it has ended: a notice would only cover them.
    app.say(`${text} ${moves.map(moveName).join(', ')}`);
    app.board.setRings([], 'hint');
    app.board.setArrows([]);
    app.board.select(null);
    app.board.place(attempt.view.robots);
    app.board.setTrails([]);
    for (const slide of replay(attempt.view, moves).steps) {
      await app.board.slide(slide);
      if (isMotionOn()) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      if (signal.aborted || attempt.moves.length !== moves.length) return null;
    }
    return { text, moves };
  } catch (error) {
    panel.setMessage([]);
    app.report(error);
    return null;
  }
}
