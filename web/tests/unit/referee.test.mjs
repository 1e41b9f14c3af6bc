// Rooms as the page keeps them, and the referee of games around a table: random games of the Rust
// state machine, compared after every command.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Referee } from '../../public/room/table/referee.js';
import { applyEvent, newRoom } from '../../public/room/state.js';
import { exampleLines } from '../tools/examples.mjs';

/** @import {NumberedEvent, RoomState} from '../../types/room.d.ts' */

const GAMES = 150;

/** The view of a spectator, as the server would send it. @param {RoomState} state */
function seen({ version, options, players, host, phase, game, round, show, pause }, hidden = false) {
  return {
    version: hidden ? 0 : version, options, players: players.map((player) => ({ ...player, muted: player.muted ?? false })), host: hidden ? null : host, phase,
    game: game && { number: game.number, layout: game.layout, robots: game.robots, chips_left: game.chips_left, chips_to_win: game.chips_to_win, rounds: game.rounds },
    round: round && {
      number: round.number, puzzle: hidden ? '' : round.puzzle, target: round.target, since: round.since, until: round.until, skip_votes: round.skip_votes,
      stakes: round.stakes.map(({ player, length, moves }) => ({ player, length, moves })),
    },
    show,
    // Around a table there is no wait for the next round.
    pause: hidden ? null : pause,
  };
}

/** An event without what only the server can know. @param {NumberedEvent} event */
function plain(event) {
  const { number, ...rest } = event;
  return 'puzzle' in rest ? { ...rest, puzzle: '' } : rest;
}

/** An event as a spectator gets it. @param {any} event @returns {NumberedEvent} */
function forSpectators(event) {
  const seen = { ...event };
  for (const hidden of ['seed', 'stack']) if (hidden in seen) seen[hidden] = null;
  if (event.event === 'round-started') seen.optimum = null;
  if (event.event === 'submitted') Object.assign(seen, { length: null, moves: null });
  return seen;
}

/** What only rooms have; a table has one person at the page who does all of it. */
const ONLY_ROOMS = new Set(['host-changed', 'next-voted', 'pause-ended', 'options-changed']);

/** Replays one game's command in the referee. @param {Referee} referee @param {any} step */
function replayStep(referee, step) {
  /** @type {any[]} */
  const wanted = step.events.filter((/** @type {any} */ { event }) => !ONLY_ROOMS.has(event));
  for (const event of step.events) if (event.event === 'options-changed') referee.state = applyEvent(referee.state, { ...event, number: referee.state.version });
  const find = (/** @type {string} */ name) => wanted.find(({ event }) => event === name);
  referee.random = {
    place: () => find('chip-returned').stack.indexOf(find('chip-returned').stack.find((/** @type {number} */ chip) => !referee.stack.includes(chip))),
    shuffle: () => find('stack-refilled').stack,
  };
  let { command } = step;
  const started = find('game-started');
  const turned = find('round-started');
  if (command.say === 'start') {
    const { layout = '', robots = [], stack = [] } = started ?? {};
    command = { say: 'start', deal: { layout, robots, stack, board: step.board } };
  } else if (turned) {
    if (command.say !== 'prepared') assert.deepEqual(referee.handle(step.at, { say: 'tick' }).events, []);
    command = { say: 'turn-up', optimum: turned.optimum };
  } else if (['prepared', 'next', 'options'].includes(command.say)) {
    command = { say: 'tick' };
  }
  const reply = referee.handle(step.at, command);
  const refusal = reply.refusal && step.refusal?.reason ? { ...reply.refusal, reason: step.refusal.reason } : reply.refusal;
  if (!['next', 'options'].includes(step.command.say)) assert.deepEqual(refusal, step.refusal, JSON.stringify(step));
  assert.deepEqual(reply.events.map(plain), wanted.map(plain), JSON.stringify(step));
  assert.deepEqual(seen(referee.state, true), seen({ ...step.view, version: 0 }, true), JSON.stringify(step));
}

test('random games of ricochet-rooms: the same state after the same events, the same events after the same commands', async () => {
  /** @type {Record<string, number>} */
  const counts = {};
  let state = /** @type {RoomState | null} */ (null);
  let referee = /** @type {Referee | null} */ (null);
  for await (const line of exampleLines('ricochet-rooms', 'games', GAMES)) {
    const step = JSON.parse(line);
    for (const event of step.events) {
      if (event.event === 'opened') {
        state = newRoom(event.options);
        referee = event.options.style === 'bidding' ? new Referee(event.options) : null;
      }
      assert.ok(state);
      const name = event.event === 'round-ended' ? event.result.how : event.event === 'show-failed' ? event.reason : event.event;
      counts[name] = (counts[name] ?? 0) + 1;
      state = applyEvent(state, forSpectators(event));
    }
    assert.ok(state);
    assert.deepEqual(seen(state), seen(step.view), line);
    if (referee && step.command.say !== 'open') {
      replayStep(referee, step);
      const key = step.refusal?.refusal;
      if (key) counts[key] = (counts[key] ?? 0) + 1;
    }
  }
  // The games contain what they are meant to test.
  for (const name of [
    'won', 'all-failed', 'skipped', 'too-many-moves', 'time', 'gave-up', 'left', 'chip-returned', 'stack-refilled', 'game-ended', 'submitted', 'dropped',
    'not-lower', 'bid-out-of-range', 'bid-on', 'not-your-turn', 'illegal-move', 'not-thinking', 'game-is-on', 'next-voted', 'pause-ended', 'options-changed',
  ]) assert.ok(counts[name] > 0, `${name} in ${JSON.stringify(counts)}`);
});
