// Home: the puzzle of the day on the board, what came of it, the days before it, and the ways to
// everything else. The first move on the board begins the puzzle.

/** @import {Binding, DaySummary, Mode, View} from '../../types/page.d.ts' */
/** @import {App} from '../app/app.js' */
/** @import {IconName} from '../ui/icons.js' */
import { dayLink } from '../app/links.js';
import { formatRoute } from '../app/route.js';
import { goalPiece } from '../board/pieces.js';
import { LETTERS, replay } from '../board/rules.js';
import { s } from '../board/svg.js';
import { EngineError } from '../engine/errors.js';
import { clockText } from '../play/clock.js';
import { lineWithoutOptimum } from '../play/new-puzzle.js';
import { dayNumber, loadAttempt, loadDays, loadStreak, loadUnfinished, saveDailyLine, shiftDate, streakNow, today, tomorrow, weekdayOf } from '../play/records.js';
import { distribution, stars } from '../play/result.js';
import { dailyTitle, dateText } from '../play/session.js';
import { resultText, shareText } from '../play/share-result.js';
import { daySummary } from '../play/sharing.js';
import { goalSentence } from '../speech/sentences.js';
import { dueMistakes } from '../training/log.js';
import { loadTraining } from '../training/store.js';
import { button, fill, h, loadStyle } from '../ui/dom.js';
import { icon } from '../ui/icons.js';
import { t } from '../words/home.js';
import { t as tPage } from '../words/page.js';
import { t as tPlay } from '../words/play.js';
import { currentLanguage } from '../words/words.js';
import { firstRunOffer } from './offer.js';

/** Weeks of the calendar. */
const WEEKS = 4;

/** Where one can go from here. @type {readonly (readonly ['learn' | 'random' | 'training' | 'storm' | 'game' | 'rooms' | 'table' | 'read', IconName, string])[]} */
const PLACES = [
  ['learn', 'learn', '#learn'],
  ['random', 'dice', '#play'],
  ['training', 'target', '#play&as=training'],
  ['storm', 'bolt', '#play&as=storm'],
  ['game', 'flag', '#play&as=game'],
  ['rooms', 'room', '#room'],
  ['table', 'home', '#room&as=table'],
  ['read', 'read', '#read'],
];

/** @implements {Mode} */
class Home {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.leaving = new AbortController();
    this.date = today();
    /** @type {View | null} */
    this.view = null;
    this.styles = Promise.all([loadStyle('play'), loadStyle('home')]);
    this.today = h('section', { class: 'sheet today' });
    this.others = h('div');
    this.calendar = h('section', { class: 'card calendar', 'aria-label': t('calendar') });
    /** How many pages of the calendar lie between what it shows and today. */
    this.page = 0;
    this.countdown = h('b', { class: 'countdown' });
    this.timer = window.setInterval(() => this.#tick(), 1000);
    app.setUnder([]);
    app.board.on('move', ({ robot, direction }) => void this.#begin(robot, direction), this.leaving.signal);
  }

  async open() {
    const { app } = this;
    await this.styles;
    this.#write();
    this.#tick();
    try {
      const { puzzle } = await app.engine.ask('daily', { date: this.date }, { signal: this.leaving.signal });
      this.view = puzzle;
      saveDailyLine(this.date, lineWithoutOptimum(puzzle));
      app.board.show(puzzle);
      this.#writeBoard(puzzle);
      this.#write();
    } catch (error) {
      if (error instanceof EngineError) app.tell(await app.errorText(error));
      else app.report(error);
    }
  }

  close() {
    clearInterval(this.timer);
    delete this.app.board.host.dataset.solved;
    this.leaving.abort();
  }

  /** @returns {Binding[]} */
  keys() {
    return [{ key: 'Enter', does: t('keyPlay'), run: () => void this.#begin() }];
  }

  /** Plays today's puzzle, beginning with a move made here. @param {number} [robot] @param {import('../../types/page.d.ts').Direction} [direction] */
  async #begin(robot, direction) {
    const { app, date } = this;
    const { board } = app;
    await app.go({ mode: 'play', line: '', moves: [], more: { as: `daily-${date}` } });
    if (robot !== undefined && direction) board.requestMove(robot, direction);
  }

  /** The start of the puzzle, or how it was solved. @param {View} puzzle */
  #writeBoard(puzzle) {
    const { board } = this.app;
    const solution = replay(puzzle, loadDays()[this.date]?.path ?? []);
    board.host.dataset.solved = solution.solved ? 'yes' : 'no';
    board.input = solution.solved ? 'none' : 'slides';
    if (solution.solved) board.place(solution.robots);
    board.setTrails(solution.solved ? solution.steps : []);
    board.select(puzzle.goal.robot && !solution.solved ? LETTERS.indexOf(puzzle.goal.robot) : null);
  }

  #write() {
    const { app, view } = this;
    this.#writeToday();
    const unfinished = loadUnfinished();
    const due = dueMistakes(loadTraining(), Date.now()).length;
    fill(app.panel, [
      firstRunOffer(),
      this.today,
      unfinished && h('a', { class: 'button resume', href: formatRoute({ mode: 'play', line: unfinished.line, moves: unfinished.moves, more: {} }) }, t('resume', { n: unfinished.moves.length })),
      h('nav', { class: 'places', 'aria-label': t('places') }, ...PLACES.map(([name, picture, href]) =>
        h('a', { href, title: t(`${name}What`) }, icon(picture), h('b', {}, name === 'training' && due ? t('trainingDue', { n: due }) : t(name))))),
      this.calendar,
    ]);
    this.#writeCalendar();
    if (view) app.say('');
  }

