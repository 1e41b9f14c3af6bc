// From the address to a puzzle on the board.

/** @import {Replay, Route, View} from '../../types/page.d.ts' */
/** @import {App} from './app.js' */
import { replay } from '../board/rules.js';
import { EngineError } from '../engine/errors.js';
import { h } from '../ui/dom.js';
import { t } from '../words/page.js';

/** Shown when the address names no puzzle. */
const SAMPLE = '1A4B3B2B.1fc1f0c0.B9c';

/**
 * Reads any text that holds a puzzle. @param {App} app @param {string} text
 * @param {AbortSignal} signal @returns {Promise<View>}
 */
export async function readPuzzle(app, text, signal) {
  const { puzzles } = await app.engine.ask('read', { text }, { signal });
  const view = puzzles[0];
  if (!view) throw new EngineError('unreadable', text);
  return view;
}

/**
 * Reads a puzzle that can be played. @param {App} app @param {string} text
 * @param {AbortSignal} signal @returns {Promise<View>}
 */
export async function readValidPuzzle(app, text, signal) {
  const view = await readPuzzle(app, text, signal);
  const { problems } = view;
  if (problems.length) throw new EngineError('invalid', problems.map(({ message }) => message).join('; '), { problems });
  return view;
}

/** Says that there is nothing to show, and where to go from here, in place of the board and the panel. @param {App} app @param {string} text */
export function showUnreadable(app, text) {
  clearUnreadable(app);
  document.body.dataset.broken = 'yes';
  app.panel.dataset.broken = 'yes';
  app.panel.prepend(
    h('section', { class: 'sheet stack broken' },
      h('h2', {}, t('brokenTitle')),
      h('p', { class: 'message' }, text),
      h('div', { class: 'row' },
        h('a', { class: 'button primary', href: '#home' }, t('brokenToday')),
        h('a', { class: 'button', href: '#play' }, t('brokenNew')))),
  );
  app.say(text);
}

/** Something can be shown again. @param {App} app */
export function clearUnreadable(app) {
  delete app.board.host.dataset.message;
  delete app.panel.dataset.broken;
  delete document.body.dataset.broken;
  app.panel.querySelector('.broken')?.remove();
}

/**
 * Shows the puzzle and plays the moves of the address; says so where they cannot be read. Null if
 * there is nothing to show.
 * @param {App} app @param {Route} route @param {AbortSignal} signal
 * @returns {Promise<{view: View, line: Replay, moves: string[]} | null>}
 */
export async function openPuzzle(app, route, signal) {
  try {
    const view = await readPuzzle(app, route.line || SAMPLE, signal);
    clearUnreadable(app);
    app.board.show(view);
    const line = replay(view, route.moves);
    if (line.failed) app.tell(t('badMove', { n: line.failed.number + 1, move: line.failed.move }));
    return { view, line, moves: route.moves.slice(0, line.steps.length) };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const text = t('unreadable', { message: await app.errorText(error) });
    showUnreadable(app, text);
    return null;
  }
}
