// Around the table: people play with the real board, or look at this one; the page turns up targets,
// takes bids, runs the sand, says whose turn it is and counts the chips. Nothing of it leaves the
// device, and only boards and shortest solutions are asked of the engine.

/** @import {Binding, Cell, View} from '../../../types/page.d.ts' */
/** @import {PlayerId, RoomState, Show} from '../../../types/room.d.ts' */
/** @import {App} from '../../app/app.js' */
/** @import {Command, SavedGame} from './referee.js' */
/** @import {TableChoices} from './setup.js' */
import { LETTERS, isClosed, sameCell } from '../../board/rules.js';
import { isAbort } from '../../engine/errors.js';
import { capitalize, goalSentence, placeName, robotName } from '../../speech/sentences.js';
import { askPlayer } from '../../ui/dialogs.js';
import { button, fill, h } from '../../ui/dom.js';
import { forget, load, save } from '../../ui/storage.js';
import { t as tBoard } from '../../words/board.js';
import { t } from '../../words/room.js';
import { SHOWN_EVENTS, announcementOf, chipsSentence, playEventSound } from '../announcements.js';
import { gameCard, roundCard } from '../results.js';
import { RoomBoard } from '../room-board.js';
import { headlineOf, progressOf, runningTimer, setLayout } from '../screen.js';
import { movesIn, playerOf, shiftTimes, bidOf } from '../state.js';
import { TablePanel } from './panel.js';
import { Referee } from './referee.js';
import { TableSetup, dealFor, layoutOf, optionsOf, teamOf } from './setup.js';

/** Steps that can be taken back. */
const MOST_STEPS = 40;
const OPTIMUM_MS = 20_000;
/** How long a game may be held up by a question of the page. */
const DOUBT_MS = 2000;

/** What is kept on the device; `played` is the puzzle of the last round as it began. @typedef {{kept: SavedGame, wishes: TableChoices, played: View | null}} SavedTable */

