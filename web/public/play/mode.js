// Play: one puzzle at a time, whatever it comes from.

/** @import {Binding, Direction, Mode, Move, Route, View} from '../../types/page.d.ts' */
/** @import {App} from '../app/app.js' */
/** @import {Kind, Session} from './session.js' */
import { linkTo } from '../app/links.js';
import { clearUnreadable, showUnreadable } from '../app/puzzle.js';
import { LETTERS, isMove, replay } from '../board/rules.js';
import { EngineError, isAbort } from '../engine/errors.js';
import { goalSentence, slideSentence } from '../speech/sentences.js';
import { askPlayer } from '../ui/dialogs.js';
import { button, h, loadStyle } from '../ui/dom.js';
import { shareOrSave } from '../ui/files.js';
import { moveChips } from '../ui/move-chip.js';
import { isMotionOn, settings } from '../ui/settings.js';
import { trainingOf, TrainingSession } from '../training/sessions.js';
import { plainLine, ratePuzzle } from '../training/puzzle-set.js';
import { isSaved, savePuzzle, unsavePuzzle } from '../training/store.js';
import { playSound } from '../ui/sound.js';
import { t as tPage } from '../words/page.js';
import { t } from '../words/play.js';
import { t as tTraining } from '../words/training.js';
import { Attempt } from './attempt.js';
import { GameSession } from './full-game.js';
import { showSolution, takeHint } from './hints.js';
import { lineWithoutOptimum } from './new-puzzle.js';
import { PlayPanel } from './panel.js';
import { isDay, loadAttempt, loadUnfinished, saveAttempt, saveUnfinished, today } from './records.js';
import { resultSheet, solutionSheet } from './result.js';
import { DailySession, PuzzleSession } from './session.js';
import { resultPicture, resultText, shareText } from './share-result.js';
import { endFirstAttempt, shareFirstAttempt } from './sharing.js';
import { StormSession } from './storm.js';

/** Time limit of the search for the optimum. */
const OPTIMUM_MS = 20_000;

/** @param {App} app @returns {Mode} */
export function start(app) {
  return new Play(app);
}

