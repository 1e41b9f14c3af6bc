// The referee of a game around a table: commands and the time go in, events come out, by the rules
// that `ricochet-rooms` documents. It has no clock and no randomness of its own, so a test replays games
// of the Rust state machine and compares every event.

/** @import {Cell, View} from '../../../types/page.d.ts' */
/** @import {Failure, NumberedEvent, Options, PlayerId, Review, RoomEvent, RoomState, RoundResult, Standing} from '../../../types/room.d.ts' */
import { replay } from '../../board/rules.js';
import { shuffle } from '../../play/new-puzzle.js';
import { cleanName, freeName } from '../names.js';
import { applyEvent, movesIn, newRoom, playerOf, scoreOf, bidOf } from '../state.js';

/** The largest bid. */
const MAX_MOVES = 99;

/** The board of a game: everything of a view but robots and goal. @typedef {Pick<View, 'width' | 'height' | 'walls' | 'diagonals' | 'targets'>} Board */

/**
 * What a game begins with. @typedef {object} Deal
 * @property {string} layout empty for a board that only the people see
 * @property {Cell[]} robots
 * @property {Board | null} board
 * @property {number[]} stack numbers of the board's targets; the next one is the last
 */

/**
 * @typedef {{say: 'join', name: string, team?: number | null} | {say: 'leave', player: PlayerId}
 *   | {say: 'start', deal: Deal} | {say: 'turn-up', target?: number, optimum?: string | null}
 *   | {say: 'bid', player: PlayerId, moves: number} | {say: 'skip', player: PlayerId, yes: boolean}
 *   | {say: 'show', player: PlayerId, play: string} | {say: 'give-up', player: PlayerId}
 *   | {say: 'made-it', player: PlayerId} | {say: 'place', robots: Cell[]} | {say: 'pause'} | {say: 'resume'} | {say: 'tick'}} Command
 */

/** Why a command was not carried out. @typedef {{refusal: string, yours?: number, reason?: string}} Refusal */

/**
 * Where randomness comes in. @typedef {object} RandomSource
 * @property {(places: number) => number} place a random place in the stack
 * @property {(chips: number) => number[]} shuffle the numbers of the chips in random order
 */

/** @type {RandomSource} */
export const RANDOM = {
  place: (places) => Math.floor(Math.random() * places),
  shuffle: (chips) => shuffle(Array.from({ length: chips }, (_, i) => i)),
};

/** Chips that end a race, by the number of players or teams. @type {Record<number, number>} */
const RACE = { 2: 8, 3: 6, 4: 5 };

/** Everything that is needed to go on with a game. @typedef {{state: RoomState, deal: Deal | null, stack: number[], optimum: string | null, nextPlayer: number}} SavedGame */

export class Referee {
  /** @param {Options} options @param {RandomSource} [random] */
  constructor(options, random = RANDOM) {
    this.random = random;
    this.state = newRoom(options);
    /** @type {Deal | null} */
    this.deal = null;
    /** @type {number[]} */
    this.stack = [];
    /** A shortest solution of the round, if it is known. @type {string | null} */
    this.optimum = null;
    this.nextPlayer = 1;
    /** @type {NumberedEvent[]} */
    this.events = [];
    this.now = 0;
  }

  /** @returns {SavedGame} */
  keep() {
    const { state, deal, stack, optimum, nextPlayer } = this;
    return { state, deal, stack, optimum, nextPlayer };
  }

  /** Continues a saved game. @param {SavedGame} kept */
  resume(kept) {
    Object.assign(this, kept);
  }

  /** When something happens without a command. @returns {number | null} */
  get deadline() {
    const { phase, round, show, paused } = this.state;
    if (typeof paused === 'number') return null;
    if (phase === 'thinking') return round?.until ?? null;
    return phase === 'showing' ? (show?.until ?? null) : null;
  }

  /**
   * Carries out a command at a given time, after everything that was due before it.
   * @param {number} now @param {Command} command @returns {{events: NumberedEvent[], refusal: Refusal | null}}
   */
  handle(now, command) {
    this.events = [];
    for (let due = this.deadline; due !== null && due <= now; due = this.deadline) {
      this.now = Math.max(this.now, due);
      this.#expire();
    }
    this.now = Math.max(this.now, now);
    const refusal = this.#execute(command);
    return { events: this.events, refusal };
  }

