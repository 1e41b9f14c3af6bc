// The chapter on the report: critical paths, cross blocks, setups and their scores.

/** @import {Reader} from './mode.js' */
import { sameCell } from '../board/rules.js';
import { fill, h } from '../ui/dom.js';
import { chips } from '../ui/form-fields.js';
import { moveChips } from '../ui/move-chip.js';
import { t } from '../words/read.js';
import { Run, TRACE } from '../watch/run.js';
import { compareFigure } from './compare-figure.js';
import { FIGURE_5, FIGURE_6, PATHS, REPORT_ROUNDS, SLIDES_LINE, WAITING } from './numbers.js';
import { PuzzleFigure, goalRobot } from './puzzle-figure.js';
import { table } from './tables.js';

/** Setups that are listed. */
const LISTED = 8;

/** @param {Reader} reader */
export function reportChapter(reader) {
  const puzzles = /** @type {const} */ ([[FIGURE_5, t('figure5')], [FIGURE_6, t('figure6')], [SLIDES_LINE, t('slidesPuzzle')]]);
  return [
    h('p', {}, t('report1')),
    h('p', {}, t('report2')),
    criticalPaths(reader),
    h('p', {}, t('report3')),
    crossBlocks(reader, puzzles),
    h('p', {}, t('report4')),
    setups(reader, puzzles),
    h('p', {}, t('report5')),
    compareFigure(reader, {
      id: 'missed', title: t('missedTitle'), caption: t('missedTry'), solver: 'setup-crossblock', name: 'setup-crossblock',
      puzzles: [[WAITING, t('waiting')], [FIGURE_6, t('figure6')], [FIGURE_5, t('figure5')]], random: { size: [6, 6], robots: 3, moves: [4, 6] },
    }),
    h('p', {}, t('report6')),
    h('figure', { class: 'read-figure stack', id: 'figure-rounds', 'aria-labelledby': 'figure-rounds-title' },
      h('h3', { id: 'figure-rounds-title' }, t('roundsTitle')),
      h('p', {}, t('roundsCaption')),
      table(t('roundsTable'), [t('algorithm'), ...[4, 5, 6].flatMap((n) => [t('setupsOf', { n, whose: t('published') }), t('setupsOf', { n, whose: t('ours') })])],
        REPORT_ROUNDS.map(({ solver, published, ours }) => [solver, ...[0, 1, 2].flatMap((at) => [published[at], ours[at]])]))),
  ];
}

/** @param {Reader} reader */
function criticalPaths({ app, leaving }) {
  let degree = 3;
  const says = h('p', { role: 'status' });
  const choice = chips(t('degree'), ['1', '2', '3', '4'].map((n) => /** @type {const} */ ([n, n])), String(degree), (wanted) => {
    degree = Number(wanted);
    if (figure.view?.line) void figure.open(figure.view.line);
  });
  const figure = new PuzzleFigure(app, leaving, {
    id: 'critical', title: t('criticalTitle'), caption: t('criticalTry'), taps: true, watch: 'setup-position',
    puzzles: [[PATHS, t('printedBoard', { n: 5 })], [FIGURE_5, t('figure5')], [SLIDES_LINE, t('slidesPuzzle')]],
    update: async (view, signal) => {
      const { values } = await figure.ask('overlay', { puzzle: view.line ?? '', kind: 'critical', degree }, { signal });
      if (signal.aborted) return;
      figure.board.setOverlay({ values });
      fill(says, [t('criticalSays', { n: values.filter((value) => value !== null && value > 0).length, degree })]);
    },
  }, choice, says);
  return figure.element;
}

/** @param {Reader} reader @param {readonly (readonly [string, string])[]} puzzles */
function crossBlocks({ app, leaving }, puzzles) {
  const says = h('p', { role: 'status' });
  const figure = new PuzzleFigure(app, leaving, {
    id: 'blocks', title: t('blocksTitle'), caption: t('blocksTry'), puzzles, taps: true, watch: 'setup-crossblock',
    update: async (view, signal) => {
      const { values } = await figure.ask('overlay', { puzzle: view.line ?? '', kind: 'cross-block' }, { signal });
      if (signal.aborted) return;
      figure.board.setOverlay({ values });
      const cells = values.filter((value) => value !== null);
      fill(says, [cells.length ? t('blocksSays', { n: cells.length, best: Math.min(...cells.map(Number)) }) : t('blocksNone')]);
    },
  }, says);
  return figure.element;
}

/** The setups in the order in which they are tried, with their scores; one of them is on the board.
 * @param {Reader} reader @param {readonly (readonly [string, string])[]} puzzles */
function setups({ app, leaving }, puzzles) {
  let solver = 'setup-crossblock';
  const says = h('p', { role: 'status' });
  const list = h('ol', { class: 'read-setups' });
  const figure = new PuzzleFigure(app, leaving, {
    id: 'setups', title: t('setupsTitle'), caption: t('setupsTry'), puzzles, watch: solver, random: { size: [6, 6], robots: 3, moves: [3, 5] },
    update: async (view, signal) => {
      const { values: critical } = await figure.ask('overlay', { puzzle: view.line ?? '', kind: 'critical' }, { signal });
      const run = new Run(solver, await figure.ask('trace', { puzzle: view.line ?? '', solver, ...TRACE }, { signal }));
      if (signal.aborted) return;
      figure.board.setOverlay({ values: critical });
      const tried = run.events.filter(({ type }) => type === 'setup');
      const shown = tried.slice(0, LISTED);
      const { result } = run.trace;
      fill(says, [result.outcome === 'solved' ? t('setupsSolved', { n: tried.length, moves: result.length ?? 0 }) : t('setupsFailed', { n: tried.length })]);
      fill(list, shown.map((event) => {
        const node = run.nodes.get(event.id ?? -1) ?? null;
        const moves = run.path(node);
        const press = () => {
          for (const other of list.querySelectorAll('button')) other.setAttribute('aria-pressed', String(other === choose));
          figure.board.place(node?.robots ?? view.robots);
          const goal = goalRobot(view);
          figure.board.setRings((node?.robots ?? []).filter((cell, robot) => robot !== goal && !sameCell(cell, view.robots[robot])), 'hint');
        };
        const choose = h('button', { type: 'button', class: 'setup', 'aria-pressed': 'false', onclick: press },
          moves.length ? moveChips(moves) : t('noSetup'), h('span', { class: 'soft' }, event.score ? t('scoreIs', { score: String(event.score) }) : ''));
        return h('li', {}, choose);
      }));
    },
  }, chips(t('order'), /** @type {const} */ ([['setup-crossblock', t('byBlock')], ['setup-position', t('byPosition')], ['setup-bfs', t('byLength')]]), solver, (wanted) => {
    solver = wanted;
    figure.options.watch = wanted;
    if (figure.view?.line) void figure.open(figure.view.line);
  }), says, list);
  return figure.element;
}