/** @implements {Mode} */
export class Play {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.leaving = new AbortController();
    /** Cancels what belongs to the puzzle on the board. */
    this.puzzleEnds = new AbortController();
    /** @type {Session} */
    this.session = new PuzzleSession(app);
    /** @type {Attempt | null} */
    this.attempt = null;
    /** Puts the sheet with the solution away. */
    this.foldSolution = () => {};
    this.panel = new PlayPanel({
      kind: (kind) => this.#switchKind(kind),
      undo: () => this.undo(),
      redo: () => this.redo(),
      reset: () => this.reset(),
      hint: () => this.hint(),
      solve: () => this.solve(),
      next: () => this.next(),
      analyse: () => this.analyse(),
      // The moves would be the solution.
      copyLink: () => app.copy(linkTo(app.route)),
      save: () => void this.#save(),
    });
    void loadStyle('play');
    app.setUnder(this.panel.tools);
    app.panel.replaceChildren(...this.panel.content);
    const { signal } = this.leaving;
    app.board.on('move', ({ robot, direction }) => this.move(robot, direction), signal);
    // A tab may be closed without warning.
    window.addEventListener('pagehide', () => this.#keep(), { signal });
    app.board.on('step', ({ by }, event) => this.#step(by, event), signal);
    // The clock starts when the player does something, not while the page is loading.
    app.board.on('select', () => this.#touch(), signal);
    app.board.on('focus', () => this.#touch(), signal);
    app.board.host.addEventListener('pointerdown', () => this.#touch(), { signal });
    this.timer = window.setInterval(() => this.panel.tick(this.attempt), 250);
  }

  /** @param {Route} route */
  async open(route) {
    const left = route.line || route.more.as ? null : loadUnfinished();
    const wanted = left ? { ...route, ...left } : route;
    await this.begin(this.#sessionOf(wanted), { moves: wanted.moves, push: false });
  }

  /** @param {Route} route @returns {Session} */
  #sessionOf({ line, more }) {
    const { app } = this;
    const [kind, ...rest] = (more.as ?? '').split('-');
    const detail = rest.join('-');
    if (kind === 'daily' && isDay(detail) && detail <= today()) return new DailySession(app, detail);
    if (kind === 'daily') return new DailySession(app, today());
    if (kind === 'training') return trainingOf(app, detail, line);
    if (kind === 'storm') return new StormSession(app);
    if (kind === 'game') {
      const game = new GameSession(app);
      if (!line || (game.saved && lineWithoutOptimum(game.saved.view) === line)) return game;
    }
    return new PuzzleSession(app, line);
  }

  /** @param {Kind} kind */
  async #switchKind(kind) {
    const { session } = this;
    const other = kind === 'puzzle' || (kind === 'training' && session.as !== kind) || (session instanceof DailySession && session.date !== today());
    if (kind === session.kind && !other) return;
    if (!(await this.#mayLeave())) return;
    const { app } = this;
    const sessions = {
      puzzle: () => new PuzzleSession(app),
      daily: () => new DailySession(app, today()),
      training: () => new TrainingSession(app),
      game: () => new GameSession(app),
      storm: () => new StormSession(app),
    };
    await this.begin(sessions[kind]());
  }

  async #mayLeave() {
    const loss = this.guard();
    if (!loss) return true;
    return (await askPlayer(tPage('leaveTitle'), loss, [['stay', tPage('stay')], ['leave', tPage('leave')]])) === 'leave';
  }

  /** Plays something else. @param {Session} session @param {{moves?: Move[], push?: boolean}} [options] */
  async begin(session, { moves = [], push = true } = {}) {
    this.#putAway();
    if (session !== this.session) this.session.close?.();
    this.session = session;
    this.panel.setKind(session);
    this.app.setTitle(session.title?.() ?? t(session.kind));
    await this.#load((signal) => session.first(signal), { moves: moves.length || !(session instanceof GameSession) ? moves : session.moves, push });
  }

  /** @param {(signal: AbortSignal) => Promise<View | null>} source @param {{moves?: Move[], push?: boolean}} options */
  async #load(source, { moves = [], push = true }) {
    this.puzzleEnds.abort();
    this.puzzleEnds = new AbortController();
    const { signal } = this.puzzleEnds;
    const { app, session } = this;
    this.panel.setMessage([t('making')]);
    try {
      const view = await source(signal);
      if (signal.aborted) return;
      if (view && view === this.attempt?.view) this.panel.setMessage([]);
      else if (view) this.#show(view, moves, push);
      else this.#showNothing();
    } catch (error) {
      if (isAbort(error)) return;
      if (error instanceof EngineError) {
        const text = tPage('wentWrong', { message: await app.errorText(error) });
        if (!this.attempt) {
          this.panel.setGoal(null);
          this.panel.update(null);
          this.panel.setMessage([]);
          showUnreadable(app, text);
        } else {
          this.panel.setMessage([h('p', { class: 'message' }, text)]);
          app.say(text, this.panel.message);
        }
      } else app.report(error);
    }
    if (session === this.session) this.#details();
  }

  /** @param {View} view @param {Move[]} moves @param {boolean} push */
  #show(view, moves, push) {
    const { app, session } = this;
    const line = lineWithoutOptimum(view);
    const played = replay(view, moves);
    const good = moves.slice(0, played.steps.length);
    const attempt = new Attempt(view, good, loadAttempt(line));
    this.attempt = attempt;
    this.foldSolution = () => {};
    // A puzzle of a storm is played against its clock, and one that was finished before is known.
    if (session.hurried || attempt.solved || attempt.gaveUp || attempt.analysed || attempt.best !== null) endFirstAttempt(line);
    app.board.input = 'slides';
    clearUnreadable(app);
    app.board.show(view);
    app.board.place(attempt.robots);
    if (push) app.board.host.scrollIntoView({ block: 'nearest' });
    app.board.select(view.goal.robot && !attempt.solved ? LETTERS.indexOf(view.goal.robot) : null);
    app.setAddress({ line, moves: good, more: session.as ? { as: session.as } : {} }, { push });
    this.panel.setGoal(view);
    this.panel.setSaved(isSaved(plainLine(view.line ?? '')));
    this.panel.setResult(null);
    this.panel.setMessage([]);
    app.say(goalSentence(view));
    if (played.failed) app.tell(tPage('badMove', { n: played.failed.number + 1, move: played.failed.move }));
    if (session.hurried) attempt.clock.start();
    if (session.hurried || session.isExact) attempt.optimum = view.optimal ?? null;
    this.#changed();
    if (!session.hurried && attempt.optimum === null) void this.#findOptimum(attempt, line);
    if (attempt.solved) this.#sayVerdict();
  }

  /** There is nothing to play: before and after a storm, or no puzzle was found. */
  #showNothing() {
    this.attempt = null;
    this.panel.setGoal(null);
    this.panel.setResult(null);
    const why = this.session.kind === 'storm' ? '' : this.session.emptyText?.() ?? t('notFound');
    this.panel.setMessage(why ? [why] : []);
    this.panel.update(null);
    if (!this.app.board.view && this.session.kind === 'storm') this.app.board.host.dataset.message = t('stormBoard');
    this.app.board.input = 'none';
    this.app.board.select(null);
    if (this.session.as) this.app.setAddress({ line: '', moves: [], more: { as: this.session.as } }, { push: true });
  }

  /** @param {Attempt} attempt @param {string} line */
  async #findOptimum(attempt, line) {
    try {
      const answer = await this.app.engine.ask('solve', { puzzle: line, limits: { ms: OPTIMUM_MS } }, { signal: this.puzzleEnds.signal });
      if (answer.outcome === 'solved' && answer.optimal !== false) attempt.optimum = answer.length ?? null;
      attempt.atLeast = answer.lower_bound ?? null;
      if (answer.outcome === 'unsolvable') this.panel.setMessage([t('unsolvable')]);
      if (attempt === this.attempt) {
        this.panel.update(attempt);
        if (attempt.solved && !attempt.gaveUp) this.#sayVerdict();
        this.#details();
      }
    } catch (error) {
      this.app.report(error);
    }
  }