  /** @param {RoomEvent} event */
  #emit(event) {
    const numbered = { ...event, number: this.state.version + 1, at: this.now };
    this.state = applyEvent(this.state, numbered);
    this.events.push(numbered);
  }

  /** @param {Command} command @returns {Refusal | null} */
  #execute(command) {
    if ('player' in command && !playerOf(this.state, command.player)) return { refusal: 'no-such-player' };
    if (typeof this.state.paused === 'number' && !['resume', 'tick'].includes(command.say)) return { refusal: 'paused' };
    switch (command.say) {
      case 'join':
        return this.#join(command.name, command.team ?? null);
      case 'leave':
        return this.#leave(command.player);
      case 'start':
        return this.#start(command.deal);
      case 'turn-up':
        return this.#turnUp(command.target, command.optimum ?? null);
      case 'bid':
        return this.#bid(command.player, command.moves);
      case 'skip':
        return this.#skip(command.player, command.yes);
      case 'show':
        return this.#show(command.player, command.play);
      case 'give-up':
        return this.#refuseUnlessShowing(command.player) ?? this.#fail(command.player, 'gave-up');
      case 'made-it':
        return this.#refuseUnlessShowing(command.player) ?? this.#endRound({ how: 'won', player: command.player, moves: '' });
      case 'place':
        this.#emit({ event: 'robots-placed', robots: command.robots });
        return null;
      case 'pause':
        return this.#pause();
      case 'resume':
        if (typeof this.state.paused === 'number') this.#emit({ event: 'resumed' });
        return null;
      default:
        return null;
    }
  }

  /** Nothing runs out until the game goes on. */
  #pause() {
    const { phase } = this.state;
    if (phase !== 'thinking' && phase !== 'showing') return { refusal: 'nothing-runs' };
    this.#emit({ event: 'paused' });
    return null;
  }

  #expire() {
    const { phase, show } = this.state;
    if (phase === 'thinking') this.#nextShow();
    else if (show) this.#fail(show.player, 'time');
  }

  // Coming and going.

  /** @param {string} requested @param {number | null} requestedTeam */
  #join(requested, requestedTeam) {
    const { players, options } = this.state;
    if (players.length >= options.seats) return { refusal: 'full' };
    const name = cleanName(requested);
    if (!name) return { refusal: 'no-name' };
    if (requestedTeam !== null && options.teams && !(requestedTeam >= 0 && requestedTeam < options.teams)) return { refusal: 'no-such-team' };
    const members = Array.from({ length: options.teams }, (_, team) => players.filter((player) => player.team === team).length);
    const team = options.teams ? (requestedTeam ?? members.indexOf(Math.min(...members))) : null;
    this.#emit({ event: 'joined', player: this.nextPlayer, name: freeName(name, players.map((player) => player.name)), bot: false, team });
    this.nextPlayer += 1;
    return null;
  }

  /** A player who leaves while showing has failed. @param {PlayerId} player */
  #leave(player) {
    const shows = this.#refuseUnlessShowing(player) === null;
    if (shows) this.#emit({ event: 'show-failed', player, reason: 'left' });
    this.#emit({ event: 'left', player, removed: false });
    if (shows) this.#nextShow();
    else this.#countSkipVotes();
    return null;
  }

  // Games.

  /** @param {Deal} deal */
  #start(deal) {
    const { phase, options, players, game } = this.state;
    if (phase !== 'lobby' && phase !== 'over') return { refusal: 'game-is-on' };
    this.deal = deal;
    this.stack = [...deal.stack];
    const sides = options.teams || players.length;
    this.#emit({
      event: 'game-started',
      game: (game?.number ?? 0) + 1,
      layout: deal.layout,
      robots: deal.robots,
      stack: this.stack,
      chips: this.stack.length,
      chips_to_win: options.length === 'race' ? (RACE[sides] ?? null) : null,
    });
    this.#endGameIfOver();
    return null;
  }

  /** After a round, or before the first: is the game over? */
  #endGameIfOver() {
    const { game, options, players } = this.state;
    if (!game) return;
    let over = players.some(({ id }) => game.chips_to_win !== null && scoreOf(this.state, id) >= game.chips_to_win);
    if (typeof options.length === 'object') {
      over ||= game.rounds >= options.length.rounds;
      if (!over && this.stack.length === 0) {
        this.stack = this.random.shuffle(this.deal?.stack.length ?? 0);
        this.#emit({ event: 'stack-refilled', stack: this.stack });
      }
    }
    if (over || this.nextChip === null) this.#emit({ event: 'game-ended', standings: standings(this.state) });
  }

  // Rounds.

  /** The puzzle that a chip makes of the robots' places; null without a board. @param {number} target @returns {View | null} */
  puzzle(target) {
    const { game, options } = this.state;
    const board = this.deal?.board;
    const chip = board?.targets[target];
    if (!board || !chip || !game) return null;
    const goal = { robot: chip.robot, cell: chip.cell };
    const rules = { must_ricochet: options.must_ricochet };
    return { ...board, line: null, id: null, optimal: null, layout: game.layout || null, problems: [], robots: game.robots, goal, rules };
  }

  /** The chip that is turned up next: one whose goal is reached already waits. @returns {number | null} */
  get nextChip() {
    const waits = (/** @type {number} */ target) => {
      const view = this.puzzle(target);
      return view !== null && replay(view, []).solved;
    };
    return this.stack.findLast((target) => !waits(target)) ?? null;
  }

  /** @param {number | undefined} requested the chip that people drew @param {string | null} optimum */
  #turnUp(requested, optimum) {
    const { phase, game } = this.state;
    const target = requested !== undefined && this.stack.includes(requested) ? requested : this.nextChip;
    if (phase !== 'pause' || target === null || !game) return { refusal: 'not-preparing' };
    this.stack = this.stack.filter((chip) => chip !== target);
    this.optimum = optimum;
    this.#emit({ event: 'round-started', round: game.rounds + 1, puzzle: '', target, left: this.stack.length, until: null, optimum });
    return null;
  }

  /** The first bid starts the sand; a player may bid again, only lower. @param {PlayerId} player @param {number} moves */
  #bid(player, moves) {
    const { phase, round, options } = this.state;
    if (phase !== 'thinking' || !round) return { refusal: 'not-thinking' };
    if (!Number.isInteger(moves) || moves < 1 || moves > MAX_MOVES) return { refusal: 'bid-out-of-range' };
    const own = bidOf(this.state, player)?.length ?? null;
    if (own !== null && own <= moves) return { refusal: 'not-lower', yours: own };
    this.#emit({ event: 'bid', player, moves, until: round.until ?? this.now + options.sand_ms });
    return null;
  }

  /** @param {PlayerId} player @param {boolean} yes */
  #skip(player, yes) {
    const { phase, round } = this.state;
    if (phase !== 'thinking' || !round) return { refusal: 'not-thinking' };
    if (round.stakes.length) return { refusal: 'bid-on' };
    if (round.skip_votes.includes(player) !== yes) {
      this.#emit({ event: 'skip-voted', player, yes });
      this.#countSkipVotes();
    }
    return null;
  }

  /** Ends a round without bids if all players want to skip it. */
  #countSkipVotes() {
    const { phase, round, players } = this.state;
    if (phase !== 'thinking' || !round || round.stakes.length || !players.length) return;
    if (players.every(({ id }) => round.skip_votes.includes(id))) this.#endRound({ how: 'skipped' });
  }

  // Showing.

  /** @param {PlayerId} player @returns {Refusal | null} null if it is the player's turn */
  #refuseUnlessShowing(player) {
    return this.state.show?.player === player ? null : { refusal: 'not-your-turn' };
  }

  /** The turn goes to the best bid that has not failed; without one the round is over. */
  #nextShow() {
    const { failed, options } = this.state;
    const next = showingOrder(this.state).find((player) => !failed.includes(player));
    const bid = next === undefined ? null : (bidOf(this.state, next)?.length ?? null);
    if (next !== undefined && bid !== null) {
      this.#emit({ event: 'show-started', player: next, bid, until: options.show_ms === null ? null : this.now + options.show_ms });
    } else {
      // The sand can run out without a bid if all bidders have left.
      this.#endRound({ how: failed.length ? 'all-failed' : 'skipped' });
    }
  }

  /** A move that goes nowhere does not count. @param {PlayerId} player @param {string} play */
  #show(player, play) {
    const refusal = this.#refuseUnlessShowing(player);
    const { show, round } = this.state;
    if (refusal || !show || !round) return refusal;
    const view = this.puzzle(round.target);
    const moves = [...movesIn(show.moves), play];
    const line = view && replay(view, moves);
    if (!line || line.failed) return { refusal: 'illegal-move' };
    this.#emit({ event: 'shown', player, play });
    if (line.solved) this.#endRound({ how: 'won', player, moves: moves.join(' ') });
    else if (moves.length >= show.bid) this.#fail(player, 'too-many-moves');
    return null;
  }

  /** @param {PlayerId} player @param {Failure} reason */
  #fail(player, reason) {
    this.#emit({ event: 'show-failed', player, reason });
    this.#nextShow();
    return null;
  }

  /** @param {RoundResult} result */
  #endRound(result) {
    const { round, game, failed } = this.state;
    if (!round || !game) return null;
    let { optimum } = this;
    if (result.how === 'all-failed') {
      // Not on top of the stack while there are others.
      this.stack = this.stack.toSpliced(this.random.place(Math.max(1, this.stack.length)), 0, round.target);
      if (this.stack.length === 1) optimum = null;
      this.#emit({ event: 'chip-returned', stack: this.stack });
    }
    const view = this.puzzle(round.target);
    const robots = result.how === 'won' && result.moves && view ? replay(view, movesIn(result.moves)).robots : game.robots;
    const best = this.optimum === null ? null : movesIn(this.optimum).length;
    const showed = result.how === 'won' && result.moves && movesIn(result.moves).length === best ? result.player : null;
    this.#emit({ event: 'round-ended', result, robots, optimum, review: review(this.state, failed, best, showed), next_at: this.now + this.state.options.pause_ms });
    this.#endGameIfOver();
    return null;
  }
}

