// The page: opens the mode that the address names, and owns what all modes share.

/** @import {Binding, Engine, Mode, ModeName, Route} from '../../types/page.d.ts' */
import { Board } from '../board/board.js';
import { ARROWS } from '../board/grid.js';
import { LETTERS, isMove, slideRobot } from '../board/rules.js';
import { Connection } from '../engine/connection.js';
import { ROOT, delivered } from '../engine/delivered.js';
import { isAbort } from '../engine/errors.js';
import { capitalize, directionsSentence, placeName, robotName, whereSentence } from '../speech/sentences.js';
import { askPlayer, openHelp, openSettings } from '../ui/dialogs.js';
import { byId, fill, h } from '../ui/dom.js';
import { icon } from '../ui/icons.js';
import { listen } from '../ui/keys.js';
import { applySettings, isMotionOn, onSettingsChange, settings } from '../ui/settings.js';
import { t as tBoard } from '../words/board.js';
import { t } from '../words/page.js';
import { parseCommand } from './command.js';
import { clearUnreadable } from './puzzle.js';
import { MODES, currentRoute, entryOf, formatRoute } from './route.js';

/** Modes are fetched when they are first opened. @type {Record<ModeName, () => Promise<{start: (app: App) => Mode}>>} */
const LOADERS = {
  home: () => import('../home/mode.js'),
  play: () => import('../play/mode.js'),
  analyse: () => import('../analyse/mode.js'),
  edit: () => import('../edit/mode.js'),
  watch: () => import('../watch/mode.js'),
  read: () => import('../read/mode.js'),
  learn: () => import('../learn/mode.js'),
  room: () => import('../room/mode.js'),
};

export class App {
  constructor() {
    // A short link becomes the page's own address.
    if (delivered.route && location.pathname !== new URL(ROOT).pathname) history.replaceState(null, '', ROOT + location.search + (location.hash || delivered.route));
    this.connection = new Connection('api/v1');
    /** @type {Engine} */
    this.engine = this.connection;
    this.board = new Board(byId('board'), { motion: isMotionOn });
    this.announcer = new Announcer(byId('live'));
    this.connection.onBack = () => this.say(t('back'));
    /** The mode's panel next to the board. */
    this.panel = byId('panel');
    /** The mode's buttons below the board. */
    this.under = byId('under');
    /** @type {Mode | null} */
    this.mode = null;
    /** @type {Route} */
    this.route = currentRoute();
    /** The last route outside of rooms, which have no position of their own. @type {Route | null} */
    this.position = null;
    /** The last route in play, with the session it belongs to. @type {Route | null} */
    this.played = null;
    this.opened = 0;
    /** Modes that could not be fetched. @type {Set<ModeName>} */
    this.failed = new Set();
    this.toastTimer = 0;
    this.more = new MoreModes();
  }

  /**
   * Says a text to screen readers. @param {string} text
   * @param {Element} [shown] where it stands on the page: if that is out of sight, the text is shown for a moment
   */
  say(text, shown) {
    if (shown && !isInSight(shown)) this.tell(text);
    else this.announcer.say(text);
  }

  /** Says a text and shows it for a moment, for messages that the page does not show elsewhere. @param {string} text */
  tell(text) {
    this.announcer.say(text);
    const toast = byId('toast');
    toast.textContent = text;
    toast.hidden = false;
    clearTimeout(this.toastTimer);
    this.toastTimer = window.setTimeout(() => {
      toast.hidden = true;
    }, Math.max(2500, text.length * 60));
  }

  /** An error in the language of the page; the texts are fetched when they are first needed.
   * @param {unknown} error @returns {Promise<string>} */
  async errorText(error) {
    const otherwise = error instanceof Error ? error.message : String(error);
    return import('../speech/errors.js').then(({ errorText }) => errorText(error), () => otherwise);
  }

  /** Reports an error, unless it is only a cancelled request. @param {unknown} error */
  async report(error) {
    if (isAbort(error)) return;
    this.tell(t('wentWrong', { message: await this.errorText(error) }));
    if (!(error instanceof Error) || error.name !== 'EngineError') console.error(error);
  }

  /**
   * Writes the address without opening anything: the mode is there already.
   * @param {Partial<Route>} changes @param {{push?: boolean}} [options] push: Back leads here again
   */
  setAddress(changes, { push = false } = {}) {
    this.route = { ...this.route, ...changes };
    const { address, state } = entryOf(this.route);
    if (push && address !== location.hash) history.pushState(state, '', address);
    else if (state || address !== location.hash) history.replaceState(state, '', address);
    this.#writeTabs();
  }

