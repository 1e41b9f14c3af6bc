// The chapter on Fogleman's slides: iterative deepening, the memo, the sorted key, the bound.

/** @import {AnswerOf, View} from '../../types/page.d.ts' */
/** @import {Reader} from './mode.js' */
import { legalSlides } from '../board/rules.js';
import { button, fill, h } from '../ui/dom.js';
import { t } from '../words/read.js';
import { ABLATIONS } from '../watch/run.js';
import { ABLATION, BRUTE_FORCE, PRINTED_7, PRINTED_9, SLIDES_LINE, SLIDES_ROWS, SMALL, TINY } from './numbers.js';
import { PuzzleFigure } from './puzzle-figure.js';
import { searchFigure } from './search-figure.js';
import { bar, number, table } from './tables.js';

/** @typedef {NonNullable<AnswerOf<'solve'>['rows']>[number]} Row */

const [NONE, MEMO, SORTED, , ALL] = ABLATIONS.map(([spec]) => spec);
const BOUND_ALONE = ABLATIONS[3][0];
/** @param {View} view */
const isSlides = (view) => (view.line ?? '').startsWith(SLIDES_LINE);

/** @param {Reader} reader */
export function slidesChapter(reader) {
  const { app, leaving } = reader;
  const small = /** @type {const} */ ([[TINY, t('smallBoard')], [SMALL, t('smallBoard2')]]);
  const large = /** @type {const} */ ([[SLIDES_LINE, t('slidesPuzzle')], [PRINTED_9, t('printedBoard', { n: 9 })], [SMALL, t('smallBoard')]]);
  return [
    h('p', {}, t('slides1')),
    branching(reader, large),
    h('p', {}, t('slides2')),
    h('p', {}, t('slides3')),
    searchFigure(reader, {
      id: 'deepening', title: t('deepeningTitle'), caption: t('deepeningTry'), puzzles: small, settings: [[NONE, t('settingNone')]],
      jumps: [[t('jumpDepth'), (event) => event.reason === 'depth']],
    }),
    h('p', {}, t('slides4')),
    h('p', {}, t('slides5')),
    searchFigure(reader, {
      id: 'memo', title: t('memoTitle'), caption: t('memoTry'), puzzles: small, settings: [[SORTED, t('settingSorted')], [MEMO, t('settingMemo')], [NONE, t('settingNone')]],
      jumps: [[t('jumpMemo'), (event) => event.reason === 'memo'], [t('jumpSorted'), (event) => event.reason === 'sorted-key']],
    }),
    h('p', {}, t('slides6')),
    minimumMoves(reader, large),
    h('p', {}, t('slides7')),
    searchFigure(reader, {
      id: 'bound', title: t('boundTitle'), caption: t('boundTry'), puzzles: small, settings: [[ALL, t('settingAll')], [BOUND_ALONE, t('settingBound')], [SORTED, t('settingSorted')]],
      jumps: [[t('jumpBound'), (event) => event.reason === 'bound'], [t('jumpMemo'), (event) => event.reason === 'memo']],
    }),
    h('p', {}, t('slides8')),
    ablation(app, leaving),
    h('p', {}, t('slides9')),
    iterations(app, leaving),
    h('p', {}, t('slides10')),
  ];
}

/** @param {Reader} reader @param {readonly (readonly [string, string])[]} puzzles */
function branching({ app, leaving }, puzzles) {
  const says = h('p', { role: 'status' });
  const host = h('div', {});
  let depth = 4;
  const deeper = button(t('deeper'), () => {
    depth += 1;
    if (figure.view?.line) void figure.open(figure.view.line);
  }, { class: 'small' });
  const figure = new PuzzleFigure(app, leaving, {
    id: 'branching', title: t('branchingTitle'), caption: t('branchingTry'), puzzles, watch: NONE,
    update: async (view, signal) => {
      const slides = legalSlides(view, view.robots);
      figure.board.setArrows(slides.map(({ from, to, path, robot }) => ({ from, to, path, color: 'RGBYWOPC'[robot] })));
      const most = 4 * view.robots.length;
      fill(says, [t('branchingSays', { n: slides.length, most })]);
      const { rows = [] } = await figure.ask('solve', { puzzle: view.line ?? '', solver: NONE, rows: true, limits: { moves: depth, ms: 4000 } }, { signal });
      const known = isSlides(view);
      fill(host, [
        table(t('branchingTable'), [t('depth'), t('counted'), ...(known ? [t('inRecord')] : []), t('atMost', { most })],
          (rows ?? []).map((row) => [row.depth, number(row.nodes), ...(known ? [same(row.nodes, BRUTE_FORCE[row.depth - 1])] : []), power(most, row.depth)])),
      ]);
    },
  }, says, host, h('div', { class: 'row' }, deeper));
  return figure.element;
}

