// The panel and the buttons of play. They are built once and then only updated, so that nothing jumps
// and the focus stays.

/** @import {Move, View} from '../../types/page.d.ts' */
/** @import {Attempt} from './attempt.js' */
/** @import {Kind, Session} from './session.js' */
import { goalPiece } from '../board/pieces.js';
import { s } from '../board/svg.js';
import { capitalize, goalSentence, whoName } from '../speech/sentences.js';
import { button, fill, flash, h } from '../ui/dom.js';
import { icon, tool } from '../ui/icons.js';
import { moveChips } from '../ui/move-chip.js';
import { t } from '../words/play.js';
import { t as tTraining } from '../words/training.js';
import { clockText } from './clock.js';

/** @type {Kind[]} */
const KINDS = ['puzzle', 'daily', 'training', 'game', 'storm'];

/**
 * @typedef {object} Actions
 * @property {(kind: Kind) => void} kind
 * @property {() => void} undo
 * @property {() => void} redo
 * @property {() => void} reset
 * @property {() => void} hint
 * @property {() => void} solve
 * @property {() => void} next
 * @property {() => void} analyse
 * @property {() => Promise<boolean>} copyLink whether it could
 * @property {() => void} save the puzzle, or no longer
 */

export class PlayPanel {
  /** @param {Actions} actions */
  constructor(actions) {
    this.actions = actions;
    /** @type {Kind} */
    this.kind = 'puzzle';
    this.kinds = new Map(KINDS.map((kind) => [kind, button(t(kind), () => actions.kind(kind), { 'aria-pressed': 'false' })]));
    this.goalPicture = s('svg', { class: 'goal-picture', viewBox: '-50 -50 100 100', 'aria-hidden': 'true' });
    this.goal = h('h2', { class: 'goal-text' });
    this.goalPlace = h('p', { class: 'soft' });
    this.moves = h('dd', { class: 'big' }, '0');
    this.time = h('dd', { class: 'big' }, '0:00');
    this.best = h('dd', { class: 'big' }, '–');
    this.bestName = h('span');
    this.showsFewest = false;
    this.numbers = numberRow([[t('moves'), this.moves], [t('time'), this.time], [this.bestName, this.best]]);
    /** The numbers that matter: those of the attempt, or a session's own. */
    this.headline = h('div', { class: 'headline' }, this.numbers);
    this.kindRow = h('div', { class: 'segments kinds', role: 'group', 'aria-label': t('kinds') }, ...this.kinds.values());
    this.message = h('div', { class: 'play-message' });
    this.list = h('div', { class: 'move-list', role: 'group', 'aria-label': t('movesMade') });
    /** The result of a solved puzzle. */
    this.resultHost = h('div', { class: 'result-host' });
    this.link = this.#linkButton();
    this.save = tool('bookmark', tTraining('save'), actions.save);
    this.save.classList.add('labelled', 'no-print');
    this.task = h(
      'section',
      { class: 'sheet task', 'aria-label': t('task') },
      h('div', { class: 'goal-row' }, this.goalPicture, h('div', {}, this.goal, this.goalPlace)),
      this.headline,
      h('div', { class: 'moves-row' }, this.list, h('div', { class: 'row' }, this.save, this.link)),
    );
    this.details = h('div', { class: 'stack' });
    this.buttons = {
      undo: tool('undo', t('undo'), actions.undo),
      redo: tool('redo', t('redo'), actions.redo),
      reset: tool('reset', t('reset'), actions.reset),
      hint: tool('hint', t('hint'), actions.hint),
      solve: tool('solution', t('solution'), actions.solve),
      next: tool('new', t('newPuzzle'), actions.next),
    };
  }

  /** Below the board. */
  get tools() {
    return Object.values(this.buttons);
  }

  /** Beside the board. @returns {Node[]} */
  get content() {
    return [
      this.kindRow,
      this.resultHost,
      this.task,
      this.message,
      this.details,
    ];
  }

