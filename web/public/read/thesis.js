// The chapter on the thesis: the stateless algorithm, the graph algorithms, how often each is right.

/** @import {Reader} from './mode.js' */
import { LETTERS } from '../board/rules.js';
import { s } from '../board/svg.js';
import { capitalize, robotName } from '../speech/sentences.js';
import { button, fill, h } from '../ui/dom.js';
import { chips } from '../ui/form-fields.js';
import { t } from '../words/read.js';
import { Run, TRACE } from '../watch/run.js';
import { compareFigure } from './compare-figure.js';
import { CASE_A, HIT_RATES, HIT_RATES_TOTAL, IN_THE_WAY, PRINTED_7, SLIDES_LINE, SMALL } from './numbers.js';
import { PuzzleFigure } from './puzzle-figure.js';
import { searchFigure } from './search-figure.js';
import { number, percent, table } from './tables.js';

/** @typedef {import('../../types/page.d.ts').Cell} Cell */

/** @param {Reader} reader */
export function thesisChapter(reader) {
  return [
    h('p', {}, t('thesis1')),
    h('p', {}, t('thesis2')),
    firstMove(reader),
    h('p', {}, t('thesis3')),
    h('p', {}, t('thesis4')),
    searchFigure(reader, {
      id: 'graph', title: t('graphTitle'), caption: t('graphTry'), puzzles: [[SMALL, t('smallBoard')], [CASE_A, t('caseA')]],
      settings: [['graph-v2', t('settingGraph2')], ['graph-v1', t('settingGraph1')]],
      jumps: [[t('jumpConfiguration'), (event) => event.type === 'configuration']],
    }),
    h('p', {}, t('thesis5')),
    compareFigure(reader, {
      id: 'cases', title: t('casesTitle'), caption: t('casesTry'), solver: 'graph-v2', name: 'graph-v2',
      puzzles: [[CASE_A, t('caseA')], [SMALL, t('smallBoard')], [PRINTED_7, t('printedBoard', { n: 7 })]],
      random: { size: [6, 6], robots: 3, moves: [4, 7] },
    }),
    h('p', {}, t('thesis6')),
    hitRates(reader),
    h('p', {}, t('thesis7')),
  ];
}

/** What the stateless algorithm writes on the board when it takes a robot's start. @param {Reader} reader */
function firstMove({ app, leaving }) {
  const says = h('p', { role: 'status' });
  const who = h('div', {});
  let robot = 0;
  const figure = new PuzzleFigure(app, leaving, {
    id: 'first-move', title: t('firstMoveTitle'), caption: t('firstMoveTry'), watch: 'stateless:published=on',
    puzzles: [[IN_THE_WAY, t('smallBoard')], [SLIDES_LINE, t('slidesPuzzle')]],
    random: { size: [8, 8], robots: 3, moves: [2, 5] },
    update: async (view, signal) => {
      robot = Math.min(robot, view.robots.length - 1);
      fill(who, [chips(t('moves'), view.robots.map((_, i) => /** @type {const} */ ([String(i), capitalize(robotName(i))])), String(robot), (wanted) => {
        robot = Number(wanted);
        if (figure.view?.line) void figure.open(figure.view.line);
      })]);
      const run = new Run('stateless', await figure.ask('trace', { puzzle: view.line ?? '', solver: 'stateless:published=on', ...TRACE }, { signal }));
      if (signal.aborted) return;
      const { finals, intermediates } = firstStates(run, robot);
      /** @type {(number | null)[]} */
      const values = new Array(view.width * view.height).fill(null);
      /** @type {(string | null)[]} */
      const labels = values.map(() => null);
      const put = (/** @type {Map<string, number>} */ cells, /** @type {number} */ shade, /** @type {string} */ mark) => {
        for (const [key, moves] of cells) {
          const [x, y] = key.split(',').map(Number);
          values[y * view.width + x] = shade;
          labels[y * view.width + x] = `${moves}${mark}`;
        }
      };
      put(intermediates, 0, "'");
      put(finals, 1, '');
      figure.board.setOverlay({ values, labels });
      fill(says, [t('firstMoveSays', { finals: finals.size, intermediates: intermediates.size })]);
    },
  }, who, says);
  return figure.element;
}

