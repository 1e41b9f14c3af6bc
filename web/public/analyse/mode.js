// The analysis board: a tree of variations, and what the engine says about the position shown.

/** @import {Arrow, Binding, Mode, Move, Route, View} from '../../types/page.d.ts' */
/** @import {App} from '../app/app.js' */
/** @import {EvaluationState} from './evaluation.js' */
/** @import {Node} from './tree.js' */
import { openPuzzle } from '../app/puzzle.js';
import { isMove, legalSlides, moveOf, parseMove, sameCell, slideRobot } from '../board/rules.js';
import { mayTellSolution } from '../play/spoilers.js';
import { goalSentence, slideSentence } from '../speech/sentences.js';
import { button, fill, h, loadStyle } from '../ui/dom.js';
import { tool } from '../ui/icons.js';
import { moveChip, moveName } from '../ui/move-chip.js';
import { settings } from '../ui/settings.js';
import { forget, load, save } from '../ui/storage.js';
import { tabs } from '../ui/tabs.js';
import { t } from '../words/analyse.js';
import { t as tBoard } from '../words/board.js';
import { t as tPage } from '../words/page.js';
import { Evaluation } from './evaluation.js';
import { moveList } from './move-list.js';
import { compareSection, explanationSection, overlaySection, shareSection } from './sections.js';
import { Solutions } from './solutions.js';
import { Tree } from './tree.js';
import { distanceText, movesTable, progressText, verdictText } from './verdict.js';

/** Trees that are kept on this device. */
const KEPT = 30;

