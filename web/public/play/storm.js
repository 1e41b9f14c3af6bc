// The storm: as many puzzles as possible in three minutes. Shortest solutions in a row earn seconds,
// skipping costs some.

/** @import {View} from '../../types/page.d.ts' */
/** @import {App} from '../app/app.js' */
/** @import {Attempt} from './attempt.js' */
/** @import {Host, Kind, Session} from './session.js' */
import { formatRoute } from '../app/route.js';
import { plainLine } from '../training/puzzle-set.js';
import { AgainSession } from '../training/sessions.js';
import { button, h } from '../ui/dom.js';
import { load, save } from '../ui/storage.js';
import { t } from '../words/play.js';
import { Countdown, clockText } from './clock.js';
import { makePuzzle, lineWithoutOptimum } from './new-puzzle.js';
import { numberRow } from './panel.js';

const WHOLE = 180_000;
const SKIP_COST = 10;
/** Shortest solutions in a row, and the seconds they earn. */
const BONUS = /** @type {const} */ ([[12, 10], [9, 7], [6, 5], [3, 3]]);
/** From a number of solved puzzles on: the fewest and most moves of the next. */
const LENGTHS = /** @type {const} */ ([[0, 2, 3], [4, 3, 4], [9, 4, 5], [15, 5, 6], [22, 6, 8]]);
/** How many puzzles are made ahead. */
const AHEAD = 2;
/** Seconds left at which the time is announced. */
const WARNINGS = [60, 30, 10];

/** The lengths of the next puzzle. @param {number} solved @returns {[number, number]} */
export function lengthsFor(solved) {
  const [, least, most] = LENGTHS.findLast(([from]) => solved >= from) ?? LENGTHS[0];
  return [least, most];
}

/** Seconds for shortest solutions in a row. @param {number} combo */
export function bonusFor(combo) {
  return combo % 3 === 0 ? (BONUS.find(([from]) => combo >= from)?.[1] ?? 0) : 0;
}

