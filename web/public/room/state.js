// A room, changed by its events. Rooms of the server and games around a table are kept by the same
// function; a test compares the result with `ricochet-rooms` after every event.

/** @import {NumberedEvent, Options, PlayerId, RoomState, RoomView, Bid} from '../../types/room.d.ts' */

/** Chat lines that are kept. */
const MOST_TALK = 100;

/** A room that was just opened. @param {Options} options @returns {RoomState} */
export function newRoom(options) {
  return fromView({ version: 0, options, players: [], host: null, phase: 'lobby', game: null, round: null, show: null, pause: null });
}

/** The state of a room from a snapshot. @param {RoomView & Partial<RoomState>} view @returns {RoomState} */
export function fromView(view) {
  return { failed: [], ended: null, standings: null, talk: [], ...view };
}

/** @param {RoomState} state @param {PlayerId | null} id */
export const playerOf = (state, id) => state.players.find((player) => player.id === id) ?? null;

/** @param {RoomState} state @param {PlayerId | null} id */
export const bidOf = (state, id) => state.round?.stakes.find((bid) => bid.player === id) ?? null;

/** What counts for a player: the own chips, or those of the team. @param {RoomState} state @param {PlayerId} id */
export function scoreOf(state, id) {
  const player = playerOf(state, id);
  if (!player || player.team === null) return player?.chips ?? 0;
  return state.players.filter(({ team }) => team === player.team).reduce((sum, { chips }) => sum + chips, 0);
}

/** Moves in a text, apart. @param {string | null} text */
export const movesIn = (text) => (text ?? '').split(' ').filter(Boolean);

/** The room after an event. @param {RoomState} state @param {NumberedEvent} event @returns {RoomState} */
export function applyEvent(state, event) {
  return { ...change(state, event), version: event.number };
}

