// What each mode looks like in each theme: the same picture whatever modes were open before, and
// targets that stand out from the board.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useBrowser, waitForBoard } from '../tools/browser.mjs';

/** @import {Page} from 'playwright-core' */

const { onPage } = useBrowser();
const PUZZLE = '1A4B3B2B.1fc1f0c0.B9c';
/** Pages that look the same each time they are opened. */
const ADDRESSES = ['#home', `#play=${PUZZLE}`, `#analyse=${PUZZLE}`, `#edit=${PUZZLE}`, '#watch=4x4..003033.R11', '#read', '#learn', '#learn&lesson=clear-the-way-2', '#room', '#room&as=table'];
/** What was open before: several orders. */
const TOURS = [
  ['#room', '#read=report', `#edit=${PUZZLE}`, '#learn', '#home', `#analyse=${PUZZLE}`],
  [`#analyse=${PUZZLE}`, '#play&as=daily', '#room&as=table', '#watch', '#learn&as=start', '#play&as=training', '#play&as=storm', `#edit=${PUZZLE}`],
];

/** Pixels that may differ: browsers smooth edges differently when they paint only a part of the page. */
const SEAMS = 60;

/** How many pixels of two pictures differ visibly. @param {Page} page @param {Buffer} before @param {Buffer} after */
function differing(page, before, after) {
  return page.evaluate(async (pictures) => {
    const [a, b] = await Promise.all(pictures.map(async (text) => {
      const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], { type: 'image/png' }));
      const paper = /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d'));
      paper.drawImage(bitmap, 0, 0);
      return paper.getImageData(0, 0, bitmap.width, bitmap.height).data;
    }));
    let count = Math.abs(a.length - b.length);
    for (let at = 0; at < Math.min(a.length, b.length); at += 4) {
      if (Math.abs(a[at] - b[at]) + Math.abs(a[at + 1] - b[at + 1]) + Math.abs(a[at + 2] - b[at + 2]) > 48) count += 1;
    }
    return count;
  }, [before.toString('base64'), after.toString('base64')]);
}

/** @param {Page} page @param {string} address */
async function visit(page, address) {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, address);
  const mode = /#(\w+)/.exec(address)?.[1];
  await page.locator(`[data-mode="${mode}"] #panel > *`).first().waitFor();
  await page.waitForTimeout(250);
}

/** @param {Page} page @param {string} address */
async function picture(page, address) {
  // Pages without a board.
  if (!/^#(?:room|read|learn$)/.test(address)) await waitForBoard(page);
  if (address.startsWith('#watch')) await page.waitForFunction(() => /\d/.test(document.querySelector('.watch-place')?.textContent ?? ''));
  if (address.startsWith('#analyse')) await page.locator('.principal .move-chip').first().waitFor();
  if (address === '#learn') await page.locator('.learn-picture .trail').first().waitFor();
  if (address.startsWith('#edit')) await page.waitForFunction(() => /9/.test(document.querySelector('.verdict')?.textContent ?? ''));
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => {
    window.scrollTo(0, 0);
    // It changes every second.
    const countdown = document.querySelector('.countdown');
    if (countdown instanceof HTMLElement) countdown.style.visibility = 'hidden';
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  await page.mouse.move(1, 1);
  await page.waitForTimeout(400);
  return page.screenshot();
}

for (const theme of ['light', 'dark', 'contrast', 'color-blind']) {
  test(`a mode looks as when it is opened first, after tours of the others: ${theme}`, async () => {
    const size = ['dark', 'color-blind'].includes(theme) ? 'phone' : 'desktop';
    for (const address of ADDRESSES) {
      // The tours pass the first run, which is then no longer offered at home.
      await onPage(address, { size, settings: { theme }, stored: { 'first-run': 'done' } }, async (page) => {
        const fresh = await picture(page, address);
        for (const tour of TOURS) {
          for (const other of tour) await visit(page, other);
          await visit(page, address);
          const others = await differing(page, fresh, await picture(page, address));
          assert.ok(others <= SEAMS, `${theme} ${address} after ${tour.join(' ')}: ${others} pixels differ`);
        }
      });
    }
  });

  test(`targets stand out from the board, and robots from targets: ${theme}`, async () => {
    await onPage(`#play=${PUZZLE}`, { settings: { theme } }, async (page) => {
      await waitForBoard(page);
      const contrasts = await page.evaluate(() => {
        const paper = /** @type {CanvasRenderingContext2D} */ (document.createElement('canvas').getContext('2d', { willReadFrequently: true }));
        const luminance = (/** @type {string} */ color) => {
          paper.fillStyle = color;
          paper.fillRect(0, 0, 1, 1);
          const [r, g, b] = [...paper.getImageData(0, 0, 1, 1).data].map((part) => (part <= 10 ? part / 3294 : ((part / 255 + 0.055) / 1.055) ** 2.4));
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const contrast = (/** @type {string} */ a, /** @type {string} */ b) => {
          const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
          return (high + 0.05) / (low + 0.05);
        };
        const ground = getComputedStyle(/** @type {Element} */ (document.querySelector('.ground rect'))).fill;
        const strokes = [...document.querySelectorAll('.target[data-robot] > :is(path, circle, rect), .goal .frame')].map((part) => getComputedStyle(part).stroke);
        const rims = [...document.querySelectorAll('.robot .body')].map((part) => getComputedStyle(part).stroke);
        return { targets: strokes.map((color) => contrast(color, ground)), robots: rims.map((color) => contrast(color, ground)) };
      });
      assert.ok(contrasts.targets.length > 16 && contrasts.robots.length === 4);
      assert.ok(Math.min(...contrasts.targets) >= 3, contrasts.targets.map((n) => n.toFixed(1)).join(' '));
      assert.ok(Math.min(...contrasts.robots) >= 3, contrasts.robots.map((n) => n.toFixed(1)).join(' '));
    });
  });
}
