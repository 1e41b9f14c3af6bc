// The other sections of the panel: an explanation, a comparison of solvers, maps, sharing.

/** @import {AnswerOf, Move, Slide, Solved, View} from '../../types/page.d.ts' */
/** @import {App} from '../app/app.js' */
import { frameSnippet, puzzleLink, withoutOptimum } from '../app/links.js';
import { replay } from '../board/rules.js';
import { isAbort } from '../engine/errors.js';
import { errorText } from '../speech/errors.js';
import { robotName, slideSentence } from '../speech/sentences.js';
import { button, fill, h } from '../ui/dom.js';
import { pictureBlob, shareOrSave } from '../ui/files.js';
import { chips, select } from '../ui/form-fields.js';
import { t } from '../words/analyse.js';
import { t as tPage } from '../words/page.js';
import { t as tBoard } from '../words/board.js';
import { currentLanguage } from '../words/words.js';

/** @typedef {{lineHere: () => Promise<string>, viewHere: () => View | null, rootLine: () => string, rootView: () => View | null, moves: () => Move[], clearMarks: () => void}} AnalysisContext */

/** What went wrong, as an element. @param {unknown} error */
const message = (error) => h('p', { class: 'message' }, errorText(error));

/** An explanation in the sentences of the page. @param {AnswerOf<'explain'>} told @param {View} view @param {boolean} shortest */
function explanation(told, view, shortest) {
  if (!told.moves) return told;
  const summary = t(shortest ? 'storyShortest' : 'storyMoves', { n: told.moves.length });
  return { ...told, summary, sentences: describeMoves(view, told.moves), helpers: [] };
}

/** @param {App} app @param {AnalysisContext} context */
export function explanationSection(app, context) {
  const out = h('div', { class: 'stack', 'aria-live': 'polite' });
  /** @type {AbortController | null} */
  let asking = null;
  /** @param {() => Promise<{puzzle: string, moves?: Move[]}>} question @param {View | null} view where the moves begin */
  const run = async (question, view) => {
    asking?.abort();
    const { signal } = (asking = new AbortController());
    fill(out, [h('p', { class: 'soft' }, t('thinking'))]);
    try {
      const fields = await question();
      const told = await app.engine.ask('explain', fields, { signal });
      if (signal.aborted) return;
      // The page's own sentences in every language, so that cells have one notation on the page.
      const answer = view ? explanation(told, view, !fields.moves) : told;
      const nothing = answer.outcome === 'unsolvable' ? t('unsolvable') : answer.sentences.length ? null : t('unknownAll');
      fill(out, [
        answer.summary && h('p', {}, answer.summary),
        nothing && h('p', {}, nothing),
        h('ol', { class: 'sentences' }, ...answer.sentences.map((one) => h('li', {}, one))),
        ...answer.helpers.map((one) => h('p', { class: 'soft' }, one)),
      ]);
    } catch (error) {
      if (!isAbort(error)) fill(out, [message(error)]);
    }
  };
  const explain = () => run(async () => ({ puzzle: await context.lineHere() }), context.viewHere());
  const buttons = h(
    'div',
    { class: 'row' },
    button(t('explain'), () => void explain(), { class: 'small' }),
    button(t('explainMoves'), () => void run(async () => ({ puzzle: context.rootLine(), moves: context.moves() }), context.rootView()), { class: 'small' }),
  );
  return { content: [buttons, out], open: () => void (out.childElementCount || explain()) };
}

