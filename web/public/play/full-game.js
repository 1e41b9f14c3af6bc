// A full game for one: all targets of a board one after the other, robots staying where they end.
// It is kept on this device after every move.

/** @import {Cell, Move, Target, View} from '../../types/page.d.ts' */
/** @import {App} from '../app/app.js' */
/** @import {Attempt} from './attempt.js' */
/** @import {Host, Kind, Session} from './session.js' */
import { replay } from '../board/rules.js';
import { askPlayer } from '../ui/dialogs.js';
import { button, h } from '../ui/dom.js';
import { forget, load, save } from '../ui/storage.js';
import { t } from '../words/play.js';
import { clockText } from './clock.js';
import { makePuzzle, shuffle } from './new-puzzle.js';

/** @typedef {{moves: number, optimum: number | null, ms: number, gaveUp: boolean}} Round */
/** @typedef {{view: View, left: Target[], rounds: Round[], moves: Move[]}} SavedFullGame */

/** @implements {Session} */
export class GameSession {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {Kind} */
    this.kind = 'game';
    this.as = 'game';
    /** @type {SavedFullGame | null} */
    this.saved = load('game', null);
  }

  /** Whether a game is under way. */
  get open() {
    return this.saved !== null && this.saved.left.length > 0;
  }

  /** @param {AbortSignal} signal */
  async first(signal) {
    return this.saved ? this.saved.view : this.#deal(signal);
  }

  /** The moves that were made at the present target. @returns {Move[]} */
  get moves() {
    return this.saved?.moves ?? [];
  }

  /** @param {AbortSignal} signal */
  async #deal(signal) {
    const board = await makePuzzle(this.app.engine, { edition: '1999' }, signal);
    if (!board) return null;
    const left = shuffle(board.targets);
    this.saved = { view: board, left, rounds: [], moves: [] };
    return this.#turn(board.robots, signal);
  }

  /** The next target with the robots where they are. @param {Cell[]} robots @param {AbortSignal} signal */
  async #turn(robots, signal) {
    const { saved } = this;
    if (!saved) return null;
    const { view, left } = saved;
    const goalOf = (/** @type {Target} */ target) => ({ robot: target.robot, cell: target.cell });
    // A target on which its robot stands already waits until it has left.
    const waiting = left.findIndex((target) => !replay({ ...view, robots, goal: goalOf(target) }, []).solved);
    const at = Math.max(0, waiting);
    [left[0], left[at]] = [left[at], left[0]];
    const setup = { ...view, id: null, optimal: null, robots, goal: goalOf(left[0]) };
    const { line } = await this.app.engine.ask('validate', { setup }, { signal });
    saved.view = { ...setup, line };
    saved.moves = [];
    save('game', saved);
    return saved.view;
  }

  /** The next target comes after this one only. @param {Attempt} attempt */
  refuse(attempt) {
    return this.open && !attempt.solved ? t('solveFirst') : null;
  }

  /** @param {AbortSignal} signal */
  async next(signal) {
    const attempt = this.attempt;
    if (!this.saved || !this.open) {
      forget('game');
      return this.#deal(signal);
    }
    if (!attempt) return this.saved.view;
    this.saved.rounds.push({ moves: attempt.moves.length, optimum: attempt.optimum, ms: attempt.clock.ms, gaveUp: attempt.gaveUp });
    this.saved.left.shift();
    if (this.saved.left.length > 0) return this.#turn(attempt.robots, signal);
    save('game', this.saved);
    this.app.say(this.#summary());
    return this.saved.view;
  }

  /** @type {Attempt | null} */
  attempt = null;

  /** @param {Attempt} attempt */
  changed(attempt) {
    this.attempt = attempt;
    if (!this.saved || !this.open) return;
    this.saved.moves = attempt.moves;
    save('game', this.saved);
  }

  #summary() {
    const rounds = this.saved?.rounds ?? [];
    const solved = rounds.filter((round) => !round.gaveUp);
    const perfect = solved.filter((round) => round.optimum !== null && round.moves <= round.optimum).length;
    const moves = rounds.reduce((sum, round) => sum + round.moves, 0);
    const ms = rounds.reduce((sum, round) => sum + round.ms, 0);
    return `${t('gameOver', { solved: solved.length, of: rounds.length, moves, time: clockText(ms) })} ${t('gamePerfect', { n: perfect })}`;
  }

  /** @param {Host} host */
  details(host) {
    const rounds = this.saved?.rounds ?? [];
    const of = rounds.length + (this.saved?.left.length ?? 0);
    const n = rounds.reduce((sum, round) => sum + round.moves, 0);
    const m = rounds.reduce((sum, round) => sum + (round.optimum ?? Number.NaN), 0);
    const fresh = async () => {
      const answer = this.open && rounds.length + this.moves.length > 0
        ? await askPlayer(t('gameLossTitle'), t('gameLoss', { n: rounds.length + 1, of }), [['keep', t('keepGame')], ['new', t('newGame')]])
        : 'new';
      if (answer !== 'new') return;
      forget('game');
      host.begin(new GameSession(this.app));
    };
    return [
      h(
        'div',
        { class: 'card stack' },
        h('h3', {}, this.open ? t('gameTarget', { n: rounds.length + 1, of }) : t('game')),
        h('p', {}, this.saved && !this.open ? this.#summary() : rounds.length ? t(Number.isNaN(m) ? 'gameScoreUnknown' : 'gameScore', { n, m }) : t('gameIntro')),
        h('progress', { max: of || 17, value: rounds.length, 'aria-label': t('gameTarget', { n: Math.min(of, rounds.length + 1), of }) }),
        h(
          'div',
          { class: 'row' },
          button(t('newGame'), fresh),
        ),
      ),
    ];
  }
}
