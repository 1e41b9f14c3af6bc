// The board in a frame on another page: moves, undo, reset, and a link to the whole page. The server
// delivers the puzzle with the document; on a site of files alone, the fragment names it.

/** @import {Binding, Direction, View} from '../../types/page.d.ts' */
import { puzzleLink, withoutOptimum } from '../app/links.js';
import { Board } from '../board/board.js';
import { ARROWS } from '../board/grid.js';
import { LETTERS, isMove } from '../board/rules.js';
import { delivered, deliveredAnswer } from '../engine/delivered.js';
import { engineFile, loadEngine, readManifest } from '../engine/manifest.js';
import { Attempt } from '../play/attempt.js';
import { capitalize, goalSentence, placeName, robotName, slideSentence } from '../speech/sentences.js';
import { byId, fill, h } from '../ui/dom.js';
import { listen } from '../ui/keys.js';
import { moveChip } from '../ui/move-chip.js';
import { applySettings, isMotionOn } from '../ui/settings.js';
import { t as tBoard } from '../words/board.js';
import { t } from '../words/embed.js';

class Embed {
  /** @param {View} view @param {Board} board */
  constructor(view, board) {
    this.board = board;
    this.attempt = new Attempt(view, []);
    const undo = button('undo', () => this.undo());
    const reset = button('reset', () => this.reset());
    this.buttons = [undo, reset];
    const open = /** @type {HTMLAnchorElement} */ (byId('open'));
    open.textContent = `${t('open')} ↗`;
    open.setAttribute('aria-label', t('openLong'));
    open.href = puzzleLink(withoutOptimum(view.line ?? ''));
    byId('task').textContent = goalSentence(view);
    byId('task').title = goalSentence(view);
    board.show(view);
    board.on('move', ({ robot, direction }) => this.move(robot, direction));
    listen(() => this.keys());
    this.write();
  }

  /** @param {number} robot @param {Direction} direction */
  move(robot, direction) {
    const { attempt, board } = this;
    if (attempt.solved) return;
    const slide = attempt.slideOf(robot, direction);
    if (!isMove(slide)) {
      say(slideSentence(slide));
      return;
    }
    attempt.play(slide);
    void board.slide(slide);
    board.select(attempt.solved ? null : robot);
    say(attempt.solved ? `${slideSentence(slide)} ${this.verdict()}.` : slideSentence(slide));
    this.write();
  }

  undo() {
    if (!this.attempt.undo()) return;
    say(t('undone'));
    this.#place();
  }

  reset() {
    while (this.attempt.undo());
    say(t('start'));
    this.#place();
  }

  #place() {
    this.board.place(this.attempt.robots, true);
    this.write();
  }

  verdict() {
    return t('solved', { n: this.attempt.moves.length });
  }

  write() {
    const { moves, solved } = this.attempt;
    fill(byId('moves'), solved ? [h('span', { class: 'verdict' }, this.verdict())] : moves.map(moveChip));
    for (const one of this.buttons) one.disabled = moves.length === 0;
  }

  /** @returns {Binding[]} */
  keys() {
    const { board } = this;
    const selecting = board.robots.map((_, robot) => ({
      key: LETTERS[robot].toLowerCase(),
      does: '',
      run: () => {
        board.select(robot);
        say(tBoard('selected', { robot: capitalize(robotName(robot)), place: placeName(board.robots[robot]) }));
      },
    }));
    const moving = Object.entries(ARROWS).map(([key, direction]) => ({
      key,
      does: '',
      run: () => {
        if (board.selected === null) say(tBoard('selectFirst', { letters: LETTERS.slice(0, board.robots.length) }));
        else board.moveSelected(direction);
      },
    }));
    return [
      ...selecting,
      ...moving,
      { key: 'u', does: t('undo'), run: () => this.undo() },
      { key: 'Backspace', does: t('undo'), run: () => this.undo() },
      { key: 'Escape', does: '', run: () => board.select(null) },
    ];
  }
}

/** @param {'undo' | 'reset'} name @param {() => void} run */
function button(name, run) {
  const element = /** @type {HTMLButtonElement} */ (byId(name));
  element.textContent = t(name);
  element.addEventListener('click', run);
  return element;
}

/** Says a text to screen readers. @param {string} text */
function say(text) {
  const region = byId('live');
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}

/** The puzzle that the address names. @returns {Promise<View>} */
async function puzzle() {
  const text = decodeURIComponent((delivered.route ?? location.hash).replace(/^#(play=)?/, ''));
  const known = await deliveredAnswer('read', { text });
  if (known) return known.puzzles[0];
  const module = await loadEngine('wasm', engineFile(await readManifest('wasm')));
  if (!module) throw new Error(t('noEngine'));
  const { WorkerEngine } = await import('../engine/worker.js');
  const view = (await new WorkerEngine(module).ask('read', { text }, {})).puzzles[0];
  if (!view || view.problems.length) throw new Error(view?.problems.map(({ message }) => message).join('; ') ?? text);
  return view;
}

async function start() {
  applySettings();
  const board = new Board(byId('board'), { motion: isMotionOn });
  board.setCoordinates(false);
  try {
    new Embed(await puzzle(), board);
  } catch (error) {
    board.host.dataset.message = t('unreadable', { message: error instanceof Error ? error.message : String(error) });
    say(board.host.dataset.message);
  }
  document.body.dataset.ready = 'yes';
}

// Another puzzle, if somebody changes the fragment.
window.addEventListener('hashchange', () => location.reload());
void start();