  /** What is shown, in the title of the window. @param {string} text */
  setTitle(text) {
    document.title = `${text} · ${t('title')}`;
  }

  /** Goes to another place, in this mode or another. @param {Route} route */
  async go(route) {
    const { address, state } = entryOf(route);
    history.pushState(state, '', address);
    await this.open(route);
  }

  /** Copies a text and says so. @param {string} text @returns {Promise<boolean>} */
  async copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      this.tell(t('copied'));
      return true;
    } catch {
      this.tell(t('notCopied', { text }));
      return false;
    }
  }

  /** @param {Route} route */
  async open(route) {
    const same = this.mode !== null && this.route.mode === route.mode;
    const number = (this.opened += 1);
    this.route = route;
    document.body.dataset.mode = route.mode;
    this.more.close();
    this.setTitle(t(route.mode));
    byId('skip').textContent = t(route.mode === 'read' ? 'skipText' : 'skip');
    this.#writeTabs();
    try {
      if (!same) {
        this.mode?.close();
        this.mode = null;
        this.#clear();
        const { start } = await this.#load(route.mode);
        if (number !== this.opened) return;
        this.mode = start(this);
      }
      this.#writeCommand();
      await this.mode?.open(route);
    } catch (error) {
      // A mode that could not be fetched: the server is gone, and may come back.
      if (!same && this.mode === null && error instanceof TypeError) void this.#openLater(route, number);
      else this.report(error);
    }
    document.body.dataset.ready = 'yes';
  }

  /**
   * A module that could not be fetched is requested again under another address: some browsers cache
   * the failure.
   * @param {ModeName} mode @returns {Promise<{start: (app: App) => Mode}>}
   */
  async #load(mode) {
    if (!this.failed.has(mode)) return LOADERS[mode]();
    const address = new URL(`../${mode}/mode.js?again=${this.opened}`, import.meta.url);
    return import(address.href);
  }

  /** @param {Route} route @param {number} number of the attempt to open it */
  async #openLater(route, number) {
    if (await isReplaced()) {
      location.reload();
      return;
    }
    this.failed.add(route.mode);
    const seconds = 3;
    this.tell(t('gone', { n: seconds }));
    setTimeout(() => {
      if (number === this.opened) void this.open(route);
    }, seconds * 1000);
  }

  /** Opens the mode anew, in another language. */
  async restart() {
    const { route } = this;
    this.mode?.close();
    this.mode = null;
    this.#clear();
    this.write();
    await this.open(route);
  }

  start() {
    applySettings();
    onSettingsChange(() => this.board.setCoordinates(settings.coordinates));
    this.board.setCoordinates(settings.coordinates);
    this.write();
    for (const mode of MODES) {
      const link = this.#tab(mode);
      if (link) fill(link, [icon(mode), h('span', {}, t(mode))]);
    }
    byId('open-help').addEventListener('click', () => this.help());
    byId('open-settings').addEventListener('click', () => openSettings(() => this.restart()));
    byId('skip').addEventListener('click', (event) => {
      event.preventDefault();
      if (this.route.mode === 'read') this.panel.focus();
      else this.board.focusCell(this.board.grid.cell);
    });
    byId('command').addEventListener('submit', (event) => {
      event.preventDefault();
      this.#command();
    });
    this.board.on('select', ({ robot }) => {
      if (robot === null) this.say(tBoard('nothingSelected'));
      else this.say(tBoard('selected', { robot: capitalize(robotName(robot)), place: placeName(this.board.robots[robot]) }));
    });
    listen(() => [...(this.mode?.keys() ?? []), ...this.keys()]);
    window.addEventListener('hashchange', () => this.#onAddress());
    window.addEventListener('beforeunload', (event) => {
      if (this.mode?.guard?.()) event.preventDefault();
    });
    void this.open(this.route);
  }

  /** Keys that all modes have. @returns {Binding[]} */
  keys() {
    const { board } = this;
    const everywhere = [
      { key: '/', does: t('keyCommand'), run: () => this.#openCommand() },
      { key: '?', does: t('keyHelp'), run: () => this.help() },
    ];
    // Without the board on the screen, arrows scroll.
    if (this.route.mode === 'read') return everywhere;
    /** @type {Binding[]} */
    const keys = board.robots.map((_, robot) => ({
      key: LETTERS[robot].toLowerCase(),
      does: t('keySelect'),
      run: () => board.select(robot, true),
    }));
    for (const [key, direction] of Object.entries(ARROWS)) {
      const run = () => {
        if (board.selected !== null) board.moveSelected(direction);
        else this.tell(this.mode?.unselected?.() ?? tBoard('selectFirst', { letters: LETTERS.slice(0, board.robots.length) }));
      };
      keys.push({ key, does: t('keyMove'), run }, { key, shift: true, does: t('keyMove'), run, quiet: true });
    }
    keys.push(
      { key: '.', does: t('keyNext'), run: () => board.select(((board.selected ?? -1) + 1) % board.robots.length, true) },
      { key: 'Escape', does: t('keyEscape'), run: () => board.select(null, true) },
      { key: 'd', does: t('keyDirections'), run: () => this.sayDirections() },
      { key: 'i', does: t('keyWhere'), run: () => board.view && this.say(whereSentence(board.view, board.robots)) },
      ...everywhere,
    );
    return keys;
  }

  sayDirections() {
    const { board } = this;
    if (!board.view) return;
    const on = board.grid.hasFocus ? board.robotOn(board.grid.cell) : null;
    const robot = on ?? board.selected;
    if (robot === null) this.say(tBoard('selectFirst', { letters: LETTERS.slice(0, board.robots.length) }));
    else this.say(directionsSentence(board.view, board.robots, robot));
  }

  help() {
    const grid = [
      { key: '↑↓←→', does: t('keyWalk') },
      { key: 'R G B Y', does: t('keyJump') },
      { key: 'T', does: t('keyGoal') },
      { key: 'Shift ↑↓←→', does: t('keyShiftMove') },
      { key: 'Enter', does: t('keyEnter') },
    ].map((one) => ({ ...one, run: () => {} }));
    openHelp([
      { title: t('keysOf', { mode: t(this.route.mode) }), bindings: this.mode?.keys() ?? [] },
      { title: t('keysEverywhere'), bindings: this.keys() },
      { title: t('keysGrid'), bindings: grid },
    ]);
  }

  /** Writes the texts of the skeleton. */
  write() {
    byId('title').textContent = t('title');
    byId('modes').setAttribute('aria-label', t('modes'));
    byId('more-label').textContent = t('more');
    byId('open-help').setAttribute('aria-label', t('help'));
    byId('open-settings').setAttribute('aria-label', t('settings'));
    byId('command-label').textContent = t('command');
    byId('command-run').textContent = t('commandRun');
    byId('banner-retry').textContent = t('retry');
    this.#writeTabs();
    this.#writeCommand();
  }

  /** The link to a mode. @param {ModeName} mode */
  #tab(mode) {
    return /** @type {HTMLAnchorElement | null} */ (byId('modes').querySelector(`[data-mode="${mode}"]`));
  }

  /** The links to the other modes lead to the same position; a look at the rooms changes nothing about it. */
  #writeTabs() {
    const { route } = this;
    if (!isWithoutPosition(route.mode)) this.position = route;
    if (route.mode === 'play') this.played = route;
    for (const mode of MODES) {
      const link = this.#tab(mode);
      if (!link) continue;
      const name = link.querySelector('span');
      if (name) name.textContent = t(mode);
      link.href = mode === route.mode ? location.hash || '#' : formatRoute(this.#samePlace(mode));
      if (mode === route.mode) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
  }

  /** The same position in another mode. @param {ModeName} mode @returns {Route} */
  #samePlace(mode) {
    const { position, played } = this;
    if (isWithoutPosition(mode) || !position) return { mode, line: '', moves: [], more: {} };
    // Coming back to the daily puzzle continues the daily puzzle.
    const more = mode === 'play' && played?.line === position.line ? played.more : mode === position.mode ? position.more : {};
    return { mode, line: position.line, moves: position.moves, more };
  }

  #writeCommand() {
    const words = this.mode?.keys().flatMap(({ word }) => (word ? [t(`word-${word}`)] : [])) ?? [];
    byId('command-hint').textContent = t('commandHint', { words: [...new Set(words), '?'].join(', ') });
  }

  #openCommand() {
    /** @type {HTMLDetailsElement} */ (byId('command-box')).open = true;
    byId('command-text').focus();
  }

  #clear() {
    this.panel.replaceChildren();
    this.under.replaceChildren();
    clearUnreadable(this);
    this.board.input = 'slides';
    this.board.select(null);
    this.board.setArrows([], 'engine');
    this.board.setArrows([], 'own');
    this.board.setOverlay(null);
    this.board.setRings([], 'hint');
    this.board.setTrails([]);
    this.board.setLast(null);
  }

  async #onAddress() {
    if (location.hash === entryOf(this.route).address || (location.hash === '' && this.route.mode === 'home')) return;
    const route = currentRoute();
    const loss = this.mode?.guard?.();
    if (loss) {
      const here = entryOf(this.route);
      const answer = await askPlayer(t('leaveTitle'), loss, [['stay', t('stay')], ['leave', t('leave')]]);
      if (answer !== 'leave') {
        history.pushState(here.state, '', here.address);
        return;
      }
    }
    await this.open(route);
  }

  #command() {
    const field = /** @type {HTMLInputElement} */ (byId('command-text'));
    const commands = parseCommand(field.value, this.board.robots.length);
    // A command that failed stays in the box with those after it; typing replaces them.
    const done = commands.findIndex((command) => !this.#run(command));
    const left = done < 0 ? [] : commands.slice(done);
    field.value = left.map((command) => ('move' in command ? LETTERS[command.move.robot] + command.move.direction : command.word)).join(' ');
    if (left.length) field.select();
  }

  /** @param {ReturnType<typeof parseCommand>[number]} command @returns {boolean} whether it could be done */
  #run(command) {
    const { board } = this;
    if ('move' in command) {
      const { robot, direction } = command.move;
      const possible = !board.view || board.input !== 'slides' || isMove(slideRobot(board.view, board.robots, robot, direction));
      // The mode says why it is not.
      board.requestMove(robot, direction);
      return possible;
    }
    const binding = this.mode?.keys().find((one) => one.word && [one.word, t(`word-${one.word}`)].includes(command.word));
    if (binding) binding.run();
    else if (command.word === '?' || command.word === 'help') this.help();
    else if (!this.mode?.command?.(command.word)) {
      this.tell(t('commandUnknown', { word: command.word }));
      return false;
    }
    return true;
  }

  /** The mode has other keys now than when it was opened. */
  keysChanged() {
    this.#writeCommand();
  }

  /** Puts buttons below the board. @param {(Node | string)[]} content */
  setUnder(content) {
    fill(this.under, content);
  }
}