export class Table {
  /** @param {App} app @param {() => void} toLobby */
  constructor(app, toLobby) {
    this.app = app;
    this.toLobby = toLobby;
    this.leaving = new AbortController();
    /** @type {Referee | null} */
    this.referee = null;
    /** @type {TableChoices | null} */
    this.choices = null;
    /** @type {SavedGame[]} */
    this.steps = [];
    /** The puzzle of this round, or of the last. @type {View | null} */
    this.played = null;
    this.tickTimer = 0;
    this.placing = false;
    /** The player whose bid comes next, if a name was tapped. @type {PlayerId | null} */
    this.bidder = null;
    /** The chip that people drew themselves. @type {number | undefined} */
    this.drawn = undefined;
    const { signal } = this.leaving;
    this.roomBoard = new RoomBoard(app, { showMove: (play) => this.#showMove(play), onTry: () => {}, note: t('notNow') });
    app.board.on('move', ({ robot, direction }) => this.roomBoard.move(robot, direction), signal);
    app.board.on('drop', ({ robot, cell }) => this.#placeRobot(robot, cell), signal);
    app.board.on('cell', ({ cell }) => this.#placeOn(cell), signal);
    document.addEventListener('visibilitychange', () => this.#say({ say: 'tick' }), { signal });
    this.ui = new TablePanel(app, () => this.referee?.state.paused ?? Date.now(), {
      bid: (moves) => this.#bid(moves),
      turnUp: () => this.#turnUp(),
      skip: () => this.#skip(),
      judge: (made) => void this.#judge(made),
      undo: () => this.undo(),
      pause: () => this.#togglePause(),
      place: () => this.#togglePlacing(),
      addPlayer: () => void this.#addPlayer(),
      removePlayer: (id) => void this.#removePlayer(id),
      choose: (id) => {
        this.bidder = id;
        this.#bidderChanged();
      },
      draw: (chip) => {
        this.drawn = chip;
      },
      end: () => void this.#end(),
    });
    /** @type {SavedTable | null} */
    const saved = load('table', null);
    if (saved) this.#resume(saved);
    else this.#setUp();
  }

  close() {
    clearTimeout(this.tickTimer);
    delete document.body.dataset.paused;
    this.leaving.abort();
    this.roomBoard.close();
    this.ui.close();
  }

  // Before the game.

  #setUp() {
    setLayout('cards');
    this.referee = null;
    const setup = new TableSetup(this.app, (names, choices) => void this.#begin(names, choices), this.leaving.signal);
    this.app.setUnder([]);
    fill(this.app.panel, [h('p', {}, button(t('backToLobby'), this.toLobby, { class: 'quiet' })), setup.element]);
  }

  /** @param {string[]} names @param {TableChoices} choices */
  async #begin(names, choices) {
    this.choices = { ...choices };
    const referee = new Referee(optionsOf(choices));
    for (const [i, name] of names.entries()) referee.handle(Date.now(), { say: 'join', name, team: teamOf(choices, i) });
    this.referee = referee;
    await this.#deal();
  }

  /** A new game with the same people. */
  async #deal() {
    const { referee, choices, app } = this;
    if (!referee || !choices) return;
    try {
      const deal = await dealFor(app, layoutOf(choices), choices.robots, this.leaving.signal);
      if (this.leaving.signal.aborted) return;
      this.steps = [];
      this.placing = choices.board === 'own';
      this.#showBoard();
      this.#say({ say: 'start', deal });
      this.ui.next.focus({ preventScroll: true });
    } catch (error) {
      if (!isAbort(error)) app.report(error);
    }
  }

  /** @param {SavedTable} saved */
  #resume({ kept, wishes: choices, played }) {
    this.choices = choices;
    this.played = played;
    this.referee = new Referee(kept.state.options);
    this.referee.resume(kept);
    this.#showBoard();
    this.#layAgain();
    this.#update();
    this.#say({ say: 'tick' });
  }

  /** The board as it is in the state, after a reload or a step back. */
  #layAgain() {
    const { show, phase, ended } = this.state;
    const resting = (phase === 'pause' || phase === 'over') && ended ? this.played : null;
    const view = resting ?? this.#view();
    if (view) this.roomBoard.setPuzzle(view);
    this.roomBoard.setShown(movesIn(show?.moves ?? null));
    if (resting && ended?.result.how === 'won') this.roomBoard.showLine(movesIn(ended.result.moves));
  }

  #showBoard() {
    setLayout(this.choices?.board === 'none' ? 'bare' : 'board');
    this.ui.show(this.choices?.board !== 'none');
    window.scrollTo(0, 0);
  }

