// The editor: the position on the table, or any other, with its problems and its optimum as one goes.

/** @import {Binding, BoardEvents, Mode, Problem, Route, Shape, View} from '../../types/page.d.ts' */
/** @import {App} from '../app/app.js' */
import { openPuzzle } from '../app/puzzle.js';
import { COLORS, LETTERS, hasWall, sameCell } from '../board/rules.js';
import { EngineError, isAbort } from '../engine/errors.js';
import { isOpenDaily } from '../play/records.js';
import { mayTellSolution } from '../play/spoilers.js';
import { errorText, problemText } from '../speech/errors.js';
import { capitalize, directionName, placeName, robotName } from '../speech/sentences.js';
import { button, fill, h, loadStyle, section } from '../ui/dom.js';
import { boundedNumber, checkbox, chips } from '../ui/form-fields.js';
import { tool } from '../ui/icons.js';
import { t as tBoard } from '../words/board.js';
import { t } from '../words/edit.js';
import { t as tPage } from '../words/page.js';
import { ROBOTS, SIDES, cycleDiagonal, emptyDraft, moveRobot, moveToBoard, resize, setGoal, setGoalRobot, setRicochet, togglePrinted, toggleWall, rotate, withRobots, withoutWalls } from './draft.js';
import { History } from './history.js';
import { exportSection, importSection } from './import-export.js';
import { QuadrantPicker } from './quadrants.js';

const TOOLS = /** @type {const} */ (['robots', 'goal', 'walls', 'diagonals', 'printed']);
/** @typedef {typeof TOOLS[number]} Tool */
/** @type {Shape[]} */
const SHAPES = ['circle', 'triangle', 'square', 'hexagon', 'vortex'];

/** How long to wait after a change before the engine is asked, and how long it may think. */
const PAUSE = 200;
const MILLISECONDS = 20_000;