  /** @param {number} robot @param {Direction} direction */
  move(robot, direction) {
    const { attempt, app, session } = this;
    if (!attempt || app.board.input !== 'slides') return;
    if (attempt.solved) {
      app.tell(t('alreadySolved'));
      return;
    }
    this.#touch();
    const slide = attempt.slideOf(robot, direction);
    if (!isMove(slide)) {
      app.tell(slideSentence(slide));
      playSound('bump');
      return;
    }
    app.say(slideSentence(slide));
    if (app.board.selected !== robot) app.board.select(robot);
    const solved = attempt.play(slide);
    const moves = attempt.moves.length;
    playSound(solved ? 'solved' : 'slide');
    void app.board.slide(slide).then(() => {
      if (this.attempt === attempt && attempt.moves.length === moves) this.#trails();
    });
    app.board.setRings([], 'hint');
    app.board.setArrows([]);
    if (solved) {
      app.board.select(null);
      session.solved?.(attempt);
      this.#keep();
      this.#endFirst(attempt);
    }
    this.#changed(false);
    if (solved && session.follow) void this.#load((signal) => session.follow?.(signal) ?? Promise.resolve(null), {});
    else if (solved) {
      this.#sayVerdict();
      this.#details();
    }
  }

  undo() {
    this.#walk(this.attempt?.undo() ?? false);
  }

  reset() {
    this.#walk(this.attempt?.reset() ?? false);
  }