class Analysis {
  /** @param {App} app */
  constructor(app) {
    void loadStyle('analyse');
    this.app = app;
    this.leaving = new AbortController();
    /** @type {View | null} */
    this.view = null;
    /** @type {Tree | null} */
    this.tree = null;
    /** @type {Node | null} */
    this.node = null;
    this.showArrows = load('analyse.arrows', true);
    /** Lines of positions that were asked for. @type {Map<number, string>} */
    this.lines = new Map();
    this.evaluation = new Evaluation(app, (node, known) => node === this.node && this.#showEvaluation(known));
    this.evaluation.on = load('analyse.engine', true);

    const context = {
      lineHere: () => this.#lineHere(),
      viewHere: () => this.view && this.node && { ...this.view, robots: this.node.robots },
      rootLine: () => this.view?.line ?? '',
      rootView: () => this.view,
      moves: () => this.#moves(),
      clearMarks: () => this.#setMarks([]),
      node: () => this.node,
      step: (/** @type {Node} */ node, /** @type {Move[]} */ moves) => this.#stepFrom(node, moves),
      forward: () => this.#forward(false),
    };
    this.headline = h('p', { class: 'verdict' });
    /** The task in a sentence. */
    this.task = h('p', { class: 'soft task-text' });
    this.effort = h('p', { class: 'soft effort' });
    /** The best line from here. */
    this.principal = h('div', { class: 'principal' });
    this.table = h('div', { class: 'moves-host' });
    this.line = h('div', { class: 'line-host' });
    /** What can be done with a move: there is nothing to do with the start. */
    this.lineTools = h('div', { class: 'row', hidden: true }, button(t('promote'), () => this.#promote(), { class: 'small' }), button(t('remove'), () => this.#remove(), { class: 'small' }));
    this.engineButton = button(t('engine'), () => this.#toggleEngine(), { class: 'small' });
    this.arrowsButton = button(t('arrows'), () => this.#toggleArrows(), { class: 'small' });
    this.solutions = new Solutions(app, context);
    this.overlays = overlaySection(app, context);
    const words = explanationSection(app, context);
    const share = shareSection(app, context);
    fill(app.panel, [
      h('h2', { class: 'unseen' }, tPage('analyse')),
      h('section', { class: 'sheet evaluation', 'aria-label': t('evaluation') }, h('div', { class: 'spread' }, this.headline, h('div', { class: 'toggles' }, this.engineButton, this.arrowsButton)), this.task, this.effort, this.principal, this.table),
      tabs(t('more'), [
        { title: t('line'), content: [this.line, this.lineTools] },
        { title: t('solutions'), content: this.solutions.content, onopen: () => this.solutions.open() },
        { title: t('words'), content: words.content, onopen: words.open },
        { title: t('overlays'), content: this.overlays.content },
        { title: t('compare'), content: compareSection(app, context).content },
        { title: t('share'), content: share.content, onopen: share.open },
      ]),
    ]);
    this.#buttons();
    this.#listen();
  }

  #listen() {
    const { board } = this.app;
    const { signal } = this.leaving;
    board.on('move', ({ robot, direction }) => this.#play(robot, direction), signal);
    board.on('step', ({ by }, event) => {
      event.preventDefault();
      if (by > 0) this.#forward(true);
      else this.#back();
    }, signal);
    board.on('draw', (arrow) => this.#draw(arrow), signal);
  }

  #buttons() {
    this.app.setUnder([
      tool('first', t('first'), () => this.#go(this.tree?.root ?? null)),
      tool('previous', t('previous'), () => this.#back()),
      tool('next', t('next'), () => this.#forward(true)),
      tool('last', t('last'), () => this.#toEnd()),
      tool('target', t('playBest'), () => this.#playBest()),
      tool('solution', t('solve'), () => void this.#solve()),
    ]);
  }

  /** @param {Route} route */
  async open(route) {
    this.solutions.stop();
    if (!(await mayTellSolution(this.app, route.line))) return;
    const known = this.view !== null && this.view.line === route.line;
    if (!known) {
      const opened = await openPuzzle(this.app, route, this.leaving.signal);
      if (!opened) return;
      this.view = opened.view;
      this.tree = new Tree(opened.view);
      this.lines.clear();
      this.evaluation.clear();
      this.solutions.clear();
      this.tree.restore(load(this.#key(), null));
    }
    const tree = /** @type {Tree} */ (this.tree);
    this.#go(tree.addAll(tree.root, route.moves), { glide: false, quiet: true });
  }

  close() {
    this.leaving.abort();
    this.evaluation.stop();
    this.solutions.close();
    this.overlays.close();
    document.body.classList.remove('zen');
  }

  #key() {
    return `tree.${this.view?.line ?? ''}`;
  }

  /** Keeps the tree, and forgets the oldest of too many. */
  #keep() {
    const { tree, view } = this;
    if (!tree || !view?.line) return;
    save(this.#key(), tree.save());
    const lines = [view.line, ...load('trees', /** @type {string[]} */ ([])).filter((line) => line !== view.line)];
    for (const old of lines.splice(KEPT)) forget(`tree.${old}`);
    save('trees', lines);
  }

  #moves() {
    return this.tree && this.node ? this.tree.moves(this.node) : [];
  }

  /** The position on the board in one-line notation. */
  async #lineHere() {
    const { view, node } = this;
    if (!view?.line || !node) throw new Error(tPage('loading'));
    if (!node.parent) return view.line;
    const kept = this.lines.get(node.id);
    if (kept) return kept;
    const setup = { ...view, robots: node.robots, id: null, optimal: null };
    const { line } = await this.app.engine.ask('validate', { setup });
    if (!line) throw new Error(tPage('wentWrong', { message: '' }));
    this.lines.set(node.id, line);
    return line;
  }

  // Moving in the tree.

  /**
   * Shows a node. @param {Node | null} node
   * @param {{glide?: boolean, slid?: boolean, quiet?: boolean}} [how] slid: the board shows the move already
   */
  #go(node, { glide = true, slid = false, quiet = false } = {}) {
    const { app, tree, view } = this;
    if (!node || !tree || !view) return;
    this.node = node;
    const { board } = app;
    if (!slid) board.place(node.robots, glide);
    const steps = tree.steps(node);
    board.setTrails(settings.trails ? steps : []);
    board.setLast(steps.at(-1) ?? null);
    board.setArrows(node.marks, 'own');
    board.setArrows([], 'engine');
    app.setAddress({ line: view.line ?? '', moves: tree.moves(node) });
    fill(this.line, [moveList(tree, node, (one) => this.#go(one))]);
    this.lineTools.hidden = !node.parent;
    showWithin(this.line.firstElementChild, this.line.querySelector('[aria-current]'));
    void this.overlays.refresh();
    void this.evaluation.ask(view, tree, node);
    if (!quiet && node.step) app.say(slideSentence(node.step) + (node.solved ? ` ${tBoard('arrived')}` : ''));
    else if (!quiet) app.say(t('start'));
  }

  /** @param {number} robot @param {import('../../types/page.d.ts').Direction} direction */
  #play(robot, direction) {
    const { app, tree, node, view } = this;
    if (!tree || !node || !view) return;
    this.solutions.stop();
    const slide = slideRobot(view, node.robots, robot, direction);
    if (!isMove(slide)) {
      app.say(slideSentence(slide));
      return;
    }
    const next = tree.add(node, moveOf(slide));
    if (!next) return;
    void app.board.slide(slide);
    this.#keep();
    this.#go(next, { slid: true });
  }

  /** A line from a position that may not be the one on the board. @param {Node} node @param {Move[]} moves */
  #stepFrom(node, moves) {
    if (!this.tree?.nodes.has(node.id)) return;
    if (node !== this.node) this.#go(node, { quiet: true });
    this.#addLine(moves);
  }

  /** Adds a line from here; the board does not move. @param {Move[]} moves */
  #addLine(moves) {
    const { tree, node } = this;
    if (!tree || !node) return;
    tree.addAll(node, moves);
    const first = moves[0] && tree.child(node, moves[0]);
    if (first) {
      node.children.splice(node.children.indexOf(first), 1);
      node.children.unshift(first);
    }
    this.#keep();
    fill(this.line, [moveList(tree, node, (one) => this.#go(one))]);
  }

  /** @param {boolean} byPlayer @returns {boolean} whether there was a move */
  #forward(byPlayer) {
    const { node, app } = this;
    if (byPlayer) this.solutions.stop();
    const next = node?.children[0];
    if (!next) {
      if (byPlayer) app.say(t('noNext'));
      return false;
    }
    if (next.step) void app.board.slide(next.step);
    this.#go(next, { slid: true });
    return true;
  }

  #back() {
    this.solutions.stop();
    if (this.node?.parent) this.#go(this.node.parent);
    else this.app.say(t('noPrevious'));
  }

  #toEnd() {
    this.solutions.stop();
    if (this.tree && this.node) this.#go(this.tree.end(this.node));
  }

  /** @param {number} by */
  #branch(by) {
    const other = this.tree && this.node && this.tree.sibling(this.node, by);
    if (other) this.#go(other);
    else this.app.tell(t('noBranch'));
  }

  #remove() {
    const { tree, node } = this;
    if (!tree || !node?.parent) return;
    const before = tree.nodes.size;
    const parent = tree.remove(node);
    this.#keep();
    this.app.say(t('removed', { n: before - tree.nodes.size }));
    this.#go(parent, { quiet: true });
  }

  #promote() {
    if (!this.tree || !this.node) return;
    this.tree.promote(this.node);
    this.#keep();
    this.#go(this.node, { quiet: true });
  }

  // The engine.

  #toggleEngine() {
    this.evaluation.on = !this.evaluation.on;
    save('analyse.engine', this.evaluation.on);
    this.app.say(t(this.evaluation.on ? 'on' : 'off', { what: t('engine') }));
    if (this.view && this.tree && this.node) void this.evaluation.ask(this.view, this.tree, this.node);
  }

  #toggleArrows() {
    this.showArrows = !this.showArrows;
    save('analyse.arrows', this.showArrows);
    this.app.say(t(this.showArrows ? 'on' : 'off', { what: t('arrows') }));
    if (this.node) this.#showEvaluation(this.evaluation.of(this.node));
  }

  /** @param {EvaluationState} known */
  #showEvaluation(known) {
    const { node, app } = this;
    if (!node) return;
    const { on } = this.evaluation;
    this.engineButton.setAttribute('aria-pressed', String(on));
    this.arrowsButton.setAttribute('aria-pressed', String(this.showArrows));
    this.headline.textContent = verdictText(known, on, node.solved);
    this.task.textContent = this.view ? goalSentence(this.view) : '';
    this.effort.textContent = known.done || !on ? '' : progressText(known.progress);
    const moves = on && !node.solved ? (known.position?.moves ?? []) : [];
    fill(this.table, moves.length ? [movesTable(moves, { play: (move) => this.#playMove(move), preview: (move) => this.#preview(move) })] : []);
    this.table.hidden = node.solved;
    this.#writePrincipal(on && !node.solved ? (known.position?.solution ?? []) : []);
    const best = this.showArrows && !node.solved ? moves.filter((move) => move.best) : [];
    app.board.setArrows(best.flatMap((one) => this.#arrow(one.move, distanceText(one))), 'engine');
    if (known.done && known.position) this.#sayEvaluation(known, false);
  }

  /** The best line from here: each move leads to the position after it. @param {Move[]} moves */
  #writePrincipal(moves) {
    const { node } = this;
    const row = moves.map((move, i) => h('button', { type: 'button', class: 'plain', onclick: () => node && this.#walk(node, moves.slice(0, i + 1)) }, moveChip(move)));
    fill(this.principal, moves.length ? [h('span', { class: 'overline' }, t('bestLine')), h('div', { class: 'move-chips' }, ...row)] : []);
  }

  /** Adds a line and goes to its end. @param {Node} node @param {Move[]} moves */
  #walk(node, moves) {
    if (!this.tree?.nodes.has(node.id)) return;
    this.solutions.stop();
    this.#addLine(moves);
    this.#go(this.tree.addAll(node, moves));
  }

  /** @param {Move} move @param {string} label @returns {Arrow[]} */
  #arrow(move, label) {
    const { view, node } = this;
    const parsed = node && parseMove(move, node.robots.length);
    if (!view || !node || !parsed) return [];
    const slide = slideRobot(view, node.robots, parsed.robot, parsed.direction);
    return [{ from: slide.from, to: slide.to, path: slide.path, color: move[0], label, best: true }];
  }

  /** @param {EvaluationState} known @param {boolean} asked whether the player asked for all of it */
  #sayEvaluation(known, asked) {
    const { node } = this;
    if (!node) return;
    const best = (known.position?.moves ?? []).filter((move) => move.best).map((one) => moveName(one.move));
    const sentence = verdictText(known, this.evaluation.on, node.solved);
    if (asked && best.length) this.app.say(`${sentence}. ${t('bestMoves', { moves: best.join(', ') })}`);
    else if (asked) this.app.say(sentence);
  }

  /** @param {Move | null} move */
  #preview(move) {
    const { view, node, app } = this;
    const parsed = move && node && parseMove(move, node.robots.length);
    app.board.setPreview(parsed && view && node ? slideRobot(view, node.robots, parsed.robot, parsed.direction) : null);
  }

  /** @param {Move} move */
  #playMove(move) {
    const parsed = this.node && parseMove(move, this.node.robots.length);
    this.app.board.setPreview(null);
    if (parsed) this.#play(parsed.robot, parsed.direction);
  }

  #playBest() {
    const { node } = this;
    const best = node && !node.solved && this.evaluation.of(node).position?.moves.find((move) => move.best);
    if (best) this.#playMove(best.move);
    else this.app.tell(t('noBest'));
  }

  /** Finds a shortest solution from here and steps to its end, as a variation. */
  async #solve() {
    const { node, app } = this;
    if (!node || node.solved) return;
    try {
      const answer = await app.engine.ask('solve', { puzzle: await this.#lineHere(), limits: { ms: 60_000 } }, { signal: this.leaving.signal });
      if (node !== this.node) return;
      if (answer.outcome === 'solved' && answer.moves?.length) {
        this.#addLine(answer.moves);
        this.#toEnd();
      } else {
        app.tell(answer.outcome === 'unsolvable' ? t('unsolvable') : t('unknownAll'));
      }
    } catch (error) {
      app.report(error);
    }
  }

  // The player's own arrows.

  /** An arrow that begins at a robot snaps to the move it means; drawing again erases. @param {Arrow} arrow */
  #draw({ from, to, color }) {
    const { view, node } = this;
    if (!view || !node) return;
    const robot = node.robots.findIndex((cell) => sameCell(cell, from));
    let end = to;
    if (robot >= 0 && !sameCell(from, to)) {
      const slides = legalSlides(view, node.robots, robot);
      const far = slides.map((slide) => Math.hypot(slide.to[0] - to[0], slide.to[1] - to[1]));
      end = slides[far.indexOf(Math.min(...far))]?.to ?? to;
    }
    const isSame = (/** @type {Arrow} */ one) => sameCell(one.from, from) && sameCell(one.to, end);
    const there = node.marks.find(isSame);
    const rest = node.marks.filter((one) => !isSame(one));
    this.#setMarks(there?.color === color ? rest : [...rest, { from, to: end, color }]);
  }

  /** @param {Arrow[]} marks */
  #setMarks(marks) {
    if (!this.node) return;
    this.node.marks = marks.slice(-200);
    this.app.board.setArrows(this.node.marks, 'own');
    this.#keep();
  }

  /** @returns {Binding[]} */
  keys() {
    return [
      { key: 'j', does: t('keyForward'), run: () => this.#forward(true), word: 'next' },
      { key: 'k', does: t('keyBack'), run: () => this.#back(), word: 'back' },
      { key: 'u', does: t('keyBack'), run: () => this.#back(), word: 'undo' },
      { key: 'Backspace', does: t('keyBack'), run: () => this.#back(), quiet: true },
      { key: 'Home', does: t('keyStart'), run: () => this.#go(this.tree?.root ?? null), word: 'start' },
      { key: 'End', does: t('keyEnd'), run: () => this.#toEnd(), word: 'end' },
      { key: 'j', shift: true, does: t('keyBranchNext'), run: () => this.#branch(1) },
      { key: 'k', shift: true, does: t('keyBranchPrevious'), run: () => this.#branch(-1) },
      { key: ' ', does: t('keyBest'), run: () => this.#playBest(), word: 'best' },
      { key: 's', does: t('keySolve'), run: () => void this.#solve(), word: 'solve' },
      { key: 'e', does: t('keyEvaluate'), run: () => this.node && this.#sayEvaluation(this.evaluation.of(this.node), true), word: 'evaluate' },
      { key: 'l', does: t('keyEngine'), run: () => this.#toggleEngine(), word: 'engine' },
      { key: 'a', does: t('keyArrows'), run: () => this.#toggleArrows(), word: 'arrows' },
      { key: 'Delete', does: t('keyRemove'), run: () => this.#remove(), word: 'delete' },
      { key: 'z', does: t('keyZen'), run: () => document.body.classList.toggle('zen') },
    ];
  }
}

/** Scrolls a box, and only it, so that one of its elements is seen. @param {Element | null} box @param {Element | null} element */
function showWithin(box, element) {
  if (!box || !element) return;
  const [outer, inner] = [box.getBoundingClientRect(), element.getBoundingClientRect()];
  if (inner.top < outer.top) box.scrollTop -= outer.top - inner.top;
  else if (inner.bottom > outer.bottom) box.scrollTop += inner.bottom - outer.bottom;
}

/** @param {App} app @returns {Mode} */
export function start(app) {
  const analysis = new Analysis(app);
  return {
    open: (route) => analysis.open(route),
    close: () => analysis.close(),
    keys: () => analysis.keys(),
  };
}
