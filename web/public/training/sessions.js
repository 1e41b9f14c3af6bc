// Training: puzzles near the player's rating, streaks without a mistake, mistakes that come back, saved
// puzzles. What each attempt counts for is decided here and written to the log.

/** @import {View} from '../../types/page.d.ts' */
/** @import {App} from '../app/app.js' */
/** @import {Attempt} from '../play/attempt.js' */
/** @import {Host, Kind, Session} from '../play/session.js' */
/** @import {Entry, Outcome, Source} from './log.js' */
/** @import {PuzzleSet, RatedPuzzle} from './puzzle-set.js' */
import { readValidPuzzle } from '../app/puzzle.js';
import { lineWithoutOptimum } from '../play/new-puzzle.js';
import { numberRow } from '../play/panel.js';
import { forgetAttempt } from '../play/records.js';
import { button, fill, h } from '../ui/dom.js';
import { boundedNumber, chips, select } from '../ui/form-fields.js';
import { icon } from '../ui/icons.js';
import { t } from '../words/training.js';
import { currentLanguage } from '../words/words.js';
import { newRating } from './glicko2.js';
import { dueMistakes, isSuccess, lastTried, mistakes, ratingHistory, ratingNow } from './log.js';
import { THEMES, choosePuzzle, loadPuzzles, plainLine } from './puzzle-set.js';
import { addEntry, changeCurrent, loadCurrent, loadTraining, saveTraining } from './store.js';

/** With a greater deviation, a rating is called provisional. */
const PROVISIONAL = 110;
/** How much easier or harder than the player's rating. */
const LEVELS = { easier: -300, normal: 0, harder: 300 };
/** Where a rating begins, by what players say of themselves. */
const STRENGTHS = /** @type {const} */ ([[800, 'beginner'], [1500, 'practised'], [2300, 'experienced']]);
/** The rating of the first puzzle of a streak, and how much harder each next one is. */
const STREAK = { first: 600, step: 75 };
/** Bounds of the range a player may choose. */
const RANGE = { least: 0, most: 6000 };

/** The rating that a streak's next puzzle should have. @param {number} count puzzles in a row */
export const streakRating = (count) => STREAK.first + STREAK.step * count;

/** A session whose attempts are logged. Its subclasses choose the puzzles. @implements {Session} */
class LoggedSession {
  /** @type {Kind} */
  kind = 'training';
  isExact = true;
  showsFewest = true;
  /** Whether it continues with a puzzle that is not decided yet. */
  resumes = true;

  /** @param {App} app @param {'training' | 'training-streak' | 'training-due' | 'training-saved' | 'training-again'} as @param {Source} source @param {string} [line] a puzzle to begin with */
  constructor(app, as, source, line) {
    this.app = app;
    this.as = as;
    this.source = source;
    this.line = line;
    /** @type {PuzzleSet} */
    this.set = new Map();
    /** @type {RatedPuzzle | null} */
    this.puzzle = null;
    /** @type {Attempt | null} */
    this.attempt = null;
    /** Whether the attempt has been logged, or will not be. */
    this.decided = true;
    /** What was logged about the puzzle on the board. @type {Entry | null} */
    this.entry = null;
  }

  title() {
    return t('titleTraining');
  }

  /** The next puzzle; null if there is none. @returns {RatedPuzzle | null} */
  choose() {
    return null;
  }

  /** What is known about a puzzle. @param {string} line @returns {RatedPuzzle} */
  known(line) {
    const { saved, log } = loadTraining();
    const found = this.set.get(line) ?? saved.find((one) => one.line === line) ?? log.findLast((one) => one.line === line);
    return found ?? { line, rating: null, deviation: null, length: null, themes: [] };
  }

