// The documentation site: its boards are live and its search finds pages. packaging/check.sh runs it.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { CHROMIUM } from '../tools/browser.mjs';
import { serveFolder } from '../tools/file-server.mjs';

/** @import {Browser} from 'playwright-core' */

const folder = process.env.RICOCHET_BOOK ?? '';
const skip = folder ? false : 'RICOCHET_BOOK names no folder';

/** @type {Awaited<ReturnType<typeof serveFolder>>} */
let host;
/** @type {Browser} */
let browser;
before(async () => {
  if (skip) return;
  host = await serveFolder(folder, '/ricochet');
  browser = await chromium.launch(CHROMIUM);
});
after(async () => {
  await browser?.close();
  await host?.stop();
});

/** A page that stays on the site. @param {string} file */
async function open(file) {
  const page = await browser.newPage();
  /** @type {string[]} */
  const elsewhere = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(host.url) && !/^(data|blob|about):/.test(request.url())) elsewhere.push(request.url());
  });
  await page.goto(`${host.url}/${file}`);
  return { page, elsewhere };
}

test('every live board of the book shows a board', { skip }, async () => {
  const chapters = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const live = chapters.filter((file) => file.endsWith('.html') && !file.startsWith('play') && fs.readFileSync(path.join(folder, file), 'utf8').includes('<iframe class="live"'));
  assert.ok(live.length >= 4, `${live}`);
  for (const chapter of live) {
    const { page, elsewhere } = await open(chapter);
    const frames = page.locator('iframe.live');
    for (let number = 0; number < (await frames.count()); number += 1) {
      await frames.nth(number).scrollIntoViewIfNeeded();
      await frames.nth(number).contentFrame().locator('.robot').first().waitFor();
    }
    assert.deepEqual(elsewhere, [], chapter);
    await page.close();
  }
});

test('the analysis in the book is computed in the page', { skip }, async () => {
  const { page } = await open('docs/book/play.html');
  const analysis = page.locator('iframe.live').last();
  await analysis.scrollIntoViewIfNeeded();
  await analysis.contentFrame().locator('.layer-engine .pointer').first().waitFor({ state: 'attached' });
  await page.close();
});

test('the search finds a chapter', { skip }, async () => {
  const { page, elsewhere } = await open('index.html');
  await page.keyboard.press('s');
  await page.getByRole('searchbox').fill('tablebase probe');
  const hit = page.locator('[id$=searchresults] a').filter({ hasText: 'Tablebase' }).first();
  await hit.click();
  await page.waitForURL(/tablebase\.html/);
  assert.deepEqual(elsewhere, []);
  await page.close();
});

test('the reference of the Python package is there', { skip }, async () => {
  const { page, elsewhere } = await open('python/docs/api.html');
  await page.getByRole('link', { name: 'full reference' }).click();
  await page.getByRole('heading', { name: 'ricochet_engine', level: 1 }).waitFor();
  assert.deepEqual(elsewhere, []);
  await page.close();
});
