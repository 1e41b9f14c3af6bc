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

/** The answer to a question, if the document has it. @param {Question} question @param {object} fields */
export function deliveredAnswer(question, fields) {
  const asked = JSON.stringify(fields);
  return delivered.answers?.find((one) => one.question === question && JSON.stringify(one.fields) === asked)?.answer;
}