/** @implements {Session} */
export class StormSession {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {Kind} */
    this.kind = 'storm';
    this.as = 'storm';
    this.hurried = true;
    /** @type {'ready' | 'running' | 'over'} */
    this.state = 'ready';
    this.stopped = false;
    this.score = 0;
    this.combo = 0;
    /** @type {Countdown | null} */
    this.clock = null;
    this.timer = 0;
    /** Puzzles are made ahead, so they outlive the one on the board. */
    this.ending = new AbortController();
    /** @type {Promise<View | null>[]} */
    this.ahead = [];
    /** @type {{line: string, length: number | null, solved: boolean}[]} */
    this.seen = [];
    this.record = load('storm', 0);
    this.isRecord = false;
    this.warned = WHOLE / 1000;
    /** @type {Host | null} */
    this.host = null;
    /** @type {HTMLElement | null} */
    this.display = null;
  }

  get over() {
    return this.state === 'over';
  }

  /** Nothing to play before the start. @returns {Promise<null>} */
  async first() {
    return null;
  }

  async next() {
    if (this.state === 'over') return null;
    if (this.state === 'running') this.#add(-SKIP_COST, 'stormPenalty');
    this.combo = 0;
    return this.#advance();
  }

  async #advance() {
    while (this.ahead.length < AHEAD) {
      const moves = lengthsFor(this.score + this.ahead.length);
      const made = makePuzzle(this.app.engine, { edition: '1999', moves }, this.ending.signal);
      // It may fail before it is awaited.
      made.catch(() => {});
      this.ahead.push(made);
    }
    const view = (await this.ahead.shift()) ?? null;
    if (view && this.state === 'ready') this.#start();
    if (view) this.seen.push({ line: lineWithoutOptimum(view), length: view.optimal ?? null, solved: false });
    return view;
  }

  #start() {
    this.state = 'running';
    this.clock = new Countdown(WHOLE);
    this.timer = window.setInterval(() => this.#tick(), 200);
  }

  /** @param {number} seconds @param {'stormBonus' | 'stormPenalty'} text */
  #add(seconds, text) {
    this.clock?.add(seconds * 1000);
    this.app.tell(t(text, { n: Math.abs(seconds) }));
  }

  #tick() {
    const left = this.clock?.left ?? 0;
    if (this.display) this.display.textContent = clockText(left + 999);
    const warning = WARNINGS.find((seconds) => left <= seconds * 1000 && this.warned > seconds);
    if (warning && left > 0) {
      this.warned = warning;
      this.app.say(t('stormSeconds', { n: warning }));
    }
    if (left <= 0) this.#end();
  }

  /** @param {boolean} [stopped] by the player, before the time was up */
  #end(stopped = false) {
    this.close();
    this.state = 'over';
    this.stopped = stopped;
    this.isRecord = this.score > this.record;
    if (this.isRecord) {
      this.record = this.score;
      save('storm', this.score);
    }
    this.app.board.input = 'none';
    this.app.say(this.#summary());
    this.host?.refresh();
  }

  #summary() {
    return t(this.stopped ? 'stormStopped' : 'stormOver', { n: this.score });
  }

  /** @param {Attempt} attempt */
  solved(attempt) {
    if (this.state !== 'running') return;
    this.score += 1;
    const last = this.seen.at(-1);
    if (last) last.solved = true;
    const perfect = attempt.moves.length <= (attempt.view.optimal ?? 0);
    this.combo = perfect ? this.combo + 1 : 0;
    const seconds = perfect ? bonusFor(this.combo) : 0;
    if (seconds) this.#add(seconds, 'stormBonus');
  }

  /** The next one after a solved one: it costs nothing. */
  follow() {
    return this.state === 'running' ? this.#advance() : Promise.resolve(null);
  }

  /** While the storm runs, its numbers replace those of the attempt. */
  headline() {
    if (this.state !== 'running') return null;
    const big = (/** @type {string | number} */ text) => h('dd', { class: 'big' }, text);
    this.display = big(clockText((this.clock?.left ?? 0) + 999));
    return numberRow([[t('stormLeft'), this.display], [t('stormScore'), big(this.score)], [t('stormCombo'), big(this.combo)]]);
  }

  guard() {
    return this.state === 'running' ? t('stormLoss') : null;
  }

  close() {
    clearInterval(this.timer);
    this.ending.abort();
  }

  /** @param {Host} host */
  details(host) {
    this.host = host;
    if (this.state === 'running') return [h('div', { class: 'row' }, button(t('stormStop'), () => this.#end(true)))];
    const over = this.state === 'over';
    const missed = this.seen.filter(({ solved }) => !solved).map(({ line, length }) => ({ line: plainLine(line), rating: null, deviation: null, length, themes: [] }));
    const review = this.seen.map(({ line, solved }, i) =>
      h('a', { class: 'button', href: formatRoute({ mode: 'analyse', line, moves: [], more: {} }) }, `${i + 1}${solved ? ' ✓' : ''}`),
    );
    return [
      h(
        'div',
        { class: 'sheet stack' },
        over ? h('h2', {}, this.#summary()) : null,
        over && this.isRecord ? h('p', {}, t('stormNewRecord')) : null,
        this.record ? h('p', { class: 'soft' }, t('stormRecord', { n: this.record })) : null,
        over ? null : h('p', {}, t('stormIntro')),
        button(t(over ? 'stormAgain' : 'stormStart'), () => (over ? host.begin(new StormSession(this.app)) : host.next()), { class: 'primary large' }),
        over && missed.length ? button(t('stormMissed', { n: missed.length }), () => host.begin(new AgainSession(this.app, missed))) : null,
        over && review.length ? h('h3', {}, t('stormReview')) : null,
        over ? h('div', { class: 'row' }, ...review) : null,
      ),
    ];
  }
}
