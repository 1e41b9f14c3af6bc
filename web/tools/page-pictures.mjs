// Draws contact sheets of the page: every mode side by side, for the design page and for records.
//
//   RICOCHET=target/debug/ricochet node web/tools/page-pictures.mjs FOLDER [phone|small|desktop|system] [light|dark|contrast|color-blind]
//
// One PNG per size and theme, with half a pixel per CSS pixel on the desktop; `system` instead of a size
// draws the components of the visual system in two themes.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { CHROMIUM, newPage, playKeys, waitForBoard } from '../tests/tools/browser.mjs';
import { startServer } from '../tests/tools/server.mjs';

/** @import {Page} from 'playwright-core' */

const [folder = '.', onlySize, onlyTheme] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });

const PUZZLE = '1A4B3B2B.1fc1f0c0.B9c';
const EASY = '8x8..0034.R77';
/** Width and height of the window, and how many pictures stand in a row. @type {Record<string, {width: number, height: number, columns: number, scale: number}>} */
const SIZES = {
  phone: { width: 360, height: 740, columns: 7, scale: 0.75 },
  small: { width: 320, height: 640, columns: 7, scale: 0.75 },
  desktop: { width: 1280, height: 800, columns: 3, scale: 0.4 },
};
const THEMES = ['light', 'dark', 'contrast', 'color-blind'];

/** Every mode, and what to wait for. @type {[string, string, (page: Page) => Promise<unknown>][]} */
const VIEWS = [
  ['today', '', (page) => waitForBoard(page)],
  ['play', `#play=${PUZZLE}`, (page) => waitForBoard(page)],
  ['solved', `#play=${EASY}`, async (page) => {
    await waitForBoard(page);
    await playKeys(page, ['RE', 'RS']);
    await page.locator('.result .stars [data-on="yes"]').nth(2).waitFor();
  }],
  ['training', '#play&as=training', (page) => waitForBoard(page)],
  ['analyse', `#analyse=${PUZZLE}`, (page) => page.locator('.principal .move-chip').first().waitFor()],
  ['edit', `#edit=${PUZZLE}`, (page) => page.waitForFunction(() => /9/.test(document.querySelector('.verdict')?.textContent ?? ''))],
  ['watch', '#watch', (page) => page.locator('.watch-sentence').waitFor()],
  ['read', '#read=slides', (page) => page.locator('#figure-branching[data-ready]').waitFor()],
  ['learn', '#learn', (page) => page.locator('.learn-picture .trail').first().waitFor()],
  ['first run', '#learn&as=start&step=4', (page) => waitForBoard(page)],
  ['lesson', '#learn&lesson=placed-blocker-3', (page) => waitForBoard(page)],
  ['rooms', '#room', (page) => page.locator('#panel input').first().waitFor()],
];

/** Components with the page's own style sheets, in place of what a puzzle shows. @param {Page} page */
const drawSystem = (page) => page.evaluate(() => {
  const make = (/** @type {string} */ tag, /** @type {string} */ kind, /** @type {(Node | string)[]} */ ...content) => {
    const element = document.createElement(tag);
    element.className = kind;
    element.append(...content);
    return element;
  };
  const all = (/** @type {string} */ selector, most = 9) => [...document.querySelectorAll(selector)].slice(0, most).map((one) => one.cloneNode(true));
  const texts = ['caption', 'small', 'body', 'title', 'heading', 'display'].map((name) => {
    const line = make('p', '', name);
    line.style.fontSize = `var(--text-${name})`;
    line.style.lineHeight = '1.2';
    return line;
  });
  const spaces = [0, 1, 2, 3, 4, 5, 6].map((n) => {
    const bar = make('span', '');
    Object.assign(bar.style, { width: `var(--space-${n})`, height: 'var(--space-5)', background: 'var(--accent)' });
    return bar;
  });
  const pieces = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  pieces.setAttribute('viewBox', '0 0 1000 110');
  const shown = [...all('.robot', 4), ...all('.target', 5), ...all('.goal:not(.centre)', 1)];
  for (const [i, piece] of shown.entries()) {
    const place = document.createElementNS('http://www.w3.org/2000/svg', 'g');
    place.setAttribute('transform', `translate(${50 + 100 * i} 58)`);
    /** @type {Element} */ (piece).setAttribute('transform', '');
    place.append(piece);
    pieces.append(place);
  }
  const buttons = ['primary', '', 'quiet'].map((kind) => make('button', kind, kind || 'button'));
  const choices = all('.choices', 1);
  const sheet = make('section', 'sheet stack', make('div', 'row', ...buttons), ...all('.segments', 1), ...choices, make('div', 'move-chips', ...all('.move-list .move-chip')), make('div', 'row', ...all('.under .tool', 6)));
  const left = make('div', 'stack', make('p', 'overline', 'Text'), ...texts, make('p', 'overline', 'Space'), make('div', 'row', ...spaces));
  const board = make('div', 'board', pieces);
  Object.assign(board.style, { gridColumn: '1 / -1', height: 'auto', width: 'auto', background: 'var(--board)' });
  const whole = make('div', '', left, sheet, board);
  Object.assign(whole.style, { display: 'grid', gridTemplateColumns: '10rem 1fr', gap: 'var(--space-5)', padding: 'var(--space-4)', width: '640px', alignItems: 'start' });
  document.body.replaceChildren(whole);
});

const server = await startServer();
const browser = await chromium.launch(CHROMIUM);
if (onlySize === 'system') {
  for (const theme of ['light', 'dark']) {
    const page = await (await browser.newContext({ viewport: { width: 640, height: 600 }, reducedMotion: 'reduce', serviceWorkers: 'block' })).newPage();
    await page.addInitScript((wanted) => localStorage.setItem('ricochet.settings', JSON.stringify({ language: 'en', theme: wanted })), theme);
    await page.goto(`${server.url}/?engine=server#play=${PUZZLE}&moves=GS-GE-BW`);
    await waitForBoard(page);
    await drawSystem(page);
    const file = path.join(folder, `page-system-${theme}.png`);
    await page.locator('body > div').screenshot({ path: file });
    console.log(file);
  }
}
for (const [size, { width, height, columns, scale }] of Object.entries(SIZES)) {
  if (onlySize && onlySize !== size) continue;
  for (const theme of THEMES) {
    if (onlyTheme && onlyTheme !== theme) continue;
    /** @type {string[]} */
    const pictures = [];
    for (const [, hash, ready] of VIEWS) {
      const context = await browser.newContext({ viewport: { width, height }, isMobile: size !== 'desktop', hasTouch: size !== 'desktop', reducedMotion: 'reduce', locale: 'en-GB', serviceWorkers: 'block' });
      const { page } = await newPage(context, { settings: { language: 'en', theme } });
      await page.goto(`${server.url}/?engine=server${hash}`);
      await ready(page);
      await page.mouse.move(1, 1);
      await page.waitForTimeout(300);
      pictures.push((await page.screenshot()).toString('base64'));
      await context.close();
    }
    const page = await browser.newPage({ viewport: { width: Math.ceil((width * scale + 8) * Math.min(columns, pictures.length) + 8), height: 100 } });
    await page.setContent(`<body style="margin:8px;background:#b9aea0;display:flex;flex-wrap:wrap;gap:8px">${pictures.map((data) => `<img src="data:image/png;base64,${data}" width="${width * scale}" height="${height * scale}">`).join('')}`);
    const file = path.join(folder, `${size}-${theme}.png`);
    writeFileSync(file, await page.screenshot({ fullPage: true }));
    console.log(file);
    await page.close();
  }
}
await browser.close();
await server.stop();
