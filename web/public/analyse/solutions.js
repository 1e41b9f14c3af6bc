// All shortest solutions of the position on the board: count, groups, stepping and watching.

/** @import {Move, Solved} from '../../types/page.d.ts' */
/** @import {App} from '../app/app.js' */
/** @import {Node} from './tree.js' */
import { isAbort } from '../engine/errors.js';
import { errorText } from '../speech/errors.js';
import { button, fill, h } from '../ui/dom.js';
import { chips } from '../ui/form-fields.js';
import { moveChips } from '../ui/move-chip.js';
import { t } from '../words/analyse.js';

/** Groups that are listed at most. */
const MOST = 200;

/** Milliseconds between two moves. */
const SPEEDS = { slow: 1600, normal: 800, fast: 300 };

export class Solutions {
  /**
   * @param {App} app
   * @param {{lineHere: () => Promise<string>, moves: () => Move[], node: () => Node | null, step: (node: Node, moves: Move[]) => void, forward: () => boolean}} context
   */
  constructor(app, context) {
    this.app = app;
    this.context = context;
    /** @type {keyof typeof SPEEDS} */
    this.speed = 'normal';
    /** @type {AbortController | null} */
    this.asking = null;
    this.watching = 0;
    this.result = h('div', { class: 'stack' });
    this.find = button(t('findAll'), () => this.#find());
    const speed = chips(t('speed'), [['slow', t('slow')], ['normal', t('normal')], ['fast', t('fast')]], this.speed, (value) => {
      this.speed = value;
    });
    this.content = [this.result, h('div', { class: 'row' }, this.find), speed];
  }

  /** Removes the list, which belonged to another puzzle. */
  clear() {
    this.asking?.abort();
    fill(this.result, []);
    this.find.disabled = false;
  }

  /** Finds them, unless they are listed already. */
  open() {
    if (!this.result.childElementCount) void this.#find();
  }

  stop() {
    window.clearTimeout(this.watching);
    this.watching = 0;
  }

  close() {
    this.stop();
    this.asking?.abort();
  }

  async #find() {
    const from = this.context.node();
    const made = this.context.moves().length;
    if (!from) return;
    this.asking?.abort();
    const asking = (this.asking = new AbortController());
    this.find.disabled = true;
    fill(this.result, [h('p', { class: 'soft' }, t('thinking'))]);
    try {
      const puzzle = await this.context.lineHere();
      const answer = await this.app.engine.ask('all', { puzzle, group: true, max: MOST, limits: { ms: 30_000 } }, { signal: asking.signal, onProgress: () => {} });
      if (!asking.signal.aborted) this.#show(answer, from, made);
    } catch (error) {
      if (isAbort(error) || asking.signal.aborted) return;
      fill(this.result, [h('p', { class: 'message' }, errorText(error))]);
    } finally {
      if (!asking.signal.aborted) this.find.disabled = false;
    }
  }

  /** @param {Solved} answer @param {Node} from where they begin @param {number} made the moves that lead there */
  #show(answer, from, made) {
    if (answer.outcome === 'unsolvable') {
      fill(this.result, [h('p', {}, t('unsolvable'))]);
      return;
    }
    /** @type {{moves: Move[], size: number}[]} */
    const groups = answer.groups ?? [];
    const count = answer.solutions ?? null;
    const head = count === null ? t('unknownAll') : t('countSolutions', { n: count, moves: answer.length ?? 0 });
    const items = groups.map(({ moves, size }) => h('li', {}, ...this.#item(moves, size, from)));
    fill(this.result, [
      h('p', {}, made ? t('afterMoves', { n: made }) : '', head),
      groups.length > 0 && groups.length < Number(count) && h('p', { class: 'soft' }, t('countGroups', { n: groups.length })),
      h('ol', { class: 'solutions' }, ...items),
      answer.all_limit && h('p', { class: 'message' }, t('listCut', { limit: answer.all_limit })),
    ]);
    this.app.say(head);
  }

  /** @param {Move[]} moves @param {number} size @param {Node} from */
  #item(moves, size, from) {
    return [
      h('div', { class: 'badges' }, moveChips(moves), size > 1 && h('span', { class: 'soft' }, t('orders', { n: size }))),
      h('div', { class: 'row' }, button(t('step'), () => this.context.step(from, moves), { class: 'small' }), button(t('watch'), () => this.#watch(from, moves), { class: 'small' })),
    ];
  }

  /** @param {Node} from @param {Move[]} moves */
  #watch(from, moves) {
    this.stop();
    this.context.step(from, moves);
    const tick = () => {
      this.watching = this.context.forward() ? window.setTimeout(tick, SPEEDS[this.speed]) : 0;
    };
    this.watching = window.setTimeout(tick, 200);
  }
}