/**
 * The order of showing: lowest bid first; ties go to fewer chips or to the newest player, then to the
 * earlier bid.
 * @param {RoomState} state @returns {PlayerId[]}
 */
function showingOrder(state) {
  const second = (/** @type {PlayerId} */ player) => (state.options.ties === 'fewer-chips' ? scoreOf(state, player) : -player);
  const stakes = state.round?.stakes ?? [];
  return stakes
    .toSorted((a, b) => (a.length ?? 0) - (b.length ?? 0) || second(a.player) - second(b.player) || (a.number ?? 0) - (b.number ?? 0))
    .map(({ player }) => player);
}

/**
 * Each player's part in a round. @param {RoomState} state @param {PlayerId[]} failed @param {number | null} optimum
 * @param {PlayerId | null} showed who showed a shortest solution, whatever the bid was @returns {Review[]}
 */
function review(state, failed, optimum, showed) {
  const since = state.round?.since ?? 0;
  return state.players.map(({ id: player }) => {
    const bid = bidOf(state, player);
    const best = bid?.length ?? null;
    return {
      player,
      first_ms: bid ? (bid.first_at ?? since) - since : null,
      last_ms: bid ? (bid.last_at ?? since) - since : null,
      best,
      saw_it: player === showed || (best !== null && best === optimum && !failed.includes(player)),
    };
  });
}

/** @param {RoomState} state @returns {Standing[]} */
function standings(state) {
  const { players, options } = state;
  const score = (/** @type {PlayerId} */ id) => scoreOf(state, id);
  return players
    .toSorted((a, b) => score(b.id) - score(a.id) || (a.team ?? -1) - (b.team ?? -1) || b.chips - a.chips)
    .map(({ id: player, name, team, chips }) => {
      const better = players.map(({ id }) => score(id)).filter((other) => other > score(player));
      // With teams a place is a team's.
      const before = options.teams ? new Set(better).size : better.length;
      return { place: before + 1, player, name, team, chips, score: score(player) };
    });
}