/** @param {App} app @param {AnalysisContext} context */
export function compareSection(app, context) {
  const out = h('div', { class: 'compare-host', role: 'region', 'aria-label': t('compare') });
  /** @type {AbortController | null} */
  let asking = null;
  const start = button(t('compareRun'), () => run());
  const cancel = button(t('cancel'), () => asking?.abort(), { hidden: true });
  const run = async () => {
    asking?.abort();
    const { signal } = (asking = new AbortController());
    /** @type {Solved[]} */
    const rows = [];
    const show = () => fill(out, [compareTable(rows)]);
    show();
    start.disabled = true;
    cancel.hidden = false;
    try {
      const answer = await app.engine.ask(
        'compare',
        { puzzle: await context.lineHere(), limits: { ms: 2000 } },
        {
          signal,
          onProgress: ({ row }) => {
            if (!row || signal.aborted) return;
            rows.push(row);
            show();
          },
        },
      );
      fill(out, [compareTable(answer.rows)]);
    } catch (error) {
      if (!isAbort(error)) fill(out, [message(error)]);
    } finally {
      start.disabled = false;
      cancel.hidden = true;
    }
  };
  return { content: [h('p', { class: 'soft' }, t('compareWhat')), h('div', { class: 'row' }, start, cancel), out] };
}

/** @param {number} micros */
function time(micros) {
  if (micros < 1000) return `${micros} µs`;
  if (micros < 1_000_000) return `${(micros / 1000).toPrecision(3)} ms`;
  return `${(micros / 1_000_000).toPrecision(3)} s`;
}