  #keep() {
    save('table', { kept: this.referee?.keep(), wishes: this.choices, played: this.played });
  }

  // The panel.

  get state() {
    return /** @type {Referee} */ (this.referee).state;
  }

  /** The puzzle on the board: the round's, or the board between rounds. @returns {View | null} */
  #view() {
    const { referee } = this;
    if (!referee) return null;
    const { round, ended, game } = referee.state;
    const target = round?.target ?? ended?.target ?? referee.nextChip ?? 0;
    const view = referee.puzzle(target);
    // Between rounds nothing is a goal yet.
    return view && game && !round ? { ...view, goal: { robot: null, cell: [-9, -9] } } : view;
  }

  /** Passes a command to the referee, and announces the result. @param {Command} command @param {boolean} [undoable] */
  #say(command, undoable = false) {
    const { referee, app } = this;
    if (!referee) return null;
    const kept = referee.keep();
    let before = referee.state;
    const { events, refusal } = referee.handle(Date.now(), command);
    if (undoable && events.length) this.steps = [...this.steps, kept].slice(-MOST_STEPS);
    /** @type {RoomState} */
    const after = referee.state;
    for (const event of events) {
      const news = announcementOf(before, after, event, null);
      if (SHOWN_EVENTS.has(event.event)) app.tell(news);
      else app.say(news);
      playEventSound(before, event, null);
      before = after;
    }
    if (events.length) {
      this.#changed(kept.state);
      this.#keep();
    }
    this.#plan();
    return refusal;
  }

  /** Sets a timer for the next deadline. */
  #plan() {
    clearTimeout(this.tickTimer);
    const due = this.referee?.deadline ?? null;
    if (due === null) return;
    this.tickTimer = window.setTimeout(() => this.#say({ say: 'tick' }), Math.min(2 ** 30, Math.max(0, due - Date.now()) + 5));
  }

  /** @param {RoomState} before */
  #changed(before) {
    const { state, app } = this;
    if (state.round !== before.round && state.round?.number !== before.round?.number && state.round) {
      const view = this.#view();
      this.played = view;
      if (view) {
        this.roomBoard.setPuzzle(view);
        app.say(t('newTarget', { n: state.round.number, goal: goalSentence(view) }));
      } else {
        app.say(t('newTargetBare', { n: state.round.number }));
      }
      this.placing = false;
      this.bidder = null;
      this.ui.pad.choose(null);
    } else if (state.phase === 'pause' && before.phase !== 'pause') {
      this.drawn = undefined;
      const view = this.#view();
      if (!before.round && view) this.roomBoard.setPuzzle(view);
      const won = state.ended?.result.how === 'won' ? movesIn(state.ended.result.moves) : [];
      if (won.length) this.roomBoard.showLine(won);
      else if (before.round) this.roomBoard.setShown([]);
      // The real robots stand somewhere else now.
      if (state.ended?.result.how === 'won' && !won.length && view) this.placing = true;
      if (state.ended) app.say(chipsSentence(state));
    } else if (state.show !== before.show && state.show) {
      this.roomBoard.setShown(movesIn(state.show.moves));
    } else if (state.game?.robots !== before.game?.robots) {
      const view = this.#view();
      if (view) app.board.place(state.game?.robots ?? []);
    }
    this.#update();
  }

  #update() {
    const { state, app } = this;
    const view = this.#view();
    const { phase, round, show } = state;
    const paused = typeof state.paused === 'number';
    // The board is covered during a pause, so that no one keeps thinking.
    document.body.dataset.paused = paused ? 'yes' : 'no';
    this.ui.strip.setGoal(round && !paused ? view : null);
    const title = paused ? t('paused') : phase === 'pause' && !state.ended ? t('tableReady') : headlineOf(state, null, round ? view : null);
    this.ui.strip.write(title, progressOf(state, round && !paused ? view : null), phase !== 'over');
    this.ui.strip.sand.set(runningTimer(state), state.options.sand_ms);
    this.ui.seats.update(state, { you: null, lags: {} });
    app.keysChanged();
    this.ui.pad.element.hidden = phase !== 'thinking' || paused;
    this.#writeNames();
    this.ui.skip.hidden = phase !== 'thinking' || (round?.stakes.length ?? 0) > 0;
    this.ui.pad.setMore([this.ui.skip]);
    this.ui.undoTool.disabled = this.steps.length === 0 || paused;
    this.ui.pauseTool.hidden = phase !== 'thinking' && phase !== 'showing';
    this.ui.pauseTool.setAttribute('aria-pressed', String(paused));
    this.ui.placeTool.hidden = !view || phase !== 'pause';
    this.ui.placeTool.setAttribute('aria-pressed', String(this.placing));
    const showsOnBoard = phase === 'showing' && view !== null && !paused;
    this.roomBoard.setUse(showsOnBoard ? 'show' : 'watch');
    if (this.placing && phase === 'pause' && view) app.board.input = 'edit';
    this.#writeActions();
    const optimum = state.ended?.optimum === null && view ? [button(t('whatWasPossible'), () => void this.#optimum())] : [];
    const card = roundCard(state, { replay: (moves) => this.roomBoard.replay(moves), more: optimum });
    if (phase === 'pause' && state.ended) fill(this.ui.message, [card]);
    else if (phase === 'over') {
      const again = [button(t('playAgain'), () => void this.#deal(), { class: 'primary' }), button(t('newTable'), () => this.#forget())];
      fill(this.ui.message, [gameCard(state, null, again), card]);
    } else {
      fill(this.ui.message, show && view && !paused ? [h('p', { class: 'soft' }, t('showHow'))] : []);
    }
  }

  #writeActions() {
    const { state, referee } = this;
    const { phase, show } = state;
    if (typeof state.paused === 'number') {
      fill(this.ui.actions, [this.ui.goOn]);
    } else if (phase === 'pause') {
      const board = referee?.deal?.board;
      const place = board && this.placing ? h('p', { class: 'soft' }, t('placeHow')) : null;
      fill(this.ui.actions, [place, this.ui.next, board && referee ? this.ui.targetChoice(board, referee.stack, this.drawn) : null]);
    } else if (phase === 'showing' && show) {
      fill(this.ui.actions, [this.ui.made, this.ui.fails]);
    } else {
      fill(this.ui.actions, []);
    }
  }

  #writeNames() {
    const { state } = this;
    if (!state.players.some(({ id }) => id === this.bidder)) this.bidder = state.players[0]?.id ?? null;
    this.ui.writeNames(state, this.bidder);
    this.#bidderChanged();
  }

  #bidderChanged() {
    const player = playerOf(this.state, this.bidder);
    this.ui.pad.update({ below: bidOf(this.state, this.bidder)?.length ?? null, name: player?.name ?? '', enabled: player !== null });
  }

  // Actions of the people at the table.

  #turnUp() {
    if (this.state.phase !== 'pause') return;
    this.#say({ say: 'turn-up', target: this.drawn }, true);
    if (document.activeElement === document.body) /** @type {HTMLElement | null} */ (this.ui.names.querySelector(':checked'))?.focus({ preventScroll: true });
  }

  /** @param {number} moves */
  #bid(moves) {
    if (this.bidder === null) return;
    const name = playerOf(this.state, this.bidder)?.name ?? '';
    const refusal = this.#say({ say: 'bid', player: this.bidder, moves }, true);
    if (refusal) this.ui.pad.refuse(t('bidLowerFor', { name, n: refusal.yours ?? moves }));
    else this.ui.pad.choose(null);
  }

  /** Skips the round, as all players agreed. */
  #skip() {
    if (this.state.phase !== 'thinking' || typeof this.state.paused === 'number') return;
    const kept = this.referee?.keep();
    for (const { id } of this.state.players) this.#say({ say: 'skip', player: id, yes: true });
    if (kept) this.steps = [...this.steps, kept].slice(-MOST_STEPS);
    this.#update();
  }

  /** @param {string} play */
  #showMove(play) {
    const { show } = this.state;
    if (!show) return;
    const refusal = this.#say({ say: 'show', player: show.player, play }, true);
    if (refusal) this.roomBoard.dropPending();
  }

  /** Judged by hand: the show was on the real board. @param {boolean} made */
  async #judge(made) {
    const { show, round } = this.state;
    if (!show || !round || typeof this.state.paused === 'number') return;
    const verdict = made ? await this.#doubt(show) : 'failed';
    const { state } = this;
    // Meanwhile the time may be up, or a step was taken back.
    if (verdict === null || state.show?.player !== show.player || state.round?.number !== round.number) return;
    this.#say(verdict === 'made' ? { say: 'made-it', player: show.player } : { say: 'give-up', player: show.player }, true);
  }

  /** Asks if the page disagrees; the people at the table have the last word. @param {Show} show @returns {Promise<'made' | 'failed' | null>} */
  async #doubt({ player, bid, moves }) {
    const made = movesIn(moves).length;
    const fault = made ? t('doubtShown', { n: made }) : (await this.#isTooFew(bid)) ? t('doubtBid', { n: bid }) : '';
    if (!fault) return 'made';
    this.app.say(fault);
    const name = playerOf(this.state, player)?.name ?? '';
    return askPlayer(t('doubtTitle', { name }), `${fault} ${t('doubtText')}`, [['failed', t('failsIt')], ['made', t('doubtCount')]]);
  }

  /** Whether it is proved that the bid is too low, for the position on the screen. @param {number} bid */
  async #isTooFew(bid) {
    const { app, played } = this;
    if (!played) return false;
    const patience = AbortSignal.any([this.leaving.signal, AbortSignal.timeout(DOUBT_MS)]);
    try {
      const { line } = await app.engine.ask('validate', { setup: played }, { signal: patience });
      if (!line) return false;
      const { outcome, optimal, length, lower_bound } = await app.engine.ask('solve', { puzzle: line, limits: { ms: DOUBT_MS } }, { signal: patience });
      if (outcome === 'solved') return optimal !== false && (length ?? 0) > bid;
      return outcome === 'unsolvable' || (lower_bound ?? 0) > bid;
    } catch {
      // No answer in time: then nothing is known.
      return false;
    }
  }

  /** Pauses: the sand stops, and the board is covered. */
  #togglePause() {
    const { referee } = this;
    if (!referee) return;
    const { paused } = referee.state;
    if (typeof paused !== 'number') {
      this.#say({ say: 'pause' });
      if (typeof referee.state.paused === 'number') this.ui.goOn.focus({ preventScroll: true });
      return;
    }
    this.#say({ say: 'resume' });
    // What can be taken back happened before the pause, which did not count.
    const by = referee.now - paused;
    this.steps = this.steps.map((kept) => ({ ...kept, state: shiftTimes(kept.state, by) }));
    this.#plan();
  }

  undo() {
    const kept = typeof this.referee?.state.paused === 'number' ? undefined : this.steps.at(-1);
    const { referee } = this;
    if (!kept || !referee) {
      this.app.tell(t('nothingBack'));
      return;
    }
    this.steps = this.steps.slice(0, -1);
    const { state } = kept;
    // A player who shows again gets the whole time.
    const show = state.show && state.options.show_ms !== null ? { ...state.show, until: Date.now() + state.options.show_ms } : state.show;
    referee.resume({ ...kept, state: { ...state, show } });
    this.#layAgain();
    this.#keep();
    this.app.tell(t('tookBack'));
    this.#update();
    this.#plan();
  }

  #togglePlacing() {
    this.placing = !this.placing;
    const view = this.#view();
    if (view) this.roomBoard.setPuzzle(view);
    this.app.say(t(this.placing ? 'placeHow' : 'placed'));
    this.#update();
  }

  /** @param {number} robot @param {Cell} cell */
  #placeRobot(robot, cell) {
    const { app, state } = this;
    const board = this.referee?.deal?.board;
    if (!this.placing || !board || !state.game) return;
    const view = this.#view();
    if (!view || isClosed(view, cell) || state.game.robots.some((at, i) => i !== robot && sameCell(at, cell))) {
      app.board.place(state.game.robots);
      app.tell(t('placeTaken'));
      return;
    }
    this.#say({ say: 'place', robots: state.game.robots.with(robot, cell) }, true);
    this.roomBoard.setPuzzle(/** @type {View} */ (this.#view()));
    this.#update();
    app.board.select(robot);
    app.say(t('robotAt', { robot: capitalize(robotName(robot)), place: placeName(cell) }));
  }

  /** By tap or key: a robot is chosen, then its cell. @param {Cell} cell */
  #placeOn(cell) {
    const { board } = this.app;
    if (!this.placing) return;
    const on = board.robotOn(cell);
    if (on !== null) board.select(on, true);
    else if (board.selected !== null) this.#placeRobot(board.selected, cell);
    else this.app.say(tBoard('selectFirst', { letters: LETTERS.slice(0, board.robots.length) }));
  }

  /** A shortest solution of the round that is over, computed only now. */
  async #optimum() {
    const { referee, app } = this;
    const ended = referee?.state.ended;
    if (!referee || !ended) return;
    app.say(t('searching'));
    try {
      // As the round began: the robots may stand elsewhere by now.
      if (!this.played) return;
      const { line } = await app.engine.ask('validate', { setup: this.played }, { signal: this.leaving.signal });
      if (!line) return;
      const answer = await app.engine.ask('solve', { puzzle: line, limits: { ms: OPTIMUM_MS } }, { signal: this.leaving.signal });
      if (referee !== this.referee || referee.state.ended?.number !== ended.number) return;
      const known = answer.outcome === 'solved' && answer.optimal !== false;
      if (!known) {
        app.say(t('optimumUnknown'));
        fill(this.ui.message, [roundCard(referee.state, { replay: (moves) => this.roomBoard.replay(moves) }), h('p', {}, t('optimumUnknown'))]);
        return;
      }
      const moves = answer.moves ?? [];
      const { length } = moves;
      const showed = ended.result.how === 'won' && movesIn(ended.result.moves).length === length ? ended.result.player : null;
      const review = ended.review.map((part) => ({ ...part, saw_it: (part.best === length && !ended.failed.includes(part.player)) || showed === part.player }));
      referee.state = { ...referee.state, ended: { ...referee.state.ended, puzzle: line, optimum: moves.join(' '), review } };
      this.#keep();
      app.say(t('optimumWas', { n: length }));
      this.#update();
    } catch (error) {
      if (!isAbort(error)) app.report(error);
    }
  }

  async #addPlayer() {
    const { askName } = await import('./setup.js');
    const name = await askName(t('addPlayer'), '');
    if (!name) return;
    const refusal = this.#say({ say: 'join', name }, true);
    if (refusal) this.app.say(t('refused-full'));
  }

  /** @param {PlayerId} id */
  async #removePlayer(id) {
    const name = playerOf(this.state, id)?.name ?? '';
    const answer = await askPlayer(t('leavesTitle', { name }), t('leavesText', { name }), [['stay', t('stays')], ['leave', t('leaves')]]);
    if (answer === 'leave') this.#say({ say: 'leave', player: id }, true);
  }

  async #end() {
    if (this.state.phase !== 'over') {
      const answer = await askPlayer(t('endTable'), t('endTableText'), [['stay', t('goOn')], ['end', t('endTable')]]);
      if (answer !== 'end') return;
    }
    this.#forget();
  }

  #forget() {
    forget('table');
    delete document.body.dataset.paused;
    clearTimeout(this.tickTimer);
    this.app.board.input = 'none';
    this.#setUp();
  }

  /** @returns {Binding[]} */
  keys() {
    if (!this.referee) return [];
    const { phase } = this.state;
    /** @type {Binding[]} */
    const keys = [
      { key: 'u', does: t('keyTakeBack'), run: () => this.undo(), word: 'undo' },
      { key: 'p', does: t('keyPause'), run: () => this.#togglePause(), word: 'pause' },
    ];
    if (phase === 'thinking' && typeof this.state.paused !== 'number') {
      for (let digit = 1; digit <= 9; digit += 1) keys.push({ key: String(digit), does: t('keyBidTable'), run: () => this.ui.pad.type(String(digit)) });
      keys.push({ key: 'k', does: t('keySkipTable'), run: () => this.#skip(), word: 'skip' });
    }
    keys.push(
      { key: 'n', does: t('keyTurnUp'), run: () => this.#turnUp(), word: 'next' },
      { key: 'm', does: t('keyMadeIt'), run: () => void this.#judge(true), word: 'made' },
      { key: 'f', does: t('keyFails'), run: () => void this.#judge(false), word: 'failed' },
    );
    return keys;
  }
}
