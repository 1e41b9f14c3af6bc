// The npm package in a browser without a bundler: its example page. packaging/check.sh runs it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chromium } from 'playwright-core';
import { CHROMIUM } from '../tools/browser.mjs';
import { serveFolder } from '../tools/file-server.mjs';

const folder = process.env.RICOCHET_PACKAGE;

test('the example page of the npm package solves and draws', { skip: folder ? false : 'RICOCHET_PACKAGE names no folder' }, async (t) => {
  const host = await serveFolder(/** @type {string} */ (folder), '/package');
  t.after(() => host.stop());
  const browser = await chromium.launch(CHROMIUM);
  t.after(() => browser.close());
  const page = await browser.newPage();
  await page.goto(`${host.url}/example.html`);
  const answer = page.getByRole('status');
  await answer.filter({ hasText: /^9 moves: \S+( \S+){8}$/ }).waitFor();
  await page.locator('#board[src^="data:image/svg+xml"]').waitFor();
  assert.ok(await page.locator('#board').evaluate((image) => /** @type {HTMLImageElement} */ (image).decode().then(() => true)));

  const puzzle = page.getByLabel('A puzzle');
  await puzzle.fill('7650+42+E2302B12+C9');
  await puzzle.press('Enter');
  await answer.filter({ hasText: /^25 moves: / }).waitFor();
  await puzzle.fill('what a lovely day');
  await puzzle.press('Enter');
  await answer.filter({ hasNotText: /moves/ }).waitFor();
  assert.notEqual(await answer.textContent(), '');
});