  /** Continues with a puzzle that is not decided yet. @param {AbortSignal} signal @returns {Promise<View | null>} */
  async first(signal) {
    if (!(await this.#loadSet())) return null;
    const line = this.line ? plainLine(this.line) : this.resumes ? loadCurrent().open[this.as] : undefined;
    this.line = undefined;
    return line ? this.deal(this.known(line), signal) : this.next(signal);
  }

  /** @param {AbortSignal} signal @returns {Promise<View | null>} */
  async next(signal) {
    this.#skip();
    if (!(await this.#loadSet())) return null;
    const puzzle = this.choose();
    this.#setOpen(puzzle?.line);
    if (puzzle) return this.deal(puzzle, signal, true);
    this.puzzle = null;
    return null;
  }

  /** Fetches the puzzles; false if there is no network and they are not kept. */
  async #loadSet() {
    try {
      this.set = await loadPuzzles();
    } catch {
      this.set = new Map();
    }
    return this.set.size > 0;
  }

  /** @param {RatedPuzzle} puzzle @param {AbortSignal} signal @param {boolean} [anew] whatever was tried before @returns {Promise<View>} */
  async deal(puzzle, signal, anew = false) {
    const view = await readValidPuzzle(this.app, puzzle.length === null ? puzzle.line : `${puzzle.line}.o${puzzle.length}`, signal);
    if (anew) forgetAttempt(lineWithoutOptimum(view));
    this.puzzle = puzzle;
    this.attempt = null;
    this.entry = null;
    this.decided = loadCurrent().open[this.as] !== puzzle.line;
    return view;
  }

  /** @param {string} [line] */
  #setOpen(line) {
    const { [this.as]: _, ...open } = loadCurrent().open;
    changeCurrent({ open: line ? { ...open, [this.as]: line } : open });
  }

  /** Whoever goes on after the first move or a hint has not solved the puzzle. */
  #skip() {
    if (this.decided || !this.attempt?.isBegun) return;
    this.decide('skipped');
    this.app.tell(t('why-skipped'));
  }

  /** @param {Attempt} attempt */
  changed(attempt) {
    this.attempt = attempt;
  }

  /** @param {Attempt} attempt */
  solved(attempt) {
    this.attempt = attempt;
    const length = this.puzzle?.length ?? attempt.optimum;
    if (length === null) return;
    const { hints, analysed, revealed, gaveUp } = attempt;
    this.decide(hints || analysed || revealed || gaveUp ? 'helped' : attempt.moves.length <= length ? 'solved' : 'longer');
  }

  /** @param {Attempt} attempt */
  gaveUp(attempt) {
    this.attempt = attempt;
    this.decide('gave-up');
  }

  /** Logs how the attempt ended; nothing after that counts. @param {Outcome} outcome */
  decide(outcome) {
    const { puzzle, attempt } = this;
    if (this.decided || !puzzle || !attempt) return;
    this.decided = true;
    this.#setOpen();
    const { line, rating, deviation, length, themes } = puzzle;
    const reached = outcome === 'solved' || outcome === 'longer' || outcome === 'helped';
    this.entry = {
      line, rating, deviation, length, themes, at: Date.now(), source: this.source, outcome,
      moves: reached ? attempt.moves.length : null, ms: Math.round(attempt.clock.ms), hints: attempt.hints,
    };
    if (!addEntry(this.entry)) this.app.tell(t('notKept'));
  }

  /** How the rating changed with the puzzle on the board. */
  get change() {
    return this.entry ? ratingHistory(loadTraining()).changes.get(this.entry) : undefined;
  }

  /** What came of the attempt. @returns {string[]} */
  #sentences() {
    const { entry, puzzle, change } = this;
    if (!puzzle) return [];
    if (!entry) return [t('unrated')];
    const mistake = mistakes(loadTraining()).find(({ puzzle: { line } }) => line === puzzle.line);
    return [
      entry.outcome === 'solved' ? '' : t(`why-${entry.outcome}`),
      entry.source === 'training' && !change ? t('unrated') : '',
      mistake ? t('comesBack', { date: dayText(mistake.due) }) : this.as === 'training-due' ? t('madeUp') : '',
      entry.source === 'again' ? t('practice') : '',
    ].filter(Boolean);
  }