  /** @param {boolean} changed */
  #walk(changed) {
    const { attempt, app } = this;
    if (!attempt) return;
    if (!changed) {
      app.say(t('atStart'));
      return;
    }
    app.board.place(attempt.robots, true);
    this.#afterWalk();
    app.say(attempt.moves.length ? t('undone', { n: attempt.moves.length }) : t('atStart'));
  }

  redo() {
    const { attempt, app } = this;
    const slide = attempt?.redo();
    if (!slide) {
      app.tell(t('nothingToRedo'));
      return;
    }
    void app.board.slide(slide);
    app.say(slideSentence(slide));
    this.#afterWalk();
  }

  #afterWalk() {
    this.app.board.setRings([], 'hint');
    this.app.board.setArrows([]);
    if (this.attempt?.gaveUp) this.foldSolution();
    else {
      this.panel.setResult(null);
      this.panel.setMessage([]);
    }
    this.#changed();
    if (this.attempt?.solved && !this.attempt.gaveUp) this.#sayVerdict();
  }

  /** The wheel steps through the moves. @param {1 | -1} by @param {Event} event */
  #step(by, event) {
    const { attempt } = this;
    if (!attempt || this.session.hurried || !(by < 0 ? attempt.moves : attempt.undone).length) return;
    event.preventDefault();
    if (by < 0) this.undo();
    else this.redo();
  }

  hint() {
    const { attempt, app } = this;
    if (attempt && !attempt.solved && !attempt.gaveUp && !this.session.hurried) {
      this.#touch();
      void takeHint(app, this.panel, attempt, this.puzzleEnds.signal);
    }
  }

  async solve() {
    const { attempt, app } = this;
    if (!attempt || attempt.gaveUp || this.session.hurried) return;
    if (attempt.best === null) {
      const answer = await askPlayer(t('giveUpTitle'), t('giveUpText'), [['try', t('keepTrying')], ['show', t('giveUp')]]);
      if (answer !== 'show' || attempt !== this.attempt) return;
    }
    const own = attempt.moves;
    const shown = await showSolution(app, this.panel, attempt, this.puzzleEnds.signal);
    if (attempt !== this.attempt) return;
    if (shown) {
      this.#endFirst(attempt, own);
      this.session.gaveUp?.(attempt);
      this.#keep();
      this.#sayShown(shown);
    }
    this.#changed();
    this.#details();
  }

  async next() {
    const { session, attempt } = this;
    const refusal = attempt && session.refuse?.(attempt);
    if (refusal) {
      this.panel.setMessage([refusal]);
      this.app.say(refusal, this.panel.message);
      return;
    }
    if (session.after) {
      await this.begin(session.after());
      return;
    }
    // Whoever goes on after the first move or a hint has not solved the puzzle.
    if (attempt && !attempt.solved && attempt.isBegun) this.#endFirst(attempt);
    this.#putAway();
    await this.#load((signal) => session.next(signal), { push: true });
    const isLeft = session.kind === 'puzzle' && attempt?.moves.length && !attempt.solved;
    if (isLeft && this.attempt !== attempt) this.app.tell(t('keepAnother'));
  }

  /** The first attempt at a puzzle ends here, with the player's own moves. @param {Attempt} attempt @param {Move[]} [moves] */
  #endFirst(attempt, moves = attempt.moves) {
    void shareFirstAttempt(this.app, lineWithoutOptimum(attempt.view), { moves, ms: attempt.clock.ms, hints: attempt.hints });
  }

  #touch() {
    const { attempt } = this;
    if (attempt && !attempt.solved && !attempt.gaveUp) attempt.clock.start();
  }

  analyse() {
    const { line } = this.app.route;
    const moves = this.attempt?.moves ?? [];
    void this.app.go({ mode: 'analyse', line, moves, more: {} });
  }

  /** After the moves changed: address, panel, trails, what is kept. @param {boolean} [trails] */
  #changed(trails = true) {
    const { attempt, app } = this;
    if (!attempt) return;
    app.setAddress({ moves: attempt.moves });
    this.session.changed?.(attempt);
    if (this.session.kind === 'puzzle') saveUnfinished(attempt, lineWithoutOptimum(attempt.view));
    this.panel.update(attempt);
    if (trails) this.#trails();
    if (this.session.kind === 'game') this.#details();
  }

  #trails() {
    const { attempt, app } = this;
    if (!attempt) return;
    app.board.host.dataset.solved = attempt.solved && !attempt.gaveUp ? 'yes' : 'no';
    app.board.setTrails(settings.trails ? attempt.line.steps : []);
    app.board.setLast(attempt.line.steps.at(-1) ?? null);
  }

  /** What the next puzzle is called. */
  #nextName() {
    return this.session.afterName ?? t(this.session.kind === 'game' ? 'nextTarget' : 'anotherPuzzle');
  }

  /** After giving up: the solution, and what to do next. @param {{text: string, moves: Move[]}} shown */
  #sayShown({ text, moves }) {
    const content = () => [
      h('p', {}, text),
      h('div', {}, moveChips(moves)),
      ...(this.session.outcome?.() ?? []),
      h('div', { class: 'row wide-row' }, button(this.#nextName(), () => this.next(), { class: 'primary' }), button(t('analyse'), () => this.analyse())),
    ];
    // The sheet is in sight on phones; without it, the message stays for those who step through the solution.
    this.foldSolution = () => {
      this.panel.setResult(null);
      this.panel.setMessage(content());
    };
    this.panel.setMessage([]);
    this.panel.setResult(solutionSheet(content(), this.foldSolution));
  }

  /** Rates the solution without giving away the optimum. */
  #sayVerdict() {
    const { attempt, app } = this;
    if (!attempt || attempt.gaveUp || this.session.hurried) return;
    const n = attempt.moves.length;
    const optimal = attempt.optimum !== null && n <= attempt.optimum;
    const worth = optimal ? t('optimal') : attempt.optimum === null ? t('perhapsShorter') : t('shorter');
    const text = [t('solvedIn', { n }), worth].join(' ');
    const helped = attempt.analysed ? t('withAnalysis') : attempt.hints ? t('helped', { n: attempt.hints }) : '';
    this.panel.setMessage([]);
    this.panel.setResult(resultSheet({ attempt, verdict: text, more: this.session.result?.(attempt) ?? [] }, {
      next: { text: this.#nextName(), run: () => this.next() },
      again: () => this.reset(),
      close: () => this.panel.setResult(null),
      analyse: () => this.analyse(),
      share: () => void this.#share(),
      picture: () => void this.#picture(),
      reveal: () => this.#reveal(attempt),
      showsFewest: this.session.showsFewest === true,
      sharesFirst: this.session.isEvent === true && (optimal || attempt.gaveUp),
    }));
    document.documentElement.dataset.motion = isMotionOn() ? 'on' : 'off';
    app.say([text, helped, this.session.announcement?.()].filter(Boolean).join(' '), this.panel.resultHost);
  }

  /** A shortest solution to compare with: from now on the puzzle is known. @param {Attempt} attempt */
  async #reveal(attempt) {
    try {
      const answer = await this.app.engine.ask('solve', { puzzle: lineWithoutOptimum(attempt.view), limits: { ms: OPTIMUM_MS } }, { signal: this.puzzleEnds.signal });
      if (!answer.moves) {
        this.app.tell(attempt.atLeast ? t('optimumAtLeast', { n: attempt.atLeast }) : t('optimumUnknown'));
        return null;
      }
      attempt.revealed = true;
      this.#keep();
      this.app.say(t('optimumIs', { n: answer.moves.length }), this.panel.resultHost);
      return answer.moves;
    } catch (error) {
      this.app.report(error);
      return null;
    }
  }

  /** The title of what was solved, and a link to it. */
  #event() {
    const { session, app } = this;
    const title = `${tPage('title')} · ${session.title?.() ?? t(session.kind)}`;
    return { title, url: linkTo({ ...app.route, more: session.isEvent ? { as: session.as } : {} }) };
  }

  async #share() {
    const { attempt, app } = this;
    if (!attempt) return;
    const { title, url } = this.#event();
    const { stars, hints, analysed } = attempt;
    await shareText(app, resultText(title, { stars, hints, analysed, ms: attempt.clock.ms }), url);
  }

  async #picture() {
    const { attempt, app, session } = this;
    if (!attempt) return;
    try {
      const blob = await resultPicture(app, attempt, session.title?.() ?? t(session.kind), attempt.stars);
      await shareOrSave(blob, 'ricochet.png');
    } catch (error) {
      app.report(error);
    }
  }

  #details() {
    const host = {
      app: this.app,
      next: () => void this.next(),
      refresh: () => this.#details(),
      begin: (/** @type {Session} */ session) => void this.begin(session),
      attempt: () => this.attempt,
    };
    this.panel.setHeadline(this.session.headline?.() ?? null, this.session.guard?.() != null);
    if (this.session.over && this.attempt) this.#putTaskAway();
    const focused = document.activeElement;
    const at = focused instanceof HTMLElement && this.panel.details.contains(focused) ? [...this.panel.details.querySelectorAll('button, select, input')].indexOf(focused) : -1;
    this.panel.details.replaceChildren(...this.session.details(host));
    const again = this.panel.details.querySelectorAll('button, select, input')[at];
    if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  }

  /** The time is up: the puzzle on the board can no longer be played. */
  #putTaskAway() {
    this.attempt = null;
    this.panel.setGoal(null);
    this.panel.setResult(null);
    this.panel.setMessage([]);
    this.panel.update(null);
    this.app.board.select(null);
  }

  /** Saves the puzzle on the board, or no longer. */
  async #save() {
    const view = this.attempt?.view;
    if (!view?.line) return;
    const line = plainLine(view.line);
    const saved = isSaved(line);
    if (saved) unsavePuzzle(line);
    else {
      savePuzzle({ line, rating: null, deviation: null, length: null, themes: [], ...this.session.puzzle });
      if (this.session.puzzle?.rating == null) {
        // What the engine says about it can come later.
        const rated = await ratePuzzle(this.app.engine, view, this.leaving.signal).catch(() => null);
        if (rated && isSaved(line)) savePuzzle({ ...rated, line });
      }
    }
    this.app.tell(tTraining(saved ? 'unsavedSaid' : 'savedSaid'));
    if (this.attempt?.view === view) this.panel.setSaved(!saved);
    if (this.session.kind === 'training') this.#details();
  }

  /** Remembers the attempt on the board. */
  #putAway() {
    if (!this.attempt || this.session.hurried) return;
    this.attempt.clock.stop();
    this.#keep();
  }

  #keep() {
    if (this.attempt && !this.session.hurried) saveAttempt(lineWithoutOptimum(this.attempt.view), this.attempt.toRecord());
  }

  /** What to do where no robot is selected. */
  unselected() {
    return this.attempt?.solved ? t('alreadySolved') : null;
  }

  guard() {
    return this.session.guard?.() ?? null;
  }

  close() {
    this.#putAway();
    delete this.app.board.host.dataset.solved;
    this.session.close?.();
    clearInterval(this.timer);
    this.puzzleEnds.abort();
    this.leaving.abort();
  }

  /** @returns {Binding[]} */
  keys() {
    return [
      { key: 'u', does: t('keyUndo'), run: () => this.undo(), word: 'undo' },
      { key: 'Backspace', does: t('keyUndo'), run: () => this.undo() },
      { key: 'u', shift: true, does: t('keyRedo'), run: () => this.redo(), word: 'redo' },
      { key: 'Backspace', shift: true, does: t('keyRedo'), run: () => this.redo(), quiet: true },
      { key: '0', does: t('keyReset'), run: () => this.reset(), word: 'reset' },
      { key: 'h', does: t('keyHint'), run: () => this.hint(), word: 'hint' },
      { key: 's', does: t('keySolve'), run: () => void this.solve(), word: 'solve' },
      { key: 'n', does: t('keyNew'), run: () => void this.next(), word: 'new' },
    ];
  }
}