/** On phones, modes for which the bar has no room: a button shows them above it. */
class MoreModes {
  constructor() {
    this.button = byId('open-more');
    const nav = byId('modes');
    this.button.addEventListener('click', () => this.#set(!this.isOpen));
    nav.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !this.isOpen) return;
      event.stopPropagation();
      this.close();
      this.button.focus();
    });
    nav.addEventListener('focusout', ({ relatedTarget }) => {
      if (relatedTarget instanceof Node && !nav.contains(relatedTarget)) this.close();
    });
    document.addEventListener('pointerdown', ({ target }) => {
      if (target instanceof Node && !nav.contains(target)) this.close();
    });
  }

  get isOpen() {
    return this.button.getAttribute('aria-expanded') === 'true';
  }

  close() {
    this.#set(false);
  }

  /** @param {boolean} open */
  #set(open) {
    this.button.setAttribute('aria-expanded', String(open));
  }
}

/**
 * The live region. Screen readers ignore a text that did not change, so a repeated text gets a
 * no-break space.
 */
class Announcer {
  /** @param {HTMLElement} region */
  constructor(region) {
    this.region = region;
    this.last = '';
    /** @type {string[]} */
    this.waiting = [];
    this.timer = 0;
  }

  /** Says a text; texts of the same moment are joined. @param {string} text */
  say(text) {
    if (!text) return;
    this.waiting.push(text);
    if (this.timer) return;
    this.timer = window.setTimeout(() => this.#flush(), 60);
  }

  #flush() {
    this.timer = 0;
    let text = this.waiting.join(' ');
    this.waiting = [];
    if (text === this.last) text += '\u00a0';
    this.last = text;
    this.region.textContent = text;
  }
}

/** Whether the server has another version of the page, without the files of this one. */
async function isReplaced() {
  if (!delivered.version) return false;
  const own = await fetch(new URL('./app.js', import.meta.url), { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  return own?.status === 404;
}

/** Whether a mode shows no position of its own. @param {ModeName} mode */
const isWithoutPosition = (mode) => mode === 'room' || mode === 'home' || mode === 'read' || mode === 'learn';

/** Whether the beginning of an element is on the screen, and not under the bar of the modes. @param {Element} element */
function isInSight(element) {
  const { top, height } = element.getBoundingClientRect();
  const bar = parseFloat(getComputedStyle(document.documentElement).scrollPaddingBottom) || 0;
  return top >= 0 && top + Math.min(height, 40) <= window.innerHeight - bar;
}

export const app = new App();
app.start();
