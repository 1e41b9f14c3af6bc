// This page's part of a room on the server. What all players may know comes as events; what the
// player tries, types and has not sent stays here.

/** @import {Binding, View} from '../../../types/page.d.ts' */
/** @import {GameReview, NumberedEvent, Options, Player, Presence, Reply, RoomState, Welcome} from '../../../types/room.d.ts' */
/** @import {App} from '../../app/app.js' */
/** @import {Ending, Status} from './socket.js' */
import { readPuzzle } from '../../app/puzzle.js';
import { isAbort } from '../../engine/errors.js';
import { goalSentence } from '../../speech/sentences.js';
import { askPlayer } from '../../ui/dialogs.js';
import { t } from '../../words/room.js';
import { SHOWN_EVENTS, announcementOf, optimumSentence, playEventSound } from '../announcements.js';
import { RoomBoard } from '../room-board.js';
import { applyEvent, fromView, movesIn, playerOf, bidOf } from '../state.js';
import { RoomError, latestGame, takeSeat } from './api.js';
import { Turn } from './notify.js';
import { RoomPanel } from './panel.js';
import { ConnectionLostError, RoomSocket } from './socket.js';
import { forgetSeat, keepName, keepSeat, loadTabState, saveTabState, seatIn } from './storage.js';

/** Milliseconds between two moves of a solution that is shown automatically. */
const PACE_MS = 700;

/** @typedef {{lobby: (note?: string) => void, ended?: () => void}} Navigation */

export class OnlineRoom {
  /** @param {App} app @param {string} room @param {Navigation} navigation @param {{tv?: boolean, invites?: boolean}} [options] tv: only to watch */
  constructor(app, room, navigation, { tv = false, invites = !tv } = {}) {
    this.app = app;
    this.room = room;
    this.navigation = navigation;
    this.tv = tv;
    this.invites = invites;
    this.leaving = new AbortController();
    this.token = tv ? null : (seatIn(room)?.token ?? null);
    const memory = tv ? null : loadTabState(room);
    const known = memory && (memory.you !== null) === (this.token !== null) ? memory : null;
    /** @type {RoomState | null} */
    this.state = known?.state ?? null;
    /** @type {number | null} */
    this.you = known?.you ?? null;
    this.delay = 0;
    /** The state was seen under another identity: with a seat, or without. */
    this.stale = false;
    /** @type {Status} */
    this.status = 'connecting';
    this.wasOpen = false;
    /** @type {Record<string, number | null>} */
    this.lags = {};
    this.spectators = 0;
    /** The puzzle that is on the board, or on its way there. */
    this.puzzle = '';
    /** The game and round that it belongs to. */
    this.laid = '';
    this.tried = known ? { puzzle: known.puzzle, moves: known.tried } : { puzzle: '', moves: [] };
    /** The rounds of the game that is over. @type {GameReview | null} */
    this.review = null;
    this.roomBoard = new RoomBoard(app, {
      showMove: (move) => void this.#send({ do: 'show', moves: move }),
      onTry: (attempt) => {
        this.panel.suggest(attempt);
        this.#remember();
      },
      note: t('notNow'),
    });
    this.panel = new RoomPanel(app, this);
    this.turn = new Turn();
    if (known) this.panel.restoreTyped(known.bid, known.words);
    const { signal } = this.leaving;
    app.board.on('move', ({ robot, direction }) => this.roomBoard.move(robot, direction), signal);
    // Nothing that was typed is lost.
    app.panel.addEventListener('input', () => this.#remember(), { signal });
    this.socket = this.#connect();
    if (this.state) this.#show(null);
    else this.panel.update();
  }

  close() {
    this.#remember();
    this.leaving.abort();
    this.socket.close();
    this.roomBoard.close();
    this.panel.close();
    this.turn.close();
  }

  // The connection.

  #connect() {
    return new RoomSocket(this.room, this.token, () => (this.stale ? null : (this.state?.version ?? null)), {
      welcome: (welcome) => this.#welcome(welcome),
      event: (event) => this.#event(event),
      presence: (presence) => this.#presence(presence),
      status: (status) => this.#status(status),
      caughtUp: () => this.#remember(),
      ended: (ending) => this.#ended(ending),
    });
  }