  #linkButton() {
    const label = h('span', {}, t('copyLink'));
    const copy = async () => {
      if (await this.actions.copyLink()) flash(label, t('linkCopied'));
    };
    const link = button('', copy, { class: 'tool labelled no-print' });
    fill(link, [icon('link'), label]);
    return link;
  }

  /** @param {Session} session */
  setKind({ kind, hurried = false, hasNoSkip = false, showsFewest = false }) {
    for (const [one, tab] of this.kinds) tab.setAttribute('aria-pressed', String(one === kind));
    this.buttons.solve.hidden = hurried;
    this.buttons.hint.hidden = hurried;
    // There is one daily puzzle a day.
    this.buttons.next.hidden = kind === 'daily' || hasNoSkip;
    const next = kind === 'storm' ? t('skip') : t(kind === 'game' ? 'nextTarget' : 'newPuzzle');
    fill(this.buttons.next, [icon(kind === 'storm' || kind === 'game' ? 'next' : 'new'), h('span', {}, kind === 'game' ? t('nextShort') : next)]);
    this.buttons.next.title = next;
    this.setResult(null);
    this.link.hidden = kind === 'storm';
    this.save.hidden = kind === 'storm';
    this.bestName.textContent = t(showsFewest ? 'par' : 'best');
    this.showsFewest = showsFewest;
    this.kind = kind;
  }

  /** The sheet about a solved puzzle; null takes it away. @param {Node | null} sheet */
  setResult(sheet) {
    fill(this.resultHost, [sheet]);
    this.message.hidden = sheet !== null;
    this.#writeNext();
  }

  /** If the panel offers the next puzzle, the tools do not. */
  #writeNext() {
    const offers = this.resultHost.childElementCount > 0 || this.message.querySelector('.primary') !== null;
    this.buttons.next.dataset.offered = offers ? 'yes' : 'no';
    this.details.dataset.next = offers ? 'offered' : '';
  }

  /** @param {View | null} view */
  setGoal(view) {
    this.task.hidden = view === null;
    if (!view) return;
    const piece = goalPiece(view);
    piece.removeAttribute('transform');
    fill(this.goalPicture, [piece]);
    this.goal.textContent = t('goalShort', { who: capitalize(whoName(view.goal.robot)) });
    this.goalPlace.textContent = goalSentence(view);
  }

  /** @param {Attempt | null} attempt */
  update(attempt) {
    const { undo, redo, reset, hint, solve, next } = this.buttons;
    this.moves.textContent = String(attempt?.moves.length ?? 0);
    if (this.showsFewest) this.best.textContent = String(attempt?.optimum ?? '–');
    else this.best.textContent = attempt?.best ? `${attempt.best}${attempt.verdict === 'optimal' ? ' ★' : ''}` : '–';
    this.tick(attempt);
    undo.disabled = !attempt?.moves.length;
    redo.disabled = !attempt?.undone.length;
    reset.disabled = !attempt?.moves.length;
    hint.disabled = !attempt || attempt.solved || attempt.gaveUp;
    solve.disabled = !attempt || attempt.gaveUp;
    next.disabled = this.kind === 'game' ? !attempt?.solved && !attempt?.gaveUp : !attempt && this.kind === 'storm';
    this.#list(attempt?.moves ?? []);
  }

  /** @param {Attempt | null} attempt */
  tick(attempt) {
    const text = clockText(attempt?.clock.ms ?? 0);
    if (this.time.textContent !== text) this.time.textContent = text;
  }

  /** @param {Move[]} moves */
  #list(moves) {
    this.list.dataset.empty = moves.length ? 'no' : 'yes';
    fill(this.list, moves.length ? [moveChips(moves)] : [t('noMoves')]);
  }

  /** Numbers of a session instead of the attempt's. @param {Node | null} numbers @param {boolean} [alone] nothing else can be chosen */
  setHeadline(numbers, alone = false) {
    fill(this.headline, [numbers ?? this.numbers]);
    this.kindRow.hidden = alone;
  }

  /** Whether the puzzle is one of those that the player has saved. @param {boolean} saved */
  setSaved(saved) {
    this.save.setAttribute('aria-pressed', String(saved));
    const name = tTraining(saved ? 'unsave' : 'save');
    fill(this.save, [icon('bookmark'), h('span', {}, name)]);
    this.save.title = name;
  }

  /** Shows a message; without one, how to play. @param {(Node | string)[]} content @param {'good' | 'plain'} [tone] */
  setMessage(content, tone = 'plain') {
    this.message.dataset.tone = content.length ? tone : '';
    this.message.hidden = this.resultHost.childElementCount > 0 || (!content.length && this.task.hidden);
    const idle = matchMedia('(pointer: coarse)').matches ? 'idleTouch' : this.kind === 'storm' ? 'idleStorm' : 'idle';
    fill(this.message, content.length ? content : [h('p', { class: 'soft' }, t(idle))]);
    this.#writeNext();
  }
}

/** @param {(readonly [string | Node, HTMLElement])[]} pairs */
export function numberRow(pairs) {
  return h('dl', { class: 'numbers' }, ...pairs.map(([name, value]) => h('div', {}, h('dt', {}, name), value)));
}
