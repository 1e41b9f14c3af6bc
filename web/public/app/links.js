// Links to puzzles. A server shows a picture of the board for its short links; a site of files alone
// has the position in the fragment, which no server sees.

/** @import {Route} from '../../types/page.d.ts' */
import { ROOT, delivered } from '../engine/delivered.js';
import { formatRoute } from './route.js';

/** Characters of the notation, which may stand in a path as they are. */
const PLAIN = /[^A-Za-z0-9._~-]/g;

/** @param {string} line */
const encode = (line) => line.replace(PLAIN, (c) => encodeURIComponent(c));

/** A line without the optimum, which a link must not tell. @param {string} line */
export const withoutOptimum = (line) => line.replace(/\.o\d+(?=\.|$)/, '');

/** Whether a server answers short links. */
const isServed = () => delivered.version !== undefined;

/** A link to a puzzle. @param {string} line without its optimum, which a link must not tell */
export const puzzleLink = (line) => (isServed() ? `${ROOT}p/${encode(line)}` : `${ROOT}#play=${encode(line)}`);

/** A link to the puzzle of a day. @param {string} date */
export const dayLink = (date) => (isServed() ? `${ROOT}daily/${date}` : `${ROOT}#play&as=daily-${date}`);

/** A link to what a route shows, without its moves, which may be the solution. @param {Route} route */
export function linkTo(route) {
  const day = /^daily-(\d{4}-\d\d-\d\d)$/.exec(route.more.as ?? '')?.[1];
  if (day) return dayLink(day);
  return route.line ? puzzleLink(withoutOptimum(route.line)) : ROOT + formatRoute({ ...route, moves: [] });
}

/** The address of the board alone, for a frame. @param {string} line */
export const frameLink = (line) => (isServed() ? `${ROOT}embed/${encode(line)}` : `${ROOT}embed.html#${encode(line)}`);

/** HTML that shows the board on another page. @param {string} line @param {string} title */
export function frameSnippet(line, title) {
  const name = title.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
  return `<iframe src="${frameLink(line)}" width="480" height="560" title="${name}" style="border:0;max-width:100%" loading="lazy"></iframe>`;
}