/** A large number as people write it. @param {number} base @param {number} exponent */
function power(base, exponent) {
  const value = base ** exponent;
  return value < 1e9 ? number(value) : value.toExponential(1).replace('e+', ' · 10^');
}

/** A number to compare, and whether it is equal. @param {number} found @param {number | undefined} expected */
function same(found, expected) {
  if (expected === undefined) return '–';
  const equal = found === expected;
  return h('span', { class: equal ? 'equal' : 'unequal' }, `${number(expected)} `, h('span', { role: 'img', 'aria-label': t(equal ? 'equal' : 'unequal') }, equal ? '✓' : '≠'));
}

/** @param {Reader} reader @param {readonly (readonly [string, string])[]} puzzles */
function minimumMoves({ app, leaving }, puzzles) {
  const says = h('p', { role: 'status' });
  const figure = new PuzzleFigure(app, leaving, {
    id: 'map', title: t('mapTitle'), caption: t('mapTry'), puzzles, taps: true, watch: BOUND_ALONE,
    update: async (view, signal) => {
      const { values } = await figure.ask('overlay', { puzzle: view.line ?? '', kind: 'min-moves' }, { signal });
      if (signal.aborted) return;
      figure.board.setOverlay({ values });
      const robot = view.robots['RGBYWOPC'.indexOf(view.goal.robot ?? 'R')];
      const here = values[robot[1] * view.width + robot[0]];
      const most = Math.max(...values.map((value) => value ?? 0));
      fill(says, [here === null ? t('mapNever') : t('mapSays', { n: here, most })]);
    },
  }, says);
  return figure.element;
}

