// What is played: single puzzles, the daily puzzle, training by length. The full game and the storm have
// their own files.

/** @import {DaySummary, RequestOf, View} from '../../types/page.d.ts' */
/** @import {App} from '../app/app.js' */
/** @import {Attempt} from './attempt.js' */
/** @import {PuzzleFilter} from './new-puzzle.js' */
import { readValidPuzzle } from '../app/puzzle.js';
import { button, flash, h } from '../ui/dom.js';
import { select } from '../ui/form-fields.js';
import { t as tPage } from '../words/page.js';
import { t } from '../words/play.js';
import { currentLanguage } from '../words/words.js';
import { clockText } from './clock.js';
import { loadFilter, requestsAhead, saveFilter } from './new-puzzle.js';
import { addTraining, extendStreak, loadStreak, saveStreak, shiftDate, streakNow, today, trainingRecord } from './records.js';
import { shareResult } from './sharing.js';
import { Supply } from './supply.js';

/** @typedef {'puzzle' | 'daily' | 'training' | 'game' | 'storm'} Kind */

/**
 * What a session may ask of the mode. @typedef {object} Host
 * @property {App} app
 * @property {() => void} next as if the player had asked for the next puzzle
 * @property {() => void} refresh writes the details again
 * @property {(session: Session) => void} begin plays something else
 * @property {() => Attempt | null} attempt
 */

/**
 * @typedef {object} Session
 * @property {Kind} kind
 * @property {string} as what the address says about it
 * @property {(signal: AbortSignal) => Promise<View | null>} first null: there is nothing to play yet
 * @property {(signal: AbortSignal) => Promise<View | null>} next
 * @property {(attempt: Attempt) => void} [solved]
 * @property {(attempt: Attempt) => void} [changed] after each move
 * @property {(host: Host) => Node[]} details
 * @property {(attempt: Attempt) => string | null} [refuse] why there is no next one yet
 * @property {() => Node | null} [headline] numbers in place of the attempt's
 * @property {boolean} [over] whether nothing more can be played
 * @property {() => string} [nextName] what the next one is called
 * @property {() => string | null} [guard]
 * @property {() => void} [close]
 * @property {boolean} [hurried] no hints, no solutions, and on to the next at once
 */

/** A session whose next puzzle is made while one is played. */
class SupplySession {
  /** @param {App} app @param {string} [line] a puzzle to begin with */
  constructor(app, line) {
    this.app = app;
    this.line = line;
    this.supply = new Supply(app.engine);
  }

  /** What to make: the next puzzle first. @returns {RequestOf<'generate'>[]} */
  requests() {
    return requestsAhead(loadFilter());
  }

  prepare() {
    this.supply.prepare(this.requests());
  }

  /** @param {AbortSignal} signal */
  async first(signal) {
    if (!this.line) return this.next(signal);
    const view = await readValidPuzzle(this.app, this.line, signal);
    this.prepare();
    return view;
  }

  /** @param {AbortSignal} signal */
  async next(signal) {
    const view = await this.supply.take(this.requests()[0], signal);
    this.prepare();
    return view;
  }

  close() {
    this.supply.close();
  }
}

/** @implements {Session} */
export class PuzzleSession extends SupplySession {
  /** @type {Kind} */
  kind = 'puzzle';
  as = '';

  /** @param {Host} host */
  details(host) {
    return filterForm(host, () => this.prepare());
  }
}

/** @param {Host} host @param {() => void} onChange */
function filterForm(host, onChange) {
  const filter = loadFilter();
  const change = (/** @type {Partial<PuzzleFilter>} */ changes) => {
    Object.assign(filter, changes);
    saveFilter(filter);
    onChange();
    if ('board' in changes) host.refresh();
  };
  const fields = [
    select(t('difficulty'), [['easy', t('easy')], ['medium', t('medium')], ['hard', t('hard')], ['expert', t('expert')], ['any', t('anyDifficulty')]], filter.difficulty, (difficulty) => change({ difficulty })),
    select(t('board'), [['1999', t('ed1999')], ['2003', t('ed2003')], ['2013', t('ed2013')], ['layout', t('layout')], ['random', t('random')]], filter.board, (board) => change({ board })),
  ];
  if (filter.board === 'layout') {
    const input = h('input', { value: filter.layout, spellcheck: false, onchange: () => change({ layout: input.value.trim() }) });
    fields.push(h('label', { class: 'field' }, h('span', {}, t('layoutSides')), input));
  }
  if (filter.board === 'random') {
    const sizes = [6, 8, 10, 12, 14, 16, 20, 24, 32].map((n) => /** @type {const} */ ([String(n), `${n} × ${n}`]));
    fields.push(select(t('size'), sizes, String(filter.size), (size) => change({ size: Number(size) })));
  }
  const counts = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => /** @type {const} */ ([String(n), String(n)]));
  fields.push(select(t('robots'), counts, String(filter.robots), (robots) => change({ robots: Number(robots) })));
  return [
    h('details', { class: 'card', open: true }, h('summary', {}, t('filter')), ...fields, button(t('make'), () => host.next(), { class: 'primary' })),
  ];
}