  #writeToday() {
    const { date, view } = this;
    const number = dayNumber(date);
    const level = weekdayOf(date);
    const day = loadDays()[date];
    const kept = view ? loadAttempt(lineWithoutOptimum(view)) : {};
    const begun = (kept.ms ?? 0) > 0 || (kept.hints ?? 0) > 0;
    const href = `#play&as=daily-${date}`;
    const solved = day?.moves != null;
    const weekday = new Intl.DateTimeFormat(currentLanguage() === 'en' ? 'en-GB' : 'de', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' }).format(new Date(`${date}T12:00:00Z`));
    const at = new Intl.DateTimeFormat(currentLanguage() === 'en' ? 'en-GB' : 'de', { hour: '2-digit', minute: '2-digit' }).format(tomorrow());
    const next = h('p', { class: 'soft' }, t('nextIn'), ' ', this.countdown, ' ', h('span', { class: 'small-text' }, t('nextAt', { time: at })));
    /** @type {(Node | null | false)[]} */
    const state = solved
      ? [
          h('div', { class: 'today-result' }, day.stars === null ? null : stars(day.stars), h('p', { class: 'big' }, `${tPlay('movesCount', { n: day.moves ?? 0 })} · ${clockText(day.ms)}`)),
          this.others,
          h('div', { class: 'row' }, h('a', { class: 'button primary', href: '#play' }, tPlay('anotherPuzzle')), this.#shareButton(day), h('a', { class: 'button quiet', href }, t('lookAgain'))),
          next,
        ]
      : [
          day || !view ? h('p', {}, day ? tPlay('gaveUpToday') : t('intro')) : h('div', { class: 'goal-row' }, goalPicture(view), h('p', {}, goalSentence(view))),
          h('a', { class: `button large ${day ? '' : 'primary'}`, href }, t(day ? 'lookAgain' : begun ? 'continue' : 'play')),
          next,
        ];
    fill(this.today, [
      h('p', { class: 'overline' }, number === null ? t('daily') : t('dailyNumber', { n: number })),
      h('h2', { class: 'display' }, weekday),
      h('p', { class: 'level' }, pips(level), h('span', {}, tPlay(`level${level}`))),
      ...state,
    ]);
    if (solved) void this.#askOthers(day.moves ?? 0, day.ms);
  }

  /** @param {import('../play/records.js').DayRecord} day */
  #shareButton(day) {
    const { app, date } = this;
    const share = button('', () => void shareText(app, resultText(`${tPage('title')} · ${dailyTitle(date)}`, day), dayLink(date)));
    fill(share, [icon('share'), ' ', tPlay('shareResult')]);
    return share;
  }