  /** The change of the rating in words. */
  #changeSentence() {
    const { change } = this;
    return change ? t('ratingFrom', { from: Math.round(change.before.rating), to: Math.round(change.after.rating), change: changeText(change) }) : '';
  }

  announcement() {
    return [this.#changeSentence(), ...this.#sentences()].join(' ');
  }

  /** Rating, what counted, and themes. @returns {Node[]} */
  outcome() {
    const { puzzle, change } = this;
    if (!puzzle) return [];
    const sentences = this.#sentences();
    return [
      h('section', { class: 'outcome stack', 'aria-label': t('yourRating') },
        change ? h('p', { class: 'rating-change', 'data-good': change.after.rating >= change.before.rating ? 'yes' : 'no' }, this.#changeSentence()) : null,
        sentences.length ? h('p', {}, sentences.join(' ')) : null,
        puzzle.rating === null ? null : h('p', { class: 'soft' }, t('puzzleRating', { n: puzzle.rating })),
        puzzle.themes.length ? h('ul', { class: 'theme-tags', 'aria-label': t('themesHere') }, ...puzzle.themes.map((theme) => h('li', { title: t(`what-${theme}`) }, t(`theme-${theme}`)))) : null),
    ];
  }

  /** @param {Attempt} _attempt */
  result(_attempt) {
    return this.outcome();
  }

  /** Whether there is another puzzle after this one. */
  hasMore() {
    return true;
  }

  get after() {
    return this.hasMore() ? undefined : () => new TrainingSession(this.app);
  }

  get afterName() {
    return t(this.hasMore() ? 'nextInTraining' : 'toTraining');
  }

  emptyText() {
    return this.set.size ? this.noneText() : t('setMissing');
  }

  /** Why there is no puzzle. */
  noneText() {
    return t('noneFits');
  }

  /** @param {Host} host */
  details(host) {
    return [this.#parts(host), ...this.own(host), this.#records(host)];
  }

  /** What the kind of training says about itself. @param {Host} _host @returns {Node[]} */
  own(_host) {
    return [];
  }

  /** @param {Host} host */
  #parts(host) {
    const { app } = this;
    const training = loadTraining();
    const named = (/** @type {string} */ name, /** @type {number} */ n) => (n ? t('partCount', { name, n }) : name);
    /** @type {[string, string, () => Session][]} */
    const parts = [
      ['training', t('partTraining'), () => new TrainingSession(app)],
      ['training-streak', t('partStreak'), () => new StreakSession(app)],
      ['training-due', named(t('partDue'), dueMistakes(training, Date.now()).length), () => new DueSession(app)],
      ['training-saved', named(t('partSaved'), training.saved.length), () => new SavedSession(app)],
    ];
    return h('div', { class: 'segments parts', role: 'group', 'aria-label': t('parts') },
      ...parts.map(([as, name, make]) => button(name, () => host.begin(make()), { 'aria-pressed': String(as === this.as) })));
  }

  /** The themes that puzzles have. */
  themes() {
    const used = new Set([...this.set.values()].flatMap(({ themes }) => themes));
    return THEMES.filter((theme) => used.has(theme));
  }

  /** @param {Host} host */
  #records(host) {
    const open = async () => {
      const { openRecords } = await import('./records.js');
      openRecords(this.app, {
        themes: this.themes(),
        play: (puzzle) => host.begin(new AgainSession(this.app, [puzzle])),
        train: (theme) => {
          changeCurrent({ theme, level: 'normal' });
          const session = new TrainingSession(this.app);
          session.resumes = false;
          host.begin(session);
        },
        changed: () => host.refresh(),
      });
    };
    const made = button('', () => void open().catch((error) => this.app.report(error)), { class: 'wide' });
    fill(made, [icon('calendar'), ' ', t('records')]);
    return made;
  }
}