  /** Reconnects under another identity: with a seat, or without. @param {string | null} token */
  #reconnect(token) {
    this.socket.close();
    this.token = token;
    this.you = null;
    this.wasOpen = false;
    // Players and spectators see different things, so everything is fetched again.
    this.stale = true;
    this.socket = this.#connect();
  }

  /** @param {Welcome} welcome */
  #welcome({ you, snapshot, delay_ms }) {
    this.you = you;
    this.delay = delay_ms;
    const before = this.state;
    if (snapshot) {
      this.stale = false;
      const same = before && before.game?.number === snapshot.game?.number && before.game?.rounds === snapshot.game?.rounds;
      this.state = fromView({
        ...snapshot,
        talk: before?.talk ?? [],
        ended: same && !snapshot.round ? before.ended : null,
        standings: same && snapshot.phase === 'over' ? before.standings : null,
        failed: same ? before.failed : [],
      });
    }
    this.#show(null);
    void this.#fetchReview();
  }

  /** Fetches what a snapshot lacks: how the last round and the last game ended. */
  async #fetchReview() {
    const { state } = this;
    if (!state?.game || (state.phase !== 'pause' && state.phase !== 'over')) return;
    if (state.ended && state.phase === 'pause') return;
    try {
      const review = await latestGame(this.room, this.leaving.signal);
      if (this.state?.game?.number !== review.game || this.state.phase !== state.phase) return;
      const last = review.rounds.at(-1);
      if (!this.state.ended && last) {
        const ended = { number: last.round, puzzle: last.puzzle, target: last.target, result: last.result, optimum: last.optimum, review: last.review, failed: [], next_at: last.ended + this.state.options.pause_ms };
        this.state = { ...this.state, ended };
      }
      this.review = review;
      this.state = { ...this.state, standings: this.state.standings ?? review.standings };
      this.#show(null);
    } catch (error) {
      if (!isAbort(error) && !(error instanceof RoomError)) this.app.report(error);
    }
  }

  /** @param {NumberedEvent} event */
  #event(event) {
    const before = this.state;
    if (!before || this.stale || event.number <= before.version) return;
    if (event.number > before.version + 1) {
      this.socket.resync();
      return;
    }
    const after = applyEvent(before, event);
    this.state = after;
    const news = announcementOf(before, after, event, this.you);
    if (news && SHOWN_EVENTS.has(event.event)) this.app.tell(news);
    else this.app.say(news);
    if (event.event === 'round-ended') this.app.say(optimumSentence(after));
    playEventSound(before, event, this.you);
    if (event.event === 'game-started') this.review = null;
    if (event.event === 'bid' && event.player === this.you) this.panel.bidTaken();
    this.#show(before);
    if (event.event === 'game-ended') void this.#fetchReview();
    this.#remember();
  }

  /** @param {Presence} presence */
  #presence({ lags, spectators }) {
    this.lags = lags;
    this.spectators = spectators;
    this.panel.update();
  }

  /** @param {Status} status */
  #status(status) {
    if (status === 'waiting' && this.status === 'open') this.app.say(t('connectionLost'));
    if (status === 'open' && this.status === 'connecting' && this.wasOpen) this.app.say(t('connectionBack'));
    if (status === 'open') this.wasOpen = true;
    this.status = status;
    // The socket speaks before it is ours.
    if (this.socket) this.panel.connection();
  }

  /** @param {Ending} ending */
  #ended(ending) {
    const { room } = this;
    if (ending === 'no-seat' || ending === 'bad-token') {
      const had = this.token !== null;
      forgetSeat(room);
      saveTabState(room, null);
      this.#reconnect(null);
      if (had) {
        this.panel.note(t('seatGone'));
        this.app.say(t('seatGone'));
      }
    } else if (ending === 'no-such-room') {
      forgetSeat(room);
      saveTabState(room, null);
      if (this.tv) this.navigation.ended?.();
      else this.navigation.lobby(t('roomGone', { room }));
    } else {
      this.panel.connection(ending);
    }
  }

  /** The time at the server, less the delay for spectators. */
  now() {
    return (this.socket ? this.socket.now() : Date.now()) - this.delay;
  }

  // Showing the state.

  /** @param {RoomState | null} before null: show everything anew */
  #show(before) {
    const { state } = this;
    if (!state) return;
    this.turn.update(state, this.you);
    const wanted = state.round?.puzzle ?? state.ended?.puzzle ?? '';
    // A chip that came back can make the same puzzle again: that is another round.
    const laying = `${state.game?.number}.${state.round?.number ?? state.ended?.number}.${wanted}`;
    if (wanted && laying !== this.laid) {
      this.laid = laying;
      void this.#loadPuzzle(wanted);
    } else if (this.roomBoard.view && wanted) this.#updateBoard(before);
    this.panel.update();
  }

  /** Lays a puzzle on the board. @param {string} puzzle */
  async #loadPuzzle(puzzle) {
    this.puzzle = puzzle;
    const { laid } = this;
    this.roomBoard.view = null;
    try {
      const view = await readPuzzle(this.app, puzzle, this.leaving.signal);
      if (this.laid !== laid || this.leaving.signal.aborted || !this.state) return;
      const { state } = this;
      this.roomBoard.use = 'watch';
      this.roomBoard.setPuzzle(view, this.tried.puzzle === puzzle ? this.tried.moves : []);
      this.tried = { puzzle, moves: [] };
      if (state.round && state.phase === 'thinking') this.app.say(t('newTarget', { n: state.round.number, goal: goalSentence(view) }));
      this.#updateBoard(null);
      this.panel.update();
      if (this.roomBoard.attempt?.moves.length) this.panel.suggest(this.roomBoard.attempt);
    } catch (error) {
      if (!isAbort(error)) this.app.report(error);
    }
  }

  /** Makes the board fit the phase. @param {RoomState | null} before */
  #updateBoard(before) {
    const { state, roomBoard, you } = this;
    if (!state) return;
    const { phase, show, ended } = state;
    const fresh = before === null;
    if (phase === 'thinking') {
      roomBoard.setUse(this.tv ? 'watch' : 'try');
      if (this.tv) this.app.board.select(null);
    } else if (phase === 'showing') {
      roomBoard.setUse(show && show.player === you ? 'show' : 'watch');
      if (fresh || show !== before.show) roomBoard.setShown(movesIn(show?.moves ?? null));
    } else {
      roomBoard.setUse('watch');
      if (!ended || (!fresh && ended === before.ended)) return;
      const moves = ended.result.how === 'won' ? movesIn(ended.result.moves) : [];
      if (fresh) roomBoard.showLine(moves);
      else if (!moves.length) roomBoard.setShown([]);
      else if (roomBoard.shown.join(' ') !== moves.join(' ')) roomBoard.replay(moves);
    }
    if (fresh) roomBoard.place();
  }

  /** @returns {View | null} */
  get view() {
    return this.roomBoard.view;
  }

  #remember() {
    if (this.tv || !this.state) return;
    const { attempt } = this.roomBoard;
    saveTabState(this.room, { you: this.you, state: this.state, puzzle: this.puzzle, tried: attempt?.moves ?? [], ...this.panel.typed });
  }

  // Actions of the player.

  /** @param {Record<string, unknown>} message @param {() => boolean} [again] @returns {Promise<boolean>} whether the room did it */
  async #send(message, again) {
    try {
      const reply = await this.socket.send(message, again);
      if (reply.ok) return true;
      const own = message.do === 'bid' && reply.refusal === 'not-lower' && reply.yours === message.moves;
      if (own) return true;
      this.panel.refuse(message.do === 'say' || message.do === 'phrase' ? 'say' : 'bid', reply);
    } catch (error) {
      if (!(error instanceof ConnectionLostError)) throw error;
    }
    if (message.do === 'show') this.roomBoard.dropPending();
    return false;
  }

  /** Whether this is still the round that was meant. */
  #sameRound() {
    const { game, round } = this.state ?? {};
    return () => this.state?.phase === 'thinking' && this.state.game?.number === game?.number && this.state.round?.number === round?.number;
  }

  /** @param {number} moves */
  bid(moves) {
    return this.#send({ do: 'bid', moves }, this.#sameRound());
  }

  handIn() {
    const { attempt } = this.roomBoard;
    if (attempt?.solved) void this.#send({ do: 'submit', moves: attempt.moves.join(' ') }, this.#sameRound());
  }

  /** The own line, move by move. */
  showLine() {
    const moves = this.line;
    if (moves) void this.#showSlowly(moves);
  }

  /** Shows moves at a pace that others can follow, but in time. @param {string[]} moves */
  async #showSlowly(moves) {
    const left = (this.state?.show?.until ?? Infinity) - this.now();
    const pace = Math.min(PACE_MS, left / (2 * moves.length));
    for (const move of moves) {
      if (this.leaving.signal.aborted || !(await this.#send({ do: 'show', moves: move }))) return;
      await new Promise((resolve) => window.setTimeout(resolve, pace));
    }
  }

  /** The moves that the player tried, if they keep the bid. @returns {string[] | null} */
  get line() {
    const { show } = this.state ?? {};
    const { attempt } = this.roomBoard;
    if (!show || show.player !== this.you || show.moves || !attempt?.solved || attempt.moves.length > show.bid) return null;
    return attempt.moves;
  }

  giveUp() {
    void this.#send({ do: 'give-up' });
  }

  skip() {
    const yes = !this.state?.round?.skip_votes.includes(this.you ?? -1);
    void this.#send({ do: 'skip', yes }, this.#sameRound());
  }

  start() {
    void this.#send({ do: 'start' });
  }

  /** The next round at once: the host's word, others' vote. */
  next() {
    const { pause, game } = this.state ?? {};
    if (!pause) return;
    const yes = this.isHost || !pause.votes.includes(this.you ?? -1);
    void this.#send({ do: 'next', yes }, () => this.state?.phase === 'pause' && this.state.game?.rounds === game?.rounds);
  }

  /** @param {Options} options @returns {Promise<Reply>} */
  changeOptions(options) {
    return this.socket.send({ do: 'options', options });
  }

  /** @param {string} text */
  talk(text) {
    return this.#send({ do: 'say', text });
  }

  /** @param {number} phrase */
  phrase(phrase) {
    return this.#send({ do: 'phrase', phrase });
  }

  /** @param {Player} player */
  async report(player) {
    const { name } = player;
    const answer = await askPlayer(t('reportTitle', { name }), t('reportText'), [['stay', t('cancel')], ['report', t('report')]]);
    if (answer !== 'report') return;
    if (await this.#send({ do: 'report', player: player.id })) this.app.tell(t('reported', { name }));
  }

  /** @param {Player} player */
  async remove(player) {
    const { name } = player;
    const answer = await askPlayer(t('removeTitle', { name }), t('leavesText', { name }), [['stay', t('stays')], ['remove', t('remove')]]);
    if (answer === 'remove') void this.#send({ do: 'remove', player: player.id });
  }

  /** @param {Player} player */
  handOver(player) {
    void this.#send({ do: 'hand-over', player: player.id });
  }

  /** @param {Player} player @param {boolean} yes */
  mute(player, yes) {
    void this.#send({ do: 'mute', player: player.id, yes });
  }

  /** @param {string} name @param {number | null} team @returns {Promise<string>} what went wrong, or nothing */
  async join(name, team) {
    try {
      const seat = await takeSeat(this.room, name, team);
      keepName(name);
      keepSeat(seat);
      this.panel.note('');
      this.#reconnect(seat.token);
      return '';
    } catch (error) {
      if (!(error instanceof RoomError)) throw error;
      return error.kind === 'gone' ? t('serverGone') : error.message;
    }
  }

  /** Gives the seat up and goes. */
  async leave() {
    if (this.you === null) {
      this.navigation.lobby();
      return;
    }
    const answer = await askPlayer(t('leaveTitle'), t('leaveText'), [['stay', t('stay')], ['leave', t('leave')], ['pause', t('leaveKeep')]]);
    if (answer === 'leave') {
      const done = this.#send({ do: 'leave' });
      forgetSeat(this.room);
      saveTabState(this.room, null);
      this.state = null;
      await done;
    }
    if (answer === 'leave' || answer === 'pause') this.navigation.lobby();
  }

  /** Comes back after the server or another tab closed the connection. */
  reconnectHere() {
    this.socket.close();
    this.socket = this.#connect();
  }

  get isHost() {
    return this.you !== null && this.state?.host === this.you;
  }

  get ownBid() {
    return this.state && bidOf(this.state, this.you);
  }

  get hostName() {
    return (this.state && playerOf(this.state, this.state.host)?.name) ?? '';
  }

  /** @returns {Binding[]} */
  keys() {
    const { roomBoard, state } = this;
    /** @type {Binding[]} */
    const keys = [];
    if (state?.phase === 'thinking' && state.options.style === 'bidding' && this.you !== null) {
      for (let digit = 1; digit <= 9; digit += 1) keys.push({ key: String(digit), does: t('keyBid'), run: () => this.panel.pad.type(String(digit)) });
    }
    keys.push(
      { key: 'u', does: t('keyUndo'), run: () => roomBoard.undo(), word: 'undo' },
      { key: 'Backspace', does: t('keyUndo'), run: () => roomBoard.undo(), quiet: true },
      { key: 'u', shift: true, does: t('keyRedo'), run: () => roomBoard.redo(), word: 'redo' },
      { key: '0', does: t('keyReset'), run: () => roomBoard.reset(), word: 'reset' },
      { key: 'k', does: t('keySkip'), run: () => this.skip(), word: 'skip' },
      { key: 'n', does: t('keyNextRound'), run: () => this.next(), word: 'next' },
      { key: 's', does: t('keySituation'), run: () => this.app.say(this.panel.situation()), word: 'situation' },
    );
    return keys;
  }
}
