// The address: mode, position and moves stand in the fragment, so nothing has to be stored and no
// server sees them. `#analyse=1A4B3B2B.1fc1f0c0.B9c&moves=BW-GS&node=2`

/** @import {ModeName, Move, Route} from '../../types/page.d.ts' */

/** @type {ModeName[]} */
export const MODES = ['home', 'play', 'analyse', 'edit', 'watch', 'read', 'learn', 'room'];

/** Characters that may stay as they are: those of the notation. */
const PLAIN = /[^A-Za-z0-9._~,:/-]/g;

/** @param {string} text */
const encode = (text) => text.replace(PLAIN, (c) => encodeURIComponent(c));

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** @param {string} fragment with or without its '#' @returns {Route} */
export function parseRoute(fragment) {
  /** @type {Route} */
  const route = { mode: 'home', line: '', moves: [], more: {} };
  for (const part of fragment.replace(/^#/, '').split('&').filter(Boolean)) {
    const at = part.indexOf('=');
    const name = decode(at < 0 ? part : part.slice(0, at));
    const value = at < 0 ? '' : decode(part.slice(at + 1));
    const mode = MODES.find((one) => one === name);
    if (mode) {
      route.mode = mode;
      route.line = value;
    } else if (name === 'moves') {
      route.moves = value.split(/[-,. ]+/).filter(Boolean).map((move) => move.toUpperCase());
    } else if (name) {
      route.more[name] = value;
    }
  }
  return route;
}

/**
 * The address of a route, and what only the browser's history keeps. The moves of a daily puzzle are
 * not in the address: the browser's own share menu would give its solution away.
 * @param {Route} route @returns {{address: string, state: {moves: Move[]} | null}}
 */
export function entryOf(route) {
  const hidden = route.mode === 'play' && (route.more.as ?? '').startsWith('daily');
  return hidden ? { address: formatRoute({ ...route, moves: [] }), state: { moves: route.moves } } : { address: formatRoute(route), state: null };
}

/** The route of the browser's present entry. @returns {Route} */
export function currentRoute() {
  const route = parseRoute(location.hash);
  const kept = history.state?.moves;
  return route.moves.length || !Array.isArray(kept) ? route : { ...route, moves: kept.map(String) };
}

/** @param {Route} route */
export function formatRoute({ mode, line, moves, more }) {
  const parts = [line ? `${mode}=${encode(line)}` : mode];
  if (moves.length) parts.push(`moves=${moves.join('-')}`);
  for (const [name, value] of Object.entries(more)) {
    parts.push(value === '' ? encode(name) : `${encode(name)}=${encode(value)}`);
  }
  return `#${parts.join('&')}`;
}