/** @param {number} bytes */
const memory = (bytes) => (bytes < 1 << 20 ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / (1 << 20)).toFixed(0)} MiB`);

/** On narrow screens, a row takes two lines, the second one with its own labels. Roles are explicit, because a
 * table with another layout is not a table for screen readers. @param {Solved[]} rows */
function compareTable(rows) {
  const heads = [t('colSolver'), t('colLength'), t('colTime'), t('colProved'), t('colNodes'), t('colMemory')];
  const cell = (/** @type {number} */ column, /** @type {string | number} */ text, number = true) =>
    h('td', { role: 'cell', class: number ? 'number' : '', 'data-label': heads[column] }, text);
  const body = rows.map((row) =>
    h(
      'tr',
      { role: 'row' },
      h('th', { scope: 'row', role: 'rowheader' }, row.solver),
      cell(1, row.length ?? '–'),
      cell(2, time(row.micros)),
      cell(3, row.outcome === 'solved' ? t(row.optimal ? 'proved' : 'notProved') : t(/** @type {'outcome-limit'} */ (`outcome-${row.outcome}`)), false),
      cell(4, Number(row.nodes).toLocaleString('en').replaceAll(',', '\u202f')),
      cell(5, row.memory === undefined || row.memory === null ? '–' : memory(row.memory)),
    ),
  );
  const head = heads.map((text, i) => h('th', { scope: 'col', role: 'columnheader', class: [1, 2, 4, 5].includes(i) ? 'number' : '' }, text));
  return h('table', { class: 'compare-table', role: 'table' }, h('thead', { role: 'rowgroup' }, h('tr', { role: 'row' }, ...head)), h('tbody', { role: 'rowgroup' }, ...body));
}

const KINDS = /** @type {const} */ (['min-moves', 'critical', 'critical-positions', 'cross-block', 'reach']);

/** Maps over the board; `refresh` asks again when the position has changed. @param {App} app @param {AnalysisContext} context */
export function overlaySection(app, context) {
  /** @type {'' | typeof KINDS[number]} */
  let kind = '';
  /** @type {AbortController | null} */
  let asking = null;
  const note = h('p', { class: 'soft' });
  const refresh = async () => {
    asking?.abort();
    if (kind === '') {
      app.board.setOverlay(null);
      fill(note, []);
      return;
    }
    const { signal } = (asking = new AbortController());
    try {
      const answer = await app.engine.ask('overlay', { puzzle: await context.lineHere(), kind }, { signal });
      if (signal.aborted) return;
      app.board.setOverlay({ values: answer.values });
      // The engine's titles are English; the choice above says the same.
      fill(note, currentLanguage() === 'en' ? [answer.title] : []);
    } catch (error) {
      if (!isAbort(error)) fill(note, [errorText(error)]);
    }
  };
  const choice = chips(t('overlay'), [['', t('overlayNone')], ...KINDS.map((one) => /** @type {const} */ ([one, t(one)]))], kind, (value) => {
    kind = value;
    void refresh();
  });
  return { content: [choice, note], refresh, close: () => asking?.abort() };
}

/** @param {App} app @param {AnalysisContext} context */
export function shareSection(app, context) {
  const address = (/** @type {string} */ mode, /** @type {Move[]} */ moves) =>
    `${location.href.split('#')[0]}#${mode}=${context.rootLine()}${moves.length ? `&moves=${moves.join('-')}` : ''}`;
  const formats = h('div');
  const notes = h('p', { class: 'soft', role: 'status' });
  const load = async () => {
    if (formats.childElementCount) return;
    try {
      const { formats: all } = await app.engine.ask('formats', {});
      let wanted = 'line';
      const options = all.filter(({ write }) => write).map(({ name }) => /** @type {const} */ ([name, name]));
      const choice = select(t('copyFormat'), options, wanted, (value) => {
        wanted = value;
      });
      const copy = button(t('copy'), async () => {
        try {
          const { text, notes: left } = await app.engine.ask('convert', { puzzle: await context.lineHere(), to: wanted });
          await app.copy(text);
          fill(notes, [left.join(' ')]);
        } catch (error) {
          fill(notes, [errorText(error)]);
        }
      });
      fill(formats, [choice, copy]);
    } catch (error) {
      app.report(error);
    }
  };
  const links = h(
    'div',
    { class: 'row' },
    button(t('copyLink'), () => app.copy(address('analyse', context.moves())), { class: 'small' }),
    button(t('copyPuzzleLink'), () => app.copy(puzzleLink(withoutOptimum(context.rootLine()))), { class: 'small' }),
    button(t('copyFrame'), () => app.copy(frameSnippet(withoutOptimum(context.rootLine()), tPage('title'))), { class: 'small' }),
  );
  /** @param {'png' | 'gif' | 'svg'} kind @param {boolean} moves whether the moves up to here are drawn */
  const picture = async (kind, moves) => {
    try {
      const fields = moves ? { puzzle: context.rootLine(), moves: context.moves() } : { puzzle: await context.lineHere() };
      await shareOrSave(pictureBlob(await app.engine.ask('draw', { ...fields, kind, theme: 'light' })), `ricochet.${kind}`);
    } catch (error) {
      app.report(error);
    }
  };
  const pictures = h(
    'div',
    { class: 'row' },
    button(t('picturePng'), () => void picture('png', true), { class: 'small' }),
    button(t('pictureSvg'), () => void picture('svg', true), { class: 'small' }),
    button(t('pictureGif'), () => void (context.moves().length ? picture('gif', true) : app.tell(t('gifNeedsMoves'))), { class: 'small' }),
  );
  const marks = h('div', { class: 'stack' }, h('p', { class: 'soft' }, t('drawHint')), button(t('clearMarks'), context.clearMarks));
  return { content: [pictures, links, formats, notes, marks], open: () => void load() };
}

/** The first later move in which a robot that stands where this move ended stops another. @param {Slide[]} steps @param {number} at */
function helpsIn(steps, at) {
  const { robot } = steps[at];
  for (let later = at + 1; later < steps.length; later += 1) {
    if (steps[later].robot === robot) return null;
    const { kind, robot: by } = steps[later].stoppedBy;
    if (kind === 'robot' && by === robot) return later;
  }
  return null;
}

/**
 * What happens in each move, in the language of the page.
 * @param {View} view @param {Move[]} moves @returns {string[]}
 */
function describeMoves(view, moves) {
  const { steps, solved } = replay(view, moves);
  return steps.map((step, i) => {
    const helped = helpsIn(steps, i);
    const parts = [slideSentence(step)];
    if (helped !== null) parts.push(t('willStop', { robot: robotName(steps[helped].robot), n: helped + 1 }));
    if (solved && i === steps.length - 1) parts.push(tBoard('arrived'));
    return parts.join(' ');
  });
}
