// The pictures of the README: a film (an analysis, a solution played to its end, the editor) and the
// editor on a phone.
//
//   cargo build -p ricochet-cli && node web/tools/readme-pictures.mjs docs/images
//
// Needs ffmpeg. This is not a test: run it when the look of the page has changed, and look at the result.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { CHROMIUM, SIZES, waitForBoard } from '../tests/tools/browser.mjs';
import { startServer } from '../tests/tools/server.mjs';

const PUZZLE = '1A4B3B2B.1fc1f0c0.B9c';
const SIZE = { width: 1000, height: 680 };

const out = process.argv[2];
if (!out) throw new Error('usage: node readme-pictures.mjs DIRECTORY');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'film-'));
/** Each frame and for how long it stands, in seconds. @type {[string, number][]} */
const frames = [];
const server = await startServer();
const browser = await chromium.launch(CHROMIUM);
try {
  const context = await browser.newContext({ viewport: SIZE, reducedMotion: 'reduce', locale: 'en-GB' });
  const page = await context.newPage();
  /** @param {number} seconds */
  const take = async (seconds) => {
    const file = path.join(folder, `${String(frames.length).padStart(3, '0')}.png`);
    await page.screenshot({ path: file });
    frames.push([file, seconds]);
  };
  await page.goto(`${server.url}/#analyse=${PUZZLE}`);
  await waitForBoard(page);
  const verdict = () => page.locator('.verdict').textContent();
  await page.waitForFunction(() => /moves to go/.test(document.querySelector('.verdict')?.textContent ?? ''));
  await take(2.2);
  for (let left = Number.parseInt((await verdict()) ?? '', 10); left > 0; left -= 1) {
    await page.locator('#board').click({ position: { x: 2, y: 2 } });
    await page.keyboard.press(' ');
    const wanted = left === 1 ? 'on its target' : left === 2 ? 'One move' : `${left - 1} moves`;
    await page.waitForFunction((text) => document.querySelector('.verdict')?.textContent?.includes(text), wanted);
    await take(left === 1 ? 2.5 : 0.9);
  }
  await page.goto(`${server.url}/#edit=${PUZZLE}`);
  await waitForBoard(page);
  await page.getByText(/Solvable in/).first().waitFor();
  await take(2.5);
  const phone = await browser.newPage({ viewport: SIZES.phone, deviceScaleFactor: 2, isMobile: true, hasTouch: true, reducedMotion: 'reduce', locale: 'en-GB' });
  await phone.goto(`${server.url}/#edit=${PUZZLE}`);
  await waitForBoard(phone);
  await phone.getByText(/Solvable in/).first().waitFor();
  await phone.screenshot({ path: path.join(out, 'page-phone.png') });
} finally {
  await browser.close();
  await server.stop();
}
const list = path.join(folder, 'frames.txt');
const last = frames[frames.length - 1];
fs.writeFileSync(list, [...frames, last].map(([file, seconds]) => `file '${file}'\nduration ${seconds}\n`).join(''));
const filter = 'split[a][b];[a]palettegen=max_colors=64:stats_mode=full[p];[b][p]paletteuse=dither=none:diff_mode=rectangle';
execFileSync('ffmpeg', ['-loglevel', 'error', '-y', '-f', 'concat', '-safe', '0', '-i', list, '-vf', filter, '-loop', '0', path.join(out, 'page.gif')]);
fs.rmSync(folder, { recursive: true });