/** @implements {Session} */
export class TrainingSession extends SupplySession {
  /** @param {App} app @param {number} length @param {string} [line] */
  constructor(app, length, line) {
    super(app, line);
    this.length = length;
    /** @type {Kind} */
    this.kind = 'training';
    this.as = `training-${length}`;
    /** @type {Set<string>} */
    this.counted = new Set();
  }

  /** @returns {RequestOf<'generate'>[]} */
  requests() {
    return [{ edition: '1999', moves: [this.length, this.length] }];
  }

  /** @param {Attempt} attempt */
  solved(attempt) {
    const line = attempt.view.line ?? '';
    if (this.counted.has(line) || attempt.hints > 0 || attempt.gaveUp) return;
    this.counted.add(line);
    addTraining(this.length, attempt.moves.length === this.length);
  }

  /** @param {Host} host */
  details(host) {
    const lengths = Array.from({ length: 14 }, (_, i) => i + 2).map((n) => /** @type {const} */ ([String(n), t('trainingMoves', { n })]));
    const { solved, perfect } = trainingRecord(this.length);
    return [
      h(
        'div',
        { class: 'card' },
        select(t('trainingLength'), lengths, String(this.length), (length) => host.begin(new TrainingSession(this.app, Number(length)))),
        h('p', { class: 'soft' }, solved ? t('trainingRecord', { solved, perfect }) : t('trainingNone')),
      ),
    ];
  }
}

/** @implements {Session} */
export class DailySession {
  /** @param {App} app @param {string} date */
  constructor(app, date) {
    this.app = app;
    this.date = date;
    /** @type {Kind} */
    this.kind = 'daily';
    this.as = `daily-${date}`;
    /** @type {DaySummary | null} */
    this.day = null;
    /** @type {Host | null} */
    this.host = null;
  }

  /** @param {AbortSignal} signal @returns {Promise<View>} */
  async first(signal) {
    const day = await this.app.engine.ask('daily', { date: this.date }, { signal });
    return day.puzzle;
  }

  nextName() {
    return t(this.date === today() ? 'dayBefore' : 'today');
  }

  /** The next puzzle of a day is another day's: today's, or else the day before. @param {AbortSignal} signal */
  next(signal) {
    this.date = this.date === today() ? shiftDate(this.date, -1) : today();
    this.day = null;
    this.as = `daily-${this.date}`;
    return this.first(signal);
  }

  /** @param {Attempt} attempt */
  solved(attempt) {
    if (attempt.gaveUp) return;
    saveStreak(extendStreak(loadStreak(), this.date, today()));
    void shareResult(this.app, this.date, attempt).then((day) => {
      this.day = day;
      if (day) this.host?.refresh();
    });
  }

  /** How everybody did, if the player shares results. */
  #everybody() {
    if (!this.day) return null;
    const list = this.day.lengths.map(({ length, players }) => t('dayCount', { n: length, m: players })).join(', ');
    return h('p', {}, t('dayPlayers', { n: this.day.players, list }));
  }

  /** The line to share. @param {Attempt} attempt */
  result(attempt) {
    return t('resultLine', {
      date: this.date,
      n: attempt.best ?? attempt.moves.length,
      star: attempt.verdict === 'optimal' ? ' ★' : '',
      time: clockText(attempt.clock.ms),
      hints: attempt.hints ? t('hintsUsed', { n: attempt.hints }) : t('noHints'),
    });
  }

  /** @param {Host} host */
  details(host) {
    this.host = host;
    const streak = loadStreak();
    const now = today();
    const days = streakNow(streak, now);
    const attempt = host.attempt();
    const link = `${location.origin}${location.pathname}#play&as=${this.as}`;
    const open = (/** @type {string} */ date) => host.begin(new DailySession(this.app, date));
    const date = new Intl.DateTimeFormat(currentLanguage(), { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${this.date}T12:00:00Z`));
    const done = attempt !== null && attempt.best !== null;
    const share = button(t('shareResult'), async () => {
      if (attempt && (await this.app.copy(`${this.result(attempt)}\n${link}`))) flash(share, tPage('copied'));
    }, { class: 'primary' });
    return [
      h(
        'div',
        { class: 'card stack' },
        h('h3', {}, t('dailyOf', { date })),
        h('p', { class: 'soft' }, days ? t('streak', { n: days, m: streak.longest }) : t('noStreak')),
        done && attempt ? h('p', { class: 'result-line' }, this.result(attempt)) : null,
        this.#everybody(),
        h(
          'div',
          { class: 'row' },
          done ? share : null,
          button(t('dayBefore'), () => open(shiftDate(this.date, -1))),
          this.date < now ? button(t('dayAfter'), () => open(shiftDate(this.date, 1))) : null,
          this.date !== now ? button(t('today'), () => open(now)) : null,
        ),
      ),
    ];
  }
}