/** Puzzles near the player's rating. */
export class TrainingSession extends LoggedSession {
  /** @param {App} app @param {string} [line] */
  constructor(app, line) {
    super(app, 'training', 'training', line);
  }

  choose() {
    const training = loadTraining();
    const { level, theme, range } = loadCurrent();
    const tried = lastTried(training);
    // Not the one that is put aside now.
    if (this.puzzle) tried.set(this.puzzle.line, Date.now());
    const wanted = level === 'range' ? { range } : { near: ratingNow(training, Date.now()).rating + LEVELS[level] };
    return choosePuzzle(this.set.values(), { ...wanted, theme: theme || null }, tried);
  }

  /** @param {Host} host */
  own(host) {
    return [this.#rating(host), this.#filter(host), explanation()];
  }

  /** @param {Host} host */
  #rating(host) {
    const training = loadTraining();
    const { rating, deviation } = ratingNow(training, Date.now());
    const isNew = training.log.length === 0 && training.base.until === 0;
    const provisional = deviation > PROVISIONAL;
    const { change } = this;
    const [low, high] = [-2, 2].map((by) => Math.round(rating + by * deviation));
    const begin = (/** @type {number} */ strength) => {
      saveTraining({ ...loadTraining(), base: { ...newRating(strength), until: 0 } });
      changeCurrent({ begun: true });
      this.#offerAnother(host);
    };
    return h('section', { class: 'sheet stack rating-card', 'aria-label': t('yourRating') },
      h('p', { class: 'overline' }, t('yourRating')),
      isNew
        ? h('div', { role: 'group', 'aria-label': t('strength'), class: 'stack' },
            h('p', {}, t('strength')),
            h('div', { class: 'row' }, ...STRENGTHS.map(([value, name]) => button(t(name), () => begin(value), { 'aria-pressed': String(loadCurrent().begun && value === rating) }))))
        : h('p', { class: 'rating-now' }, h('b', { class: 'display' }, Math.round(rating)), provisional ? h('span', { class: 'tag' }, t('provisional')) : null),
      h('p', { class: 'soft' }, isNew ? t('notRated') : t(provisional ? 'betweenProvisional' : 'between', { low, high }), change ? ` ${t('lastChange', { change: changeText(change) })}` : ''));
  }

  /** @param {Host} host */
  #filter(host) {
    const { level, theme, range } = loadCurrent();
    const change = (/** @type {Parameters<typeof changeCurrent>[0]} */ changes) => {
      changeCurrent(changes);
      this.#offerAnother(host);
    };
    const limit = (/** @type {0 | 1} */ at) => boundedNumber(t(at ? 'highest' : 'lowest'), {
      range: RANGE, bounds: t('ratingBounds', RANGE), value: () => loadCurrent().range[at],
      run: (value) => {
        const [low, high] = loadCurrent().range;
        // The other end gives way, so that some puzzles are left.
        if (at) change({ range: [low < value ? low : Math.max(RANGE.least, value - 500), value] });
        else change({ range: [value, high > value ? high : Math.min(RANGE.most, value + 500)] });
      },
    }).element;
    const fitting = [...this.set.values()].filter(({ rating, themes }) => (!theme || themes.includes(theme)) && (level !== 'range' || ((rating ?? 0) >= range[0] && (rating ?? 0) <= range[1]))).length;
    return h('section', { class: 'card filter' },
      chips(t('level'), [['easier', t('easier')], ['normal', t('normal')], ['harder', t('harder')], ['range', t('range')]], level, (one) => change({ level: one })),
      level === 'range' ? h('div', { class: 'range' }, limit(0), limit(1)) : null,
      select(t('theme'), [['', t('anyTheme')], ...this.themes().map((one) => /** @type {const} */ ([one, t(`theme-${one}`)]))], theme, (one) => change({ theme: one })),
      h('p', { class: 'soft' }, theme ? `${t(`what-${theme}`)} ` : '', fitting ? t('fits', { n: fitting }) : t('noneFits')));
  }

  /** Another choice, another puzzle; but one that was begun would count as a mistake. @param {Host} host */
  #offerAnother(host) {
    // After a click the arrow keys are for the robots, not for the next choice.
    const { activeElement } = document;
    if (activeElement instanceof HTMLElement && !activeElement.matches(':focus-visible')) activeElement.blur();
    if (this.decided || !this.attempt?.isBegun) host.next();
    else host.refresh();
  }
}

