// Sharing a result without giving the solution away: a line of text, the browser's own share menu, a
// picture of the position before the first move.

/** @import {App} from '../app/app.js' */
/** @import {Attempt} from './attempt.js' */
import { pictureBlob } from '../ui/files.js';
import { t as tPage } from '../words/page.js';
import { t } from '../words/play.js';
import { clockText } from './clock.js';
import { lineWithoutOptimum } from './new-puzzle.js';

/** Stars as text. @param {number | null} stars */
export const starText = (stars) => (stars === null ? '' : '★'.repeat(stars) + '☆'.repeat(3 - stars));

/** What helped, in words. @param {{hints: number, analysed: boolean}} attempt */
export function helpText({ hints, analysed }) {
  if (analysed) return t('withAnalysis');
  return hints ? t('hintsUsed', { n: hints }) : t('noHints');
}

/**
 * The result in one line: no moves, and no number of them.
 * @param {string} title @param {{stars: number | null, ms: number, hints: number, analysed?: boolean}} result
 */
export const resultText = (title, { stars, ms, hints, analysed = false }) => `${title}\n${[starText(stars), clockText(ms), helpText({ hints, analysed })].filter(Boolean).join(' · ')}`;

/**
 * Offers a text to the browser's share menu, or copies it. @param {App} app @param {string} text @param {string} url
 * @returns {Promise<boolean>} whether it was copied
 */
export async function shareText(app, text, url) {
  if (typeof navigator.share === 'function' && matchMedia('(pointer: coarse)').matches) {
    try {
      await navigator.share({ text, url });
      return false;
    } catch (error) {
      // The player closed the menu.
      if (error instanceof DOMException && error.name === 'AbortError') return false;
    }
  }
  return app.copy(`${text}\n${url}`);
}

/** Measures of the picture, in pixels. */
const WIDTH = 1080;
const HEIGHT = 1350;
const MARGIN = 72;
/** Small boards are enlarged. */
const LARGEST_CELL = 64;

/**
 * A picture of the result: the position before the first move, with title, stars and time.
 * @param {App} app @param {Attempt} attempt @param {string} title @param {number | null} stars @returns {Promise<Blob>}
 */
export async function resultPicture(app, attempt, title, stars) {
  const side = WIDTH - 2 * MARGIN;
  const { view } = attempt;
  const cell = Math.min(LARGEST_CELL, Math.floor(side / Math.max(view.width, view.height)));
  const drawn = await app.engine.ask('draw', { puzzle: lineWithoutOptimum(view), kind: 'png', cell, coordinates: false, theme: 'light' });
  const board = await createImageBitmap(pictureBlob(drawn));
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [WIDTH, HEIGHT];
  const paper = canvas.getContext('2d');
  if (!paper) throw new Error('no canvas');
  const [PAPER, INK, SOFT, STAR] = ['#f3ede1', '#2b2825', '#655c50', '#c98a00'];
  paper.fillStyle = PAPER;
  paper.fillRect(0, 0, WIDTH, HEIGHT);
  const scale = side / board.width;
  const height = board.height * scale;
  const top = 206;
  paper.fillStyle = '#ffffff';
  paper.beginPath();
  paper.roundRect(MARGIN - 16, top - 16, side + 32, height + 32, 28);
  paper.fill();
  paper.drawImage(board, MARGIN, top, side, height);
  const write = (/** @type {string} */ text, /** @type {number} */ y, /** @type {string} */ font, /** @type {string} */ color) => {
    paper.fillStyle = color;
    paper.font = `${font} ui-rounded, system-ui, sans-serif`;
    paper.textAlign = 'center';
    paper.fillText(text, WIDTH / 2, y, WIDTH - MARGIN);
  };
  write(tPage('title'), 96, '800 60px', INK);
  write(title, 158, '500 38px', SOFT);
  if (stars !== null) write(starText(stars), top + height + 98, '58px', STAR);
  write([clockText(attempt.clock.ms), helpText(attempt)].join(' · '), HEIGHT - 44, '500 36px', INK);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'));
}