class Editor {
  /** @param {App} app */
  constructor(app) {
    void loadStyle('analyse');
    void loadStyle('edit');
    this.app = app;
    this.leaving = new AbortController();
    this.history = new History(emptyDraft(16, 16, 4));
    /** @type {Tool} */
    this.tool = 'robots';
    /** The colour and shape of new diagonals and printed targets. */
    this.ink = 0;
    /** @type {Shape} */
    this.shape = 'circle';
    this.asking = new AbortController();
    /** Whether nothing was changed since a puzzle was opened with its moves. */
    this.keepsAddress = false;
    this.timer = 0;
    this.undo = tool('undo', t('undo'), () => this.#go(-1));
    this.redo = tool('redo', t('redo'), () => this.#go(1));
    this.verdict = h('p', { class: 'verdict', role: 'status' });
    this.problems = h('ul', { class: 'problems' });
    this.toolRow = h('div', { class: 'row tools', role: 'radiogroup', 'aria-label': t('tools') });
    this.toolHint = h('div', { class: 'stack' });
    this.goalField = h('div');
    this.sizeField = h('div');
    /** What writes the numbers into their fields. @type {(() => void)[]} */
    this.sizes = [];
    this.#makeSize();
    this.sides = new QuadrantPicker(app, (layout, turn) => void this.#compose(layout, turn));
    this.imports = importSection(app, (view) => this.#take(view));
    this.exports = exportSection(app, () => this.draft.line ?? null);
    fill(app.panel, [
      h('h2', { class: 'unseen' }, tPage('edit')),
      h('section', { class: 'card stack' }, this.verdict, this.problems),
      h('section', { class: 'card stack' }, h('h3', {}, t('tools')), this.toolRow, this.toolHint, this.goalField),
      section(t('sides'), [h('p', { class: 'soft' }, t('intro')), this.sides.element], { open: true }),
      section(t('size'), [this.sizeField]),
      this.imports.element,
      this.exports.element,
    ]);
    this.#writeTools();
    this.#writeButtons();
    this.#listen();
    void this.sides.load(this.leaving.signal).catch((error) => app.report(error));
  }

  get draft() {
    return this.history.current;
  }

  #listen() {
    const { board } = this.app;
    const { signal } = this.leaving;
    board.on('cell', (event) => this.#tap(event), signal);
    board.on('drop', ({ robot, cell }) => {
      this.#change(moveRobot(this.draft, robot, cell), t('saidRobot', { robot: capitalize(robotName(robot)), place: placeName(cell) }));
    }, signal);
    document.addEventListener('paste', (event) => {
      if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return;
      void this.imports.read(event.clipboardData?.getData('text/plain') ?? '');
    }, { signal });
    document.addEventListener('dragover', (event) => event.preventDefault(), { signal });
    document.addEventListener('drop', (event) => {
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file) void this.imports.readFile(file);
      else void this.imports.read(event.dataTransfer?.getData('text/plain') ?? '');
    }, { signal });
  }

  /** @param {Route} route */
  async open(route) {
    if (!(await mayTellSolution(this.app, route.line))) return;
    this.app.board.input = 'edit';
    if (route.line !== '' && route.line === this.draft.line) return;
    const opened = await openPuzzle(this.app, route, this.leaving.signal);
    if (!opened) return;
    // Moves of the address have been played: what is edited is the position after them.
    const view = opened.moves.length ? { ...opened.view, robots: opened.line.robots, line: null, optimal: null } : opened.view;
    this.history = new History(view);
    this.keepsAddress = opened.moves.length > 0;
    this.#show();
    this.#check();
  }

  close() {
    this.leaving.abort();
    this.asking.abort();
    clearTimeout(this.timer);
  }

  // Changing the position.

  /** @param {View} draft @param {string} [said] */
  #change(draft, said) {
    if (draft === this.draft) return;
    this.history.add(draft);
    this.keepsAddress = false;
    if (said) this.app.say(said);
    this.#show();
    this.#check();
  }

  /** A position that was read. @param {View} view */
  #take(view) {
    this.history.add(view);
    this.keepsAddress = false;
    this.#show();
    this.#check();
  }

  /** @param {BoardEvents['cell']} event */
  #tap({ cell, edge, button: pressed }) {
    const { draft, app } = this;
    if (pressed !== 0) return;
    const robot = app.board.robotOn(cell);
    switch (this.tool) {
      case 'robots':
        if (robot !== null) app.board.select(robot, true);
        else if (app.board.selected !== null) this.#change(moveRobot(draft, app.board.selected, cell), t('saidRobot', { robot: capitalize(robotName(app.board.selected)), place: placeName(cell) }));
        else app.tell(t('selectRobot'));
        break;
      case 'goal':
        this.#change(setGoal(draft, cell), t('saidGoal', { place: placeName(cell) }));
        break;
      case 'walls': {
        if (!edge) {
          app.tell(t('hintWalls'));
          break;
        }
        const next = toggleWall(draft, cell, edge);
        const state = t(hasWall(next, cell, edge) ? 'there' : 'gone');
        this.#change(next, t('saidWall', { side: directionName(edge), place: placeName(cell), state }));
        break;
      }
      case 'diagonals':
        this.#change(cycleDiagonal(draft, cell, this.ink));
        break;
      case 'printed':
        this.#change(togglePrinted(draft, cell, this.shape === 'vortex' ? null : LETTERS[this.ink], this.shape));
        break;
    }
  }