/** @param {Reader['app']} app @param {AbortSignal} leaving */
function ablation(app, leaving) {
  const host = h('div', { 'aria-live': 'polite' });
  const run = button(t('raceRun'), () => void race(), { class: 'primary' });
  /** @type {View | null} */
  let shown = null;
  const settings = /** @type {const} */ ([[NONE, 'settingNone'], [MEMO, 'settingMemo'], [SORTED, 'settingSorted'], [ALL, 'settingAll']]);
  const figure = new PuzzleFigure(app, leaving, {
    id: 'ablation', title: t('raceTitle'), caption: t('raceTry'), watch: ALL,
    puzzles: [[PRINTED_7, t('printedBoard', { n: 7 })], [SMALL, t('smallBoard')], [SLIDES_LINE, t('slidesPuzzle')]],
    random: { moves: [4, 6] },
    update: (view) => {
      shown = view;
      draw(view, []);
    },
  }, h('div', { class: 'row' }, run), host);
  /** @param {View} view @param {AnswerOf<'solve'>[]} answers */
  const draw = (view, answers) => {
    const most = Math.max(...answers.map(({ nodes }) => nodes), 1);
    const known = isSlides(view);
    fill(host, [table(t('raceTable'), [t('switchedOn'), t('nodes'), '', t('ended'), ...(known ? [t('slidesSay'), t('weMeasured')] : []), ''], settings.map(([spec, name], at) => {
      const answer = answers[at];
      const measured = spec in ABLATION ? ABLATION[/** @type {keyof typeof ABLATION} */ (spec)] : null;
      const more = { solver: spec, ...(spec === ALL ? {} : { against: ALL }) };
      return [
        t(name),
        answer ? number(answer.nodes) : '–',
        answer ? bar(answer.nodes, most) : '',
        answer ? ended(answer) : '',
        ...(known ? [measured ? t('seconds', { n: number(measured.slides) }) : t('years'), measured ? `${t('seconds', { n: number(measured.seconds) })}, ${t('manyNodes', { n: number(measured.nodes) })}` : '–'] : []),
        h('a', { href: `#watch=${view.line ?? ''}&${new URLSearchParams(more).toString()}`, 'aria-label': t('watchSetting', { setting: t(name) }) }, t('watchIt')),
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
      for (const [spec] of settings) {
        answers.push(await figure.ask('solve', { puzzle: view.line ?? '', solver: spec, limits: { ms: 5000 } }));
        if (shown !== view) return;
        draw(view, answers);
      }
    } catch (error) {
      void app.report(error);
    } finally {
      run.disabled = false;
    }
  };
  return figure.element;
}

/** @param {AnswerOf<'solve'>} answer */
function ended({ outcome, length, micros, lower_bound: bound }) {
  const time = t('seconds', { n: number(Math.round(micros / 1e4) / 100) });
  if (outcome === 'solved') return t('endedSolved', { n: length ?? 0, time });
  if (outcome === 'limit') return t('endedLimit', { n: bound ?? 0, time });
  return t(outcome === 'unsolvable' ? 'endedNever' : 'endedFailed');
}

/** The table of the slides, as it grows. @param {Reader['app']} app @param {AbortSignal} leaving */
function iterations(app, leaving) {
  const says = h('p', { role: 'status' });
  const host = h('div', {});
  /** @type {AbortController | null} */
  let searching = null;
  const run = button(t('tableRun'), () => void (searching ? searching.abort() : search()), { class: 'primary' });
  const figure = new PuzzleFigure(app, leaving, {
    id: 'table', title: t('tableTitle'), caption: t('tableTry'), watch: ALL,
    puzzles: [[SLIDES_LINE, t('slidesPuzzle')], [PRINTED_9, t('printedBoard', { n: 9 })]],
    random: { moves: [8, 12] },
    update: (view) => {
      searching?.abort();
      fill(says, [t('tableBefore')]);
      draw(view, []);
    },
  }, h('div', { class: 'row' }, run), says, host);
  /** @param {View} view @param {Row[]} rows */
  const draw = (view, rows) => {
    const known = isSlides(view);
    const depths = Math.max(rows.length, known ? SLIDES_ROWS.length : 1);
    fill(host, [table(t('tableCaption'), [t('depth'), t('nodes'), ...(known ? [t('published')] : []), t('inner'), ...(known ? [t('published')] : []), t('hits'), ...(known ? [t('published')] : [])],
      Array.from({ length: depths }, (_, at) => {
        const row = rows[at];
        const expected = known ? SLIDES_ROWS[at] : undefined;
        return [at + 1, ...[row?.nodes, row?.inner, row?.hits].flatMap((value, column) => [
          value === undefined ? '' : number(value),
          ...(known ? [expected === undefined ? '–' : value === undefined ? number(expected[column + 1]) : same(value, expected[column + 1])] : []),
        ])];
      }))]);
    const wrong = known && rows.some((row, at) => [row.nodes, row.inner, row.hits].some((value, column) => value !== SLIDES_ROWS[at]?.[column + 1]));
    if (known && rows.length) fill(says, [t(wrong ? 'tableDiffers' : 'tableEqual', { n: rows.length })]);
  };
  const search = async () => {
    const { view } = figure;
    if (!view) return;
    const asking = new AbortController();
    searching = asking;
    const end = () => asking.abort();
    leaving.addEventListener('abort', end);
    run.textContent = t('stop');
    /** @type {Row[]} */
    let rows = [];
    try {
      const answer = await app.engine.ask('solve', { puzzle: view.line ?? '', solver: ALL, rows: true }, {
        signal: asking.signal,
        onProgress: ({ counts }) => {
          if (!counts || asking.signal.aborted) return;
          rows = [...rows.filter(({ depth }) => depth < counts.depth), counts];
          draw(view, rows);
        },
      });
      if (asking.signal.aborted) return;
      draw(view, answer.rows ?? rows);
      says.append(` ${ended(answer)}`);
    } catch (error) {
      if (!asking.signal.aborted) fill(says, [await app.errorText(error)]);
      else says.append(` ${t('stopped')}`);
    } finally {
      leaving.removeEventListener('abort', end);
      if (searching === asking) searching = null;
      run.textContent = t('tableRun');
    }
  };
  return figure.element;
}
