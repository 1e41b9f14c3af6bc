// The chapter on the fastest solver: sets of cells, layers, lookahead, plans.

/** @import {AnswerOf, Cell, View} from '../../types/page.d.ts' */
/** @import {Reader} from './mode.js' */
import { DIRECTIONS, isMove, slideRobot } from '../board/rules.js';
import { button, fill, h } from '../ui/dom.js';
import { t } from '../words/read.js';
import { PRINTED_9, SLIDES_LINE, SMALL } from './numbers.js';
import { PuzzleFigure, goalRobot } from './puzzle-figure.js';
import { searchFigure } from './search-figure.js';
import { bar, number, table } from './tables.js';

/** @param {Reader} reader */
export function flagshipChapter(reader) {
  return [
    h('p', {}, t('flagship1')),
    sets(reader),
    h('p', {}, t('flagship2')),
    h('p', {}, t('flagship3')),
    searchFigure(reader, {
      id: 'layers', title: t('layersTitle'), caption: t('layersTry'),
      puzzles: [[SMALL, t('smallBoard')], [PRINTED_9, t('printedBoard', { n: 9 })]], settings: [['flagship:lookahead=off:plans=off', t('settingLayers')], ['flagship', t('settingFlagship')]],
    }),
    h('p', {}, t('flagship4')),
    h('p', {}, t('flagship5')),
    switches(reader),
    h('p', {}, t('flagship6')),
  ];
}

/**
 * All cells that a robot of a set can stop on after one move more, with those it had.
 * @param {View} view @param {Cell[]} cells
 */
export function grow(view, cells) {
  const robot = goalRobot(view);
  const all = new Map(cells.map((cell) => [cell.join(), cell]));
  for (const cell of cells) {
    const robots = view.robots.with(robot, cell);
    for (const direction of DIRECTIONS) {
      const slide = slideRobot(view, robots, robot, direction);
      if (isMove(slide)) all.set(slide.to.join(), slide.to);
    }
  }
  return [...all.values()];
}

/** @param {Reader} reader */
function sets({ app, leaving }) {
  const says = h('p', { role: 'status' });
  /** By cell, after how many moves it was reached first. @type {Map<string, number>} */
  let reached = new Map();
  /** @type {Cell[]} */
  let cells = [];
  let moves = 0;
  const draw = () => {
    const { view } = figure;
    if (!view) return;
    /** @type {(number | null)[]} */
    const values = new Array(view.width * view.height).fill(null);
    for (const [x, y] of cells) values[y * view.width + x] = reached.get([x, y].join()) ?? null;
    figure.board.setOverlay({ values });
    const isFull = grow(view, cells).length === cells.length;
    more.disabled = isFull;
    fill(says, [t('setsSays', { moves, n: cells.length }), ' ', isFull ? t('setsFull') : '']);
  };
  const more = button(t('setsMore'), () => {
    const { view } = figure;
    if (!view) return;
    cells = grow(view, cells);
    moves += 1;
    for (const cell of cells) if (!reached.has(cell.join())) reached.set(cell.join(), moves);
    draw();
  });
  const figure = new PuzzleFigure(app, leaving, {
    id: 'sets', title: t('setsTitle'), caption: t('setsTry'), watch: 'flagship', puzzles: [[SLIDES_LINE, t('slidesPuzzle')], [PRINTED_9, t('printedBoard', { n: 9 })]],
    update: (view) => {
      cells = [view.robots[goalRobot(view)]];
      reached = new Map([[cells[0].join(), 0]]);
      moves = 0;
      draw();
    },
  }, h('div', { class: 'row' }, more), says);
  return figure.element;
}

/** Without and with each idea. */
const SETTINGS = /** @type {const} */ ([
  ['iddfs', 'settingAll'],
  ['flagship:lookahead=off:plans=off', 'settingLayers'],
  ['flagship:plans=off', 'settingLookahead'],
  ['flagship', 'settingFlagship'],
]);

/** @param {Reader} reader */
function switches({ app, leaving }) {
  const host = h('div', { 'aria-live': 'polite' });
  /** @type {View | null} */
  let shown = null;
  const run = button(t('raceRun'), () => void race(), { class: 'primary' });
  const figure = new PuzzleFigure(app, leaving, {
    id: 'switches', title: t('switchesTitle'), caption: t('switchesTry'), watch: 'flagship', random: { moves: [8, 12] },
    puzzles: [[PRINTED_9, t('printedBoard', { n: 9 })], [SLIDES_LINE, t('slidesPuzzle')]],
    update: (view) => {
      shown = view;
      draw([]);
    },
  }, h('div', { class: 'row' }, run), host);
  /** @param {AnswerOf<'solve'>[]} answers */
  const draw = (answers) => {
    const most = Math.max(1, ...answers.map(({ nodes }) => nodes));
    fill(host, [table(t('switchesTable'), [t('solver'), t('nodes'), '', t('time'), t('ended')], SETTINGS.map(([, name], at) => {
      const answer = answers[at];
      return [
        t(name),
        answer ? number(answer.nodes) : '–',
        answer ? bar(answer.nodes, most) : '',
        answer ? `${number(Math.round(answer.micros / 100) / 10)} ms` : '',
        !answer ? '' : answer.outcome === 'solved' ? t('inMoves', { n: answer.length ?? 0 }) : t('atLeastMoves', { n: answer.lower_bound ?? 0 }),
      ];
    }))]);
  };
  const race = async () => {
    const view = shown;
    if (!view) return;
    run.disabled = true;
    /** @type {AnswerOf<'solve'>[]} */
    const answers = [];
    try {
      for (const [spec] of SETTINGS) {
        answers.push(await figure.ask('solve', { puzzle: view.line ?? '', solver: spec, limits: { ms: 5000 } }));
        if (shown !== view) return;
        draw(answers);
      }
    } catch (error) {
      void app.report(error);
    } finally {
      run.disabled = false;
    }
  };
  return figure.element;
}
