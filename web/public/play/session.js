// What is played: single puzzles and the daily puzzle. The full game, the storm and training have their own
// files.

/** @import {DaySummary, RequestOf, View} from '../../types/page.d.ts' */
/** @import {App} from '../app/app.js' */
/** @import {Attempt} from './attempt.js' */
/** @import {RatedPuzzle} from '../training/puzzle-set.js' */
/** @import {PuzzleFilter} from './new-puzzle.js' */
import { readValidPuzzle } from '../app/puzzle.js';
import { button, fill, h } from '../ui/dom.js';
import { checkbox, chips } from '../ui/form-fields.js';
import { icon } from '../ui/icons.js';
import { changeSettings, settings } from '../ui/settings.js';
import { t } from '../words/play.js';
import { currentLanguage } from '../words/words.js';
import { lineWithoutOptimum, loadFilter, requestsAhead, saveFilter } from './new-puzzle.js';
import { dayNumber, extendStreak, loadStreak, saveDailyLine, saveDay, saveStreak, shiftDate, streakNow, today, weekdayOf } from './records.js';
import { distribution } from './result.js';
import { daySummary, shareResult } from './sharing.js';
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
 * @property {(attempt: Attempt) => void} [gaveUp]
 * @property {(attempt: Attempt) => void} [changed] after each move
 * @property {(host: Host) => Node[]} details
 * @property {(attempt: Attempt) => string | null} [refuse] why there is no next one yet
 * @property {() => Node | null} [headline] numbers in place of the attempt's
 * @property {boolean} [over] whether nothing more can be played
 * @property {(attempt: Attempt) => (Node | null)[]} [result] what it adds to the sheet about a solved puzzle
 * @property {() => Node[]} [outcome] what it adds to the solution after the player gave up
 * @property {() => string} [announcement] what it adds for screen readers after a solution
 * @property {(signal: AbortSignal) => Promise<View | null>} [follow] what comes at once after a solved puzzle
 * @property {() => string} [emptyText] why there is nothing to play
 * @property {RatedPuzzle | null} [puzzle] what is known about the puzzle on the board
 * @property {boolean} [showsFewest] whether the fewest moves are shown from the start
 * @property {boolean} [hasNoSkip] whether the next puzzle comes only after this one
 * @property {() => string} [title] what is played, for the title of the window and of a shared result
 * @property {() => Session} [after] what is played after this one, if not its next puzzle
 * @property {string} [afterName] what that is called
 * @property {boolean} [isExact] whether the optimum of its puzzles comes from the engine
 * @property {boolean} [isEvent] whether its result is one to share
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
  title = () => t('puzzle');
  /** Whether the next puzzle is to be another kind than the one on the board. */
  isChanged = false;

  /** @param {AbortSignal} signal */
  async next(signal) {
    this.isChanged = false;
    return super.next(signal);
  }

  /** @param {Host} host */
  details(host) {
    return filterForm(host, this);
  }
}