  /** @param {string} layout @param {boolean} [turn] whether the robots turn with the board */
  async #compose(layout, turn = false) {
    try {
      const board = await this.app.engine.ask('compose', { layout }, { signal: this.leaving.signal });
      this.#change(moveToBoard(turn ? rotate(this.draft) : this.draft, board));
    } catch (error) {
      this.app.report(error);
    }
  }

  #shuffle() {
    const { draft } = this;
    /** @type {import('../../types/page.d.ts').Cell[]} */
    const free = [];
    for (let y = 0; y < draft.height; y += 1) {
      for (let x = 0; x < draft.width; x += 1) {
        if (draft.walls[y * draft.width + x] !== 15 && !sameCell([x, y], draft.goal.cell)) free.push([x, y]);
      }
    }
    const robots = draft.robots.map(() => free.splice(Math.floor(Math.random() * free.length), 1)[0]);
    if (robots.every(Boolean)) this.#change({ ...draft, robots, line: null, optimal: null, id: null });
  }

  /** @param {number} by */
  #go(by) {
    if (!this.history.go(by)) {
      this.app.say(t('nothingUndone'));
      return;
    }
    this.#show();
    this.#check();
  }

  // Showing it.

  #show() {
    const { draft, app } = this;
    const { selected } = app.board;
    app.board.show(draft);
    app.board.input = 'edit';
    app.board.select(selected !== null && selected < draft.robots.length ? selected : null);
    this.sides.show(draft.layout ?? null);
    this.#writeGoal();
    for (const write of this.sizes) write();
    this.undo.disabled = !this.history.has(-1);
    this.redo.disabled = !this.history.has(1);
  }

  /** Asks whether it is a puzzle, and for its optimum. */
  #check() {
    clearTimeout(this.timer);
    this.asking.abort();
    const asking = (this.asking = new AbortController());
    this.verdict.textContent = t('checking');
    this.timer = window.setTimeout(() => void this.#ask(asking.signal), PAUSE);
  }

  /** @param {AbortSignal} signal */
  async #ask(signal) {
    const { app } = this;
    try {
      const { line, layout, problems } = /** @type {View} */ (await app.engine.ask('validate', { setup: this.draft }, { signal }));
      if (signal.aborted) return;
      // The engine names no layout for an invalid position, but the board is still the same.
      const sides = problems.length ? this.draft.layout : layout;
      this.history.replace({ ...this.draft, line, layout: sides, problems });
      this.sides.show(sides ?? null);
      this.#writeProblems(problems);
      void this.exports.write();
      if (!line) return;
      // Without a change, the address keeps the puzzle and the moves that led here.
      if (!this.keepsAddress) app.setAddress({ line, moves: [] });
      // It may have been read from a file, or have come about by hand.
      if (isOpenDaily(line)) {
        this.#tell(t('todaysPuzzle'));
        return;
      }
      const answer = await app.engine.ask(
        'solve',
        { puzzle: line, limits: { ms: MILLISECONDS } },
        { signal, onProgress: ({ lower_bound: bound }) => !signal.aborted && bound && this.#tell(t('atLeast', { n: bound })) },
      );
      if (signal.aborted) return;
      if (answer.outcome === 'solved' && typeof answer.length === 'number') this.#tell(answer.length === 0 ? t('solvedAlready') : t('optimum', { n: answer.length }));
      else if (answer.outcome === 'unsolvable') this.#tell(t('unsolvable'));
      else this.#tell(t('undecided', { n: answer.lower_bound ?? 0 }));
    } catch (error) {
      if (isAbort(error) || signal.aborted) return;
      this.#tell(error instanceof EngineError ? errorText(error) : tPage('wentWrong', { message: String(error) }));
    }
  }

  /** @param {string} text */
  #tell(text) {
    this.verdict.textContent = text;
  }

  /** @param {Problem[]} problems */
  #writeProblems(problems) {
    this.app.board.setRings(problems.flatMap(({ cell }) => (cell ? [cell] : [])), 'problem');
    fill(this.problems, problems.map((problem) => h('li', {}, problemText(problem))));
    this.#tell(problems.length ? t('problems') : t('fine'));
  }

  // The panel.

  #writeTools() {
    const labels = { robots: t('toolRobots'), goal: t('toolGoal'), walls: t('toolWalls'), diagonals: t('toolDiagonals'), printed: t('toolPrinted') };
    fill(this.toolRow, TOOLS.map((tool) => h(
      'button',
      { type: 'button', role: 'radio', 'aria-checked': String(tool === this.tool), onclick: () => this.#setTool(tool) },
      labels[tool],
    )));
    const hints = { robots: t('hintRobots'), goal: t('hintGoal'), walls: t('hintWalls'), diagonals: t('hintDiagonals'), printed: t('hintPrinted') };
    const colors = COLORS.map((_, i) => /** @type {const} */ ([String(i), capitalize(robotName(i))]));
    fill(this.toolHint, [
      h('p', { class: 'soft' }, hints[this.tool]),
      (this.tool === 'diagonals' || this.tool === 'printed') && chips(t('color'), colors, String(this.ink), (value) => {
        this.ink = Number(value);
      }),
      this.tool === 'printed' && chips(t('shape'), SHAPES.map((shape) => /** @type {const} */ ([shape, tBoard(/** @type {'circle'} */ (shape))])), this.shape, (value) => {
        this.shape = value;
      }),
    ]);
  }

  /** @param {Tool} tool */
  #setTool(tool) {
    this.tool = tool;
    this.#writeTools();
    /** @type {HTMLElement | null} */ (this.toolRow.querySelector('[aria-checked="true"]'))?.focus();
  }

  /** Which robot has to arrive, and how. Built again only for another number of robots, to keep the focus. */
  #writeGoal() {
    const { draft } = this;
    if (this.goalField.dataset.robots !== String(draft.robots.length)) {
      const who = [.../** @type {const} */ ([['any', capitalize(tBoard('any'))]]), ...draft.robots.map((_, i) => /** @type {const} */ ([LETTERS[i], capitalize(robotName(i))]))];
      fill(this.goalField, [
        chips(t('arrives'), who, draft.goal.robot ?? 'any', (value) => this.#change(setGoalRobot(this.draft, value === 'any' ? null : value))),
        checkbox(t('ricochet'), draft.rules.must_ricochet === true, (must) => this.#change(setRicochet(this.draft, must))),
      ]);
      this.goalField.dataset.robots = String(draft.robots.length);
    }
    for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (this.goalField.querySelectorAll('[type="radio"]'))) field.checked = field.value === (draft.goal.robot ?? 'any');
    const must = /** @type {HTMLInputElement | null} */ (this.goalField.querySelector('[type="checkbox"]'));
    if (must) must.checked = draft.rules.must_ricochet === true;
  }

  #makeSize() {
    const numbers = [
      boundedNumber(t('width'), { range: SIDES, bounds: t('widthBounds', SIDES), value: () => this.draft.width, run: (width) => this.#change(resize(this.draft, width, this.draft.height)) }),
      boundedNumber(t('height'), { range: SIDES, bounds: t('heightBounds', SIDES), value: () => this.draft.height, run: (height) => this.#change(resize(this.draft, this.draft.width, height)) }),
      boundedNumber(t('robots'), { range: ROBOTS, bounds: t('robotsBounds', ROBOTS), value: () => this.draft.robots.length, run: (count) => this.#change(withRobots(this.draft, count)) }),
    ];
    this.sizes = numbers.map(({ write }) => write);
    fill(this.sizeField, [
      ...numbers.map(({ element }) => element),
      h('div', { class: 'row' }, button(t('clear'), () => this.#change(withoutWalls(this.draft))), button(t('shuffle'), () => this.#shuffle())),
    ]);
  }

  #writeButtons() {
    const { app } = this;
    /** @param {'play' | 'analyse'} mode */
    const go = (mode) => {
      const { line } = this.draft;
      if (line) void app.go({ mode, line, moves: [], more: {} });
      else app.tell(t('needsValid'));
    };
    app.setUnder([
      this.undo,
      this.redo,
      button(t('playIt'), () => go('play'), { class: 'primary' }),
      tool('analyse', t('analyseIt'), () => go('analyse')),
    ]);
  }

  /** @returns {Binding[]} */
  keys() {
    return [
      { key: 'u', does: t('keyUndo'), run: () => this.#go(-1), word: 'undo' },
      { key: 'Backspace', does: t('keyUndo'), run: () => this.#go(-1), quiet: true },
      { key: 'u', shift: true, does: t('keyRedo'), run: () => this.#go(1), word: 'redo' },
      ...TOOLS.map((tool, i) => ({ key: String(i + 1), does: t('keyTool'), run: () => this.#setTool(tool), word: tool })),
    ];
  }
}

/** @param {App} app @returns {Mode} */
export function start(app) {
  const editor = new Editor(app);
  return {
    open: (route) => editor.open(route),
    close: () => editor.close(),
    keys: () => editor.keys(),
  };
}
