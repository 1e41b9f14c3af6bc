// What the server put into the document, so that the page need not ask for it.

/** @import {Question} from '../../types/page.d.ts' */
/** @import {Manifest} from './manifest.js' */

/**
 * @typedef {object} Delivered
 * @property {string} [version] changes with the files of the page
 * @property {Manifest} [engine] the files of the engine, relative to the page
 * @property {string | null} [route] what this address shows, as a fragment
 * @property {{question: string, fields: object, answer: any}[]} [answers]
 */

/** @returns {Delivered} */
function read() {
  const text = document.getElementById('delivered')?.textContent;
  return text ? JSON.parse(text) : {};
}

/** Empty if no server made the document. */
export const delivered = read();

/** The page's own folder, wherever in it the document is. */
export const ROOT = new URL(`${document.documentElement.dataset.root ?? ''}./`, location.href.split(/[?#]/)[0]).href;

/** Questions about what the page shows first. @type {Set<Question>} */
const FIRST = new Set(/** @type {Question[]} */ (['read', 'daily']));
/** The longest answer that is kept, in characters. */
const LONGEST = 100_000;

/**
 * The answer to a question if it is there already: in the document, kept from before a reload, or on its
 * way since before the modules were (`early.js`). @param {Question} question @param {object} fields @returns {Promise<any>}
 */
export async function deliveredAnswer(question, fields) {
  const asked = JSON.stringify(fields);
  const inDocument = delivered.answers?.find((one) => one.question === question && JSON.stringify(one.fields) === asked)?.answer;
  if (inDocument || !FIRST.has(question)) return inDocument;
  const { early } = window;
  window.early = undefined;
  return keptAnswer(question, asked) ?? (early?.question === question && early.asked === asked ? early.answer : null);
}

/** @param {Question} question @param {string} asked */
function keptAnswer(question, asked) {
  try {
    const kept = JSON.parse(sessionStorage.getItem('ricochet.answer') ?? 'null');
    return kept?.version === delivered.version && kept?.question === question && kept.asked === asked ? kept.answer : null;
  } catch {
    return null;
  }
}

/** Keeps the answer about what is shown, so that a reload need not ask again. @param {Question} question @param {object} fields @param {unknown} answer */
export function keepAnswer(question, fields, answer) {
  if (!delivered.version || !FIRST.has(question)) return;
  const text = JSON.stringify({ version: delivered.version, question, asked: JSON.stringify(fields), answer });
  try {
    if (text.length <= LONGEST) sessionStorage.setItem('ricochet.answer', text);
  } catch {
    // Forbidden or full: the next reload asks again.
  }
}