/** What is written when a robot's start is taken: moves by cell. @param {Run} run @param {number} robot */
export function firstStates(run, robot) {
  /** @type {Map<string, number>} */
  const finals = new Map();
  /** @type {Map<string, number>} */
  const intermediates = new Map();
  const start = run.roots.find((id) => String(Object.keys(run.events.find((event) => event.id === id)?.robots ?? {})[0]) === LETTERS[robot]);
  const first = run.events.findIndex(({ type, id }) => type === 'expand' && id === start);
  const next = run.events.findIndex(({ type }, at) => at > first && type === 'expand');
  if (start === undefined || first < 0) return { finals, intermediates };
  // Later states of the same robot come from later collisions.
  for (const event of run.events.slice(first + 1, next < 0 ? undefined : next)) {
    if (event.parent !== start) continue;
    const cell = event.cell ?? Object.values(event.robots ?? {})[0];
    if (!cell) continue;
    if (event.type === 'final') finals.set(cell.join(), event.g ?? 0);
    if (event.type === 'intermediate') intermediates.set(cell.join(), event.g ?? 0);
  }
  for (const key of finals.keys()) intermediates.delete(key);
  return { finals, intermediates };
}

/** @param {Reader} reader */
function hitRates({ app, leaving }) {
  const heads = [t('moves'), t('positions'), `graph, ${t('published')}`, `graph, ${t('ours')}`, `stateless, ${t('published')}`, `stateless, ${t('ours')}`, t('playedOurs')];
  const { positions, graph, claims, played } = HIT_RATES;
  const cell = (/** @type {readonly number[]} */ values, /** @type {number} */ at) => (values[at] === undefined ? '–' : percent(values[at]));
  const rows = positions.map((count, at) => [at + 1, number(count), cell(graph.published, at), cell(graph.ours, at), cell(claims.published, at), cell(claims.ours, at), cell(played.ours, at)]);
  const total = HIT_RATES_TOTAL;
  rows.push([t('all'), number(positions.reduce((sum, count) => sum + count, 0)), percent(total.graph.published), percent(total.graph.ours), percent(total.claims.published), percent(total.claims.ours), percent(total.played.ours)]);
  return h('figure', { class: 'read-figure stack', id: 'figure-hit-rates', 'aria-labelledby': 'figure-hit-rates-title' },
    h('h3', { id: 'figure-hit-rates-title' }, t('ratesTitle')),
    h('p', { class: 'try' }, h('b', {}, t('try')), ' ', t('ratesTry')),
    chart(),
    h('details', { class: 'section' }, h('summary', {}, t('asTable')), table(t('ratesTable'), heads, rows)),
    sample(app, leaving),
  );
}

/** The lines of the chart, in the order of its legend. @type {readonly (readonly [key: 'graphPublished' | 'graphOurs' | 'claimsPublished' | 'claimsOurs' | 'playedOurs', values: readonly number[], style: string])[]} */
const LINES = [
  ['graphPublished', HIT_RATES.graph.published, 'line-1 dashed'],
  ['graphOurs', HIT_RATES.graph.ours, 'line-1'],
  ['claimsPublished', HIT_RATES.claims.published, 'line-2 dashed'],
  ['claimsOurs', HIT_RATES.claims.ours, 'line-2'],
  ['playedOurs', HIT_RATES.played.ours, 'line-3'],
];
/** Lengths of which there are fewer positions say little. */
const LONGEST = 16;