/** @param {RoomState} state @param {NumberedEvent} event @returns {RoomState} */
function change(state, event) {
  const { game, round, show, pause } = state;
  /** @param {PlayerId | null} id @param {(player: RoomState['players'][number]) => object} changes */
  const withPlayer = (id, changes) => state.players.map((player) => (player.id === id ? { ...player, ...changes(player) } : player));
  switch (event.event) {
    case 'opened':
      return { ...state, options: event.options };
    case 'joined': {
      const { player: id, name, bot, level, team } = event;
      return { ...state, players: [...state.players, { id, name, bot, ...(level === undefined ? {} : { level }), team, connected: true, chips: 0 }] };
    }
    case 'dropped':
    case 'returned':
      return { ...state, players: withPlayer(event.player, () => ({ connected: event.event === 'returned' })) };
    case 'left':
      return {
        ...state,
        players: state.players.filter(({ id }) => id !== event.player),
        round: round && {
          ...round,
          stakes: round.stakes.filter(({ player }) => player !== event.player),
          skip_votes: round.skip_votes.filter((player) => player !== event.player),
        },
        pause: pause && { ...pause, votes: pause.votes.filter((player) => player !== event.player) },
      };
    case 'host-changed':
      return { ...state, host: event.player };
    case 'options-changed': {
      const teams = new Map(event.teams.map(({ player, team }) => [player, team]));
      return { ...state, options: event.options, players: state.players.map((player) => ({ ...player, team: teams.get(player.id) ?? null })) };
    }
    case 'game-started': {
      const { game: number, layout, robots, chips, chips_to_win } = event;
      return {
        ...state,
        phase: 'pause',
        game: { number, layout, robots, chips_left: chips, chips_to_win, rounds: 0, chips },
        round: null,
        show: null,
        pause: { next_at: event.at, votes: [] },
        failed: [],
        ended: null,
        standings: null,
        players: state.players.map((player) => ({ ...player, chips: 0 })),
      };
    }
    case 'stack-refilled':
      return { ...state, game: game && { ...game, chips_left: event.stack?.length ?? game.chips ?? game.chips_left } };
    case 'chip-returned':
      return { ...state, game: game && { ...game, chips_left: game.chips_left + 1 } };
    case 'chip-discarded':
      return { ...state, game: game && { ...game, chips_left: game.chips_left - 1 }, pause: pause && { ...pause, votes: [] } };
    case 'round-started': {
      const { round: number, puzzle, target, left, until } = event;
      return {
        ...state,
        phase: 'thinking',
        game: game && { ...game, chips_left: left, rounds: number },
        round: { number, puzzle, target, since: event.at, until, stakes: [], skip_votes: [] },
        show: null,
        pause: null,
        failed: [],
        ended: null,
      };
    }
    case 'bid':
      return { ...state, round: round && { ...round, until: event.until, skip_votes: [], stakes: withBid(round.stakes, event, event.moves, null) } };
    case 'submitted':
      return { ...state, round: round && { ...round, stakes: withBid(round.stakes, event, event.length, event.moves) } };
    case 'sand-started':
      return { ...state, round: round && { ...round, until: event.until } };
    case 'skip-voted': {
      const others = round?.skip_votes.filter((player) => player !== event.player) ?? [];
      return { ...state, round: round && { ...round, skip_votes: event.yes ? [...others, event.player] : others } };
    }
    case 'show-started':
      return { ...state, phase: 'showing', show: { player: event.player, bid: event.bid, moves: '', until: event.until } };
    case 'shown':
      return { ...state, show: show && { ...show, moves: show.moves ? `${show.moves} ${event.play}` : event.play } };
    case 'show-failed':
      return { ...state, show: null, failed: [...state.failed, event.player] };
    case 'round-ended': {
      const { result, robots, optimum, review, next_at } = event;
      const winner = result.how === 'won' ? result.player : null;
      return {
        ...state,
        phase: 'pause',
        game: game && { ...game, robots },
        players: withPlayer(winner, ({ chips }) => ({ chips: chips + 1 })),
        ended: round && { number: round.number, puzzle: round.puzzle, target: round.target, result, optimum, review, failed: state.failed, next_at },
        round: null,
        show: null,
        pause: { next_at, votes: [] },
        failed: [],
      };
    }
    case 'next-voted': {
      const others = pause?.votes.filter((player) => player !== event.player) ?? [];
      return { ...state, pause: pause && { ...pause, votes: event.yes ? [...others, event.player] : others } };
    }
    case 'pause-ended':
      return { ...state, pause: pause && { next_at: event.at, votes: [] } };
    case 'game-ended':
      return { ...state, phase: 'over', pause: null, standings: event.standings };
    case 'said': {
      const name = playerOf(state, event.player)?.name ?? '';
      return { ...state, talk: [...state.talk, { player: event.player, name, text: event.text, at: event.at }].slice(-MOST_TALK) };
    }
    case 'phrase': {
      const name = playerOf(state, event.player)?.name ?? '';
      return { ...state, talk: [...state.talk, { player: event.player, name, text: '', phrase: event.phrase, at: event.at }].slice(-MOST_TALK) };
    }
    case 'muted':
      return { ...state, players: withPlayer(event.player, () => ({ muted: event.yes })) };
    case 'paused':
      return { ...state, paused: event.at };
    case 'resumed':
      return { ...shiftTimes(state, event.at - (state.paused ?? event.at)), paused: null };
    case 'robots-placed':
      return { ...state, game: game && { ...game, robots: event.robots } };
    default:
      // A newer server says more than this page knows.
      return state;
  }
}

/** The round with all its times shifted. @param {RoomState} state @param {number} by milliseconds @returns {RoomState} */
export function shiftTimes(state, by) {
  const { round, show } = state;
  /** @template {number | null | undefined} T @param {T} time @returns {T} */
  const moved = (time) => /** @type {T} */ (typeof time === 'number' ? time + by : time);
  return {
    ...state,
    round: round && {
      ...round,
      since: moved(round.since),
      until: moved(round.until),
      stakes: round.stakes.map((bid) => ({ ...bid, first_at: moved(bid.first_at), last_at: moved(bid.last_at) })),
    },
    show: show && { ...show, until: moved(show.until) },
  };
}

/**
 * Adds a bid; it replaces the player’s previous one, whose first time it keeps.
 * @param {Bid[]} stakes @param {{player: PlayerId, number: number, at: number}} event
 * @param {number | null} length @param {string | null} moves
 */
function withBid(stakes, { player, number, at }, length, moves) {
  const before = stakes.find((bid) => bid.player === player);
  return [...stakes.filter((bid) => bid !== before), { player, length, moves, number, first_at: before?.first_at ?? at, last_at: at }];
}
