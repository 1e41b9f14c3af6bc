// A figure with a search to step through, in a few settings to choose from.

/** @import {Reader} from './mode.js' */
/** @import {FigureOptions} from './puzzle-figure.js' */
/** @import {TraceEvent} from '../watch/run.js' */
import { button, fill, h, section } from '../ui/dom.js';
import { checkbox, chips } from '../ui/form-fields.js';
import { t } from '../words/read.js';
import { t as tWatch } from '../words/watch.js';
import { WatchFigure } from '../watch/figure.js';
import { Run, TRACE } from '../watch/run.js';
import { verdictText } from '../watch/sentences.js';
import { PuzzleFigure } from './puzzle-figure.js';

/**
 * @param {Reader} reader
 * @param {Omit<FigureOptions, 'update' | 'watch'> & {
 *   settings: readonly (readonly [spec: string, name: string])[],
 *   jumps?: readonly (readonly [name: string, test: (event: TraceEvent) => boolean])[],
 *   events?: number,
 *   onrun?: (run: Run) => void,
 * }} options settings: the first one is shown; jumps: moments worth a look
 */
export function searchFigure(reader, { settings, jumps = [], events = TRACE.events, onrun, ...options }) {
  const { app, leaving } = reader;
  let [[spec]] = settings;
  const verdict = h('p', { class: 'soft', role: 'status' });
  const host = h('div', { class: 'stack' });
  const watchLink = h('a', {}, t('watchLarge'));
  const figure = new PuzzleFigure(app, leaving, {
    ...options,
    watch: spec,
    update: async (view, signal) => {
      fill(verdict, [tWatch('searching')]);
      const run = new Run(spec, await figure.ask('trace', { puzzle: view.line ?? '', solver: spec, ...TRACE, events }, { signal }));
      if (signal.aborted) return;
      fill(verdict, [verdictText(run)]);
      player.show(view, run);
      onrun?.(run);
    },
  }, host);
  const player = new WatchFigure(figure.board, {
    say: (text) => app.announcer.say(text),
    onstep: (at) => {
      const more = { solver: spec, ...(at > 0 ? { step: String(at) } : {}) };
      watchLink.href = reader.link({ mode: 'watch', line: figure.view?.line ?? '', moves: [], more });
    },
  });
  leaving.addEventListener('abort', () => player.pause());
  const jump = (/** @type {(event: TraceEvent) => boolean} */ test) => {
    const { run } = player;
    const at = run?.find(test) ?? null;
    if (at === null) app.announcer.say(tWatch('noMore'));
    else player.goTo(at);
    shown.textContent = at === null ? tWatch('noMore') : '';
  };
  const shown = h('span', { class: 'soft', role: 'status' });
  fill(host, [
    settings.length > 1 && chips(t('setting'), settings, spec, (wanted) => {
      spec = wanted;
      figure.options.watch = spec;
      if (figure.view?.line) void figure.open(figure.view.line);
    }),
    verdict,
    player.sentence,
    player.facts,
    player.quiz,
    player.player,
    jumps.length > 0 && h('div', { class: 'row' }, ...jumps.map(([name, test]) => button(name, () => jump(test), { class: 'small' })), shown),
    h('div', {}, h('p', { class: 'overline' }, tWatch('code')), player.code),
    section(tWatch('counters'), [player.counters, h('p', {}, tWatch('memoHits')), player.hits], { open: true }),
    section(tWatch('tree'), [player.tree.element], { onopen: () => player.tree.update() }),
    section(tWatch('quizTitle'), [checkbox(tWatch('quizOn'), false, (on) => player.ask(on))]),
    section(tWatch('log'), [player.log]),
    h('p', { class: 'small-text' }, watchLink),
  ]);
  // The robots are changed where they start.
  figure.change.addEventListener('toggle', () => figure.change.open && player.goTo(0));
  return figure.element;
}