function chart() {
  const [left, right, top, bottom] = [44, 470, 12, 236];
  const x = (/** @type {number} */ moves) => left + ((right - left) * (moves - 1)) / (LONGEST - 1);
  const y = (/** @type {number} */ rate) => bottom - ((bottom - top) * rate) / 100;
  const text = (/** @type {number} */ tx, /** @type {number} */ ty, /** @type {string} */ words, anchor = 'middle') => {
    const element = s('text', { x: tx, y: ty, 'text-anchor': anchor });
    element.textContent = words;
    return element;
  };
  const svg = s('svg', { class: 'read-chart', viewBox: '0 0 480 270', role: 'img', 'aria-label': t('chartLabel') },
    ...[0, 25, 50, 75, 100].flatMap((rate) => [s('line', { x1: left, x2: right, y1: y(rate), y2: y(rate), class: 'grid' }), text(left - 6, y(rate) + 4, `${rate} %`, 'end')]),
    ...Array.from({ length: LONGEST / 2 }, (_, i) => text(x(2 * i + 2), bottom + 16, String(2 * i + 2))),
    text((left + right) / 2, bottom + 32, t('requiredMoves')),
    ...LINES.map(([, values, style]) => s('polyline', { class: style, points: values.slice(0, LONGEST).map((rate, at) => `${x(at + 1)},${y(rate)}`).join(' ') })),
  );
  const key = h('ul', { class: 'read-legend' }, ...LINES.map(([name, , style]) => {
    const picture = s('svg', { viewBox: '0 0 40 10', 'aria-hidden': 'true' }, s('line', { x1: 1, x2: 39, y1: 5, y2: 5, class: style }));
    return h('li', {}, picture, t(name));
  }));
  return h('div', {}, svg, key);
}

/** How many random puzzles at a time. */
const SAMPLE = 20;

/** The reader's own sample, on the board of our measurement. @param {Reader['app']} app @param {AbortSignal} leaving */
function sample(app, leaving) {
  const says = h('p', { role: 'status' });
  const host = h('div', {});
  /** By required moves: puzzles, hits of graph-v2, hits of stateless. @type {Map<number, [number, number, number]>} */
  const tally = new Map();
  const draw = () => {
    const rows = [...tally].sort(([a], [b]) => a - b).map(([moves, [all, graph, stateless]]) => [moves, all, `${graph} (${percent((100 * graph) / all)})`, percent(HIT_RATES.graph.ours[moves - 1] ?? 0), `${stateless} (${percent((100 * stateless) / all)})`, percent(HIT_RATES.played.ours[moves - 1] ?? 0)]);
    fill(host, [table(t('sampleTable'), [t('moves'), t('puzzles'), 'graph-v2', t('ours'), 'stateless', t('ours')], rows)]);
  };
  const run = button(t('sampleRun', { n: SAMPLE }), async () => {
    run.disabled = true;
    try {
      for (let i = 1; i <= SAMPLE; i += 1) {
        fill(says, [t('sampleAt', { i, n: SAMPLE })]);
        const { puzzle } = await app.engine.ask('generate', { layout: '1A 4B 3B 2B' }, { signal: leaving });
        const line = puzzle?.line ?? '';
        const solve = (/** @type {string} */ solver) => app.engine.ask('solve', { puzzle: line, solver, limits: { ms: 5000 } }, { signal: leaving });
        const [best, graph, stateless] = await Promise.all([solve('flagship'), solve('graph-v2'), solve('stateless')]);
        // A search that a limit ended says nothing about the algorithm.
        if (!best.optimal || !best.length || graph.outcome === 'limit') continue;
        const row = tally.get(best.length) ?? [0, 0, 0];
        tally.set(best.length, [row[0] + 1, row[1] + Number(graph.length === best.length), row[2] + Number(stateless.length === best.length)]);
        draw();
      }
      const all = [...tally.values()].reduce((sum, [count]) => sum + count, 0);
      fill(says, [t('sampleDone', { n: all })]);
    } catch (error) {
      void app.report(error);
    } finally {
      run.disabled = false;
    }
  });
  return h('div', { class: 'stack' }, h('div', { class: 'row' }, run), says, host);
}