/** Puzzles that get harder until the first mistake. */
export class StreakSession extends LoggedSession {
  hurried = true;
  hasNoSkip = true;

  /** @param {App} app */
  constructor(app) {
    super(app, 'training-streak', 'streak');
    this.over = false;
    this.isRecord = false;
    /** @type {Host | null} */
    this.host = null;
  }

  title() {
    return t('titleStreak');
  }

  /** @param {AbortSignal} signal @returns {Promise<View | null>} */
  async next(signal) {
    return this.over ? null : super.next(signal);
  }

  choose() {
    return choosePuzzle(this.set.values(), { near: streakRating(loadCurrent().streak) }, lastTried(loadTraining()));
  }

  /** @param {Outcome} outcome */
  decide(outcome) {
    super.decide(outcome);
    if (!this.entry) return;
    const count = loadCurrent().streak + (isSuccess(this.entry) ? 1 : 0);
    this.over = !isSuccess(this.entry);
    changeCurrent({ streak: this.over ? 0 : count });
    this.count = count;
    if (!this.over) return;
    const training = loadTraining();
    this.isRecord = count > training.bestStreak;
    if (this.isRecord) saveTraining({ ...training, bestStreak: count });
    this.app.say(this.#summary());
  }

  /** The next one after a solved one. @param {AbortSignal} signal @returns {Promise<View | null>} */
  follow(signal) {
    return this.next(signal);
  }

  noneText() {
    return '';
  }

  #summary() {
    return t('streakOver', { n: this.count ?? 0 });
  }

  headline() {
    if (this.over) return null;
    const big = (/** @type {string | number} */ text) => h('dd', { class: 'big' }, text);
    const { streak } = loadCurrent();
    const best = Math.max(streak, loadTraining().bestStreak);
    return numberRow([[t('inARow'), big(streak)], [t('fewest'), big(this.puzzle?.length ?? '–')], [t('bestStreak'), big(best || '–')]]);
  }

  /** @param {Host} host */
  own(host) {
    const { entry, puzzle, over, app } = this;
    const best = loadTraining().bestStreak;
    if (!over || !entry || !puzzle) {
      return [h('section', { class: 'card stack' }, h('p', {}, t('streakIntro')), h('div', { class: 'row' }, button(t('streakGiveUp'), () => {
        this.decide('gave-up');
        host.next();
      }, { class: 'small quiet' })))];
    }
    return [
      h('section', { class: 'sheet stack' },
        h('h2', {}, this.#summary()),
        this.isRecord ? h('p', {}, t('streakRecord')) : h('p', { class: 'soft' }, t('bestStreakText', { n: best })),
        entry.moves !== null && puzzle.length !== null ? h('p', {}, t('streakNeeded', { n: entry.moves, m: puzzle.length })) : null,
        h('div', { class: 'row' },
          button(t('streakNew'), () => host.begin(new StreakSession(app)), { class: 'primary' }),
          button(t('streakRetry'), () => host.begin(new AgainSession(app, [puzzle])))),
        ...this.outcome()),
    ];
  }
}

/** Mistakes that are due. */
export class DueSession extends LoggedSession {
  /** @param {App} app @param {string} [line] */
  constructor(app, line) {
    super(app, 'training-due', 'again', line);
  }

  title() {
    return t('titleDue');
  }