  /** @param {number} moves @param {number} ms */
  async #askOthers(moves, ms) {
    /** @type {DaySummary | null} */
    const day = await daySummary(this.app, this.date);
    if (day?.players) fill(this.others, [distribution(day, moves, ms)]);
  }

  /** Shows other weeks of the calendar. @param {number} by pages */
  #turn(by) {
    this.page += by;
    this.#writeCalendar();
    const turned = this.calendar.querySelector(`[data-turn="${by}"]:not(:disabled)`) ?? this.calendar.querySelector('[data-turn]:not(:disabled)');
    if (turned instanceof HTMLElement) turned.focus({ preventScroll: true });
  }

  /** Weeks, Monday to Sunday, and what came of each day. */
  #writeCalendar() {
    const { date, page } = this;
    const days = loadDays();
    const streak = loadStreak();
    const first = shiftDate(date, 1 - weekdayOf(date) - 7 * (WEEKS * (page + 1) - 1));
    const last = shiftDate(first, 7 * WEEKS - 1);
    const oldest = Object.keys(days).sort()[0] ?? date;
    const names = Array.from({ length: 7 }, (_, i) => new Intl.DateTimeFormat(currentLanguage(), { weekday: 'narrow', timeZone: 'UTC' }).format(new Date(`${shiftDate(first, i)}T12:00:00Z`)));
    const cells = Array.from({ length: 7 * WEEKS }, (_, i) => {
      const one = shiftDate(first, i);
      const number = String(Number(one.slice(8)));
      if (one > date) return h('span', { class: 'day', 'data-state': 'later', 'aria-hidden': 'true' }, number);
      const day = days[one];
      const state = day ? (day.moves === null ? 'lost' : day.stars === 3 ? 'best' : 'solved') : 'open';
      return h('a', { class: 'day', href: `#play&as=daily-${one}`, 'data-state': state, 'aria-current': one === date ? 'date' : undefined, 'aria-label': `${dateText(one)}: ${t(`day-${state}`)}` }, number);
    });
    const now = streakNow(streak, date);
    const solved = Object.values(days).filter(({ moves }) => moves !== null);
    const best = solved.filter(({ stars: count }) => count === 3).length;
    const month = (/** @type {string} */ day) => new Intl.DateTimeFormat(currentLanguage() === 'en' ? 'en-GB' : 'de', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(new Date(`${day}T12:00:00Z`));
    const turn = (/** @type {1 | -1} */ by, /** @type {boolean} */ can) => {
      const made = button('', () => this.#turn(by), { class: 'small quiet', 'aria-label': t(by > 0 ? 'earlier' : 'later'), 'data-turn': by, disabled: !can });
      fill(made, [icon(by > 0 ? 'previous' : 'next')]);
      return made;
    };
    fill(this.calendar, [
      h('div', { class: 'spread' },
        h('h3', {}, t('calendar')),
        h('p', { class: 'soft small-text' }, now ? t('streak', { n: now, m: streak.longest }) : streak.longest ? t('longest', { n: streak.longest }) : '')),
      h('div', { class: 'days' }, ...names.map((name) => h('span', { class: 'day-name', 'aria-hidden': 'true' }, name)), ...cells),
      h('div', { class: 'spread calendar-foot' },
        turn(1, oldest < first),
        h('p', { class: 'soft small-text', role: page ? 'status' : undefined }, page ? `${month(first)} – ${month(last)}` : solved.length ? t('history', { n: solved.length, m: best }) : ''),
        turn(-1, page > 0)),
    ]);
  }

  #tick() {
    if (today() !== this.date) {
      this.date = today();
      void this.open();
      return;
    }
    const text = clockText(tomorrow().getTime() - Date.now());
    if (this.countdown.textContent !== text) this.countdown.textContent = text;
  }
}

/** The goal as it is on the board. @param {View} view */
function goalPicture(view) {
  const piece = goalPiece(view);
  piece.removeAttribute('transform');
  return s('svg', { class: 'goal-picture', viewBox: '-50 -50 100 100', 'aria-hidden': 'true' }, piece);
}

/** How hard it is, as seven pips. @param {number} level */
function pips(level) {
  const row = h('span', { class: 'pips', 'aria-hidden': 'true' });
  for (let n = 1; n <= 7; n += 1) row.append(h('i', { 'data-on': n <= level ? 'yes' : 'no' }));
  return row;
}

/** @param {App} app @returns {Mode} */
export const start = (app) => new Home(app);