/** @param {Host} host @param {PuzzleSession} session */
function filterForm(host, session) {
  const filter = loadFilter();
  const change = (/** @type {Partial<PuzzleFilter>} */ changes) => {
    Object.assign(filter, changes);
    saveFilter(filter);
    session.prepare();
    session.isChanged = true;
    make.hidden = false;
    if ('board' in changes) host.refresh();
  };
  // Without a change, the tools below the board offer the next puzzle.
  const make = h('p', { class: 'row make', hidden: !session.isChanged }, button(t('make'), () => host.next()));
  /** @type {HTMLElement[]} */
  const fields = [
    chips(t('difficulty'), [['easy', t('easy')], ['medium', t('medium')], ['hard', t('hard')], ['expert', t('expert')], ['any', t('anyDifficulty')]], filter.difficulty, (difficulty) => change({ difficulty })),
    chips(t('board'), [['1999', t('ed1999')], ['2003', t('ed2003')], ['2013', t('ed2013')], ['layout', t('layout')], ['random', t('random')]], filter.board, (board) => change({ board })),
  ];
  if (filter.board === 'layout') {
    const input = h('input', { value: filter.layout, spellcheck: false, onchange: () => change({ layout: input.value.trim() }) });
    fields.push(h('label', { class: 'field' }, h('span', {}, t('layoutSides')), input));
  }
  if (filter.board === 'random') {
    const sizes = [6, 8, 10, 12, 14, 16, 20, 24, 32].map((n) => /** @type {const} */ ([String(n), `${n} × ${n}`]));
    fields.push(chips(t('size'), sizes, String(filter.size), (size) => change({ size: Number(size) })));
  }
  const counts = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => /** @type {const} */ ([String(n), String(n)]));
  fields.push(chips(t('robots'), counts, String(filter.robots), (robots) => change({ robots: Number(robots) })));
  return [
    h('section', { class: 'card filter' }, h('h3', {}, t('filter')), ...fields, make),
  ];
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
    this.isExact = true;
    this.isEvent = true;
    /** @type {DaySummary | null} */
    this.day = null;
    /** Where the sheet shows how everybody did. */
    this.others = h('div');
    /** @type {Host | null} */
    this.host = null;
  }

  /** @param {AbortSignal} signal @returns {Promise<View>} */
  async first(signal) {
    const day = await this.app.engine.ask('daily', { date: this.date }, { signal });
    if (this.date === today()) saveDailyLine(this.date, lineWithoutOptimum(day.puzzle));
    return day.puzzle;
  }

  /** After the puzzle of today any puzzle, after an older one today's. */
  after() {
    return this.date === today() ? new PuzzleSession(this.app) : new DailySession(this.app, today());
  }

  get afterName() {
    return t(this.date === today() ? 'anotherPuzzle' : 'todaysPuzzle');
  }

  /** There is one puzzle each day. @param {AbortSignal} signal */
  next(signal) {
    return this.first(signal);
  }

  /** @param {Attempt} attempt */
  solved(attempt) {
    if (attempt.gaveUp || attempt.revealed) return;
    if (!attempt.analysed) saveStreak(extendStreak(loadStreak(), this.date, today()));
    saveDay(this.date, { moves: attempt.moves.length, stars: attempt.stars, ms: Math.round(attempt.clock.ms), hints: attempt.hints, analysed: attempt.analysed, path: attempt.moves });
    void this.#askOthers(attempt);
  }

  /** @param {Attempt} attempt */
  gaveUp(attempt) {
    saveDay(this.date, { moves: null, stars: null, ms: Math.round(attempt.clock.ms), hints: attempt.hints });
  }

  /** Shares the result if the player has agreed, and asks how everybody did. @param {Attempt} attempt */
  async #askOthers(attempt) {
    this.day = (await shareResult(this.app, this.date, attempt)) ?? (await daySummary(this.app, this.date));
    this.#writeOthers(attempt);
  }

  /** @param {Attempt} attempt */
  #writeOthers(attempt) {
    if (!this.app.connection.hasServer) return;
    const agree = checkbox(t('shareConsent'), false, (share) => {
      changeSettings({ share });
      void this.#askOthers(attempt);
    });
    fill(this.others, [
      this.day?.players ? distribution(this.day, attempt.moves.length, attempt.clock.ms) : null,
      settings.share || attempt.analysed ? null : agree,
    ]);
  }

  /** @param {Attempt} attempt */
  result(attempt) {
    const streak = loadStreak();
    const days = streakNow(streak, today());
    if (!this.day) void daySummary(this.app, this.date).then((day) => {
      this.day ??= day;
      this.#writeOthers(attempt);
    });
    else this.#writeOthers(attempt);
    return [
      this.others,
      this.date === today() ? h('p', {}, t('streak', { n: days, m: streak.longest })) : null,
    ];
  }

  title() {
    return dailyTitle(this.date);
  }

  /** @param {Host} host */
  details(host) {
    this.host = host;
    const streak = loadStreak();
    const now = today();
    const days = streakNow(streak, now);
    const attempt = host.attempt();
    const gaveUp = attempt !== null && attempt.gaveUp && attempt.best === null;
    const number = dayNumber(this.date);
    const open = (/** @type {string} */ date) => host.begin(new DailySession(this.app, date));
    const step = (/** @type {'dayBefore' | 'dayAfter'} */ name, /** @type {number} */ by) => {
      const made = button('', () => open(shiftDate(this.date, by)), { class: 'small quiet' });
      fill(made, by < 0 ? [icon('previous'), ' ', t(name)] : [t(name), ' ', icon('next')]);
      return made;
    };
    return [
      h(
        'section',
        { class: 'card stack daily-card' },
        h('p', { class: 'overline' }, number === null ? t('daily') : t('dailyOverline', { n: number, level: t(`level${weekdayOf(this.date)}`) })),
        h('h3', {}, t('dailyOf', { date: dateText(this.date) })),
        h('p', { class: 'soft' }, gaveUp ? t(this.date === now ? 'gaveUpToday' : 'gaveUpDay') : this.date !== now || attempt?.solved ? '' : days ? t('streak', { n: days, m: streak.longest }) : t('noStreak')),
        h(
          'div',
          { class: 'row' },
          step('dayBefore', -1),
          this.date < now ? step('dayAfter', 1) : null,
          this.date !== now ? button(t('today'), () => open(now), { class: 'small' }) : null,
        ),
      ),
    ];
  }
}

/** What a daily puzzle is called. @param {string} date */
export function dailyTitle(date) {
  const number = dayNumber(date);
  return number === null ? t('dailyOf', { date: dateText(date) }) : t('dailyNumber', { n: number, date: dateText(date) });
}

/** A day as people write it. @param {string} date */
export const dateText = (date) => new Intl.DateTimeFormat(currentLanguage() === 'en' ? 'en-GB' : 'de', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${date}T12:00:00Z`));