  /** Those that are due, without the one on the board. */
  #rest() {
    return dueMistakes(loadTraining(), Date.now()).map(({ puzzle }) => puzzle).filter(({ line }) => line !== this.puzzle?.line);
  }

  choose() {
    const puzzle = this.#rest()[0];
    return puzzle ? this.known(puzzle.line) : null;
  }

  hasMore() {
    return this.#rest().length > 0;
  }

  noneText() {
    return t('dueNone');
  }

  own() {
    const now = Date.now();
    const all = mistakes(loadTraining());
    const due = all.filter((one) => one.due <= now).length;
    const next = all.find((one) => one.due > now);
    return [
      h('section', { class: 'card stack' },
        h('p', {}, due ? t('dueNow', { n: due }) : t('dueNone'), ' ', next ? (due ? t('dueLater', { n: all.length - due }) : t('dueNext', { date: dayText(next.due) })) : ''),
        h('p', { class: 'soft' }, t('dueIntro'))),
    ];
  }
}

/** Saved puzzles, the one that was tried longest ago first. */
export class SavedSession extends LoggedSession {
  /** @param {App} app @param {string} [line] */
  constructor(app, line) {
    super(app, 'training-saved', 'again', line);
  }

  title() {
    return t('titleSaved');
  }

  #rest() {
    const training = loadTraining();
    const tried = lastTried(training);
    const when = (/** @type {RatedPuzzle} */ { line }) => tried.get(line) ?? 0;
    return training.saved.filter(({ line }) => line !== this.puzzle?.line).sort((a, b) => when(a) - when(b));
  }

  choose() {
    return this.#rest()[0] ?? null;
  }

  hasMore() {
    return this.#rest().length > 0;
  }

  noneText() {
    return t('savedNone');
  }

  own() {
    const { saved } = loadTraining();
    return [h('section', { class: 'card stack' }, h('p', {}, saved.length ? t('savedCount', { n: saved.length }) : t('savedNone')), h('p', { class: 'soft' }, t('savedIntro')))];
  }
}

/** Some puzzles once more, one after the other. */
export class AgainSession extends LoggedSession {
  /** @param {App} app @param {RatedPuzzle[]} puzzles @param {string} [line] */
  constructor(app, puzzles, line) {
    super(app, 'training-again', 'again', line);
    this.puzzles = [...puzzles];
    // Chosen deliberately: what was left open before gives way.
    this.resumes = puzzles.length === 0;
  }

  title() {
    return t('titleAgain');
  }

  choose() {
    return this.puzzles.shift() ?? null;
  }

  hasMore() {
    return this.puzzles.length > 0;
  }

  noneText() {
    return t('againDone');
  }

  own() {
    return [h('section', { class: 'card stack' }, h('p', {}, this.puzzles.length ? t('againLeft', { n: this.puzzles.length }) : t('practice')))];
  }
}

/** The session that an address names. @param {App} app @param {string} part what follows `training-` @param {string} line */
export function trainingOf(app, part, line) {
  if (part === 'streak') return new StreakSession(app);
  if (part === 'due') return new DueSession(app, line);
  if (part === 'saved') return new SavedSession(app, line);
  if (part === 'again' && line) return new AgainSession(app, [], line);
  return new TrainingSession(app, line);
}

/** What counts and what ratings mean, folded away. */
const explanation = () => h('details', { class: 'card section' }, h('summary', {}, t('whatCounts')), h('div', { class: 'stack section-body' }, h('p', {}, t('whatCountsText')), h('p', { class: 'soft' }, t('whatRatings'))));

/** @param {import('./log.js').Change} change */
function changeText({ before, after }) {
  const by = Math.round(after.rating) - Math.round(before.rating);
  return by < 0 ? `−${-by}` : `+${by}`;
}

/** A day as people write it. @param {number} at */
export const dayText = (at) => new Intl.DateTimeFormat(currentLanguage() === 'en' ? 'en-GB' : 'de', { dateStyle: 'medium' }).format(at);
