// The static site: the first visit, no network after it, a newer version. `./site.sh` makes the site.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { CHROMIUM, playKeys, waitForBoard } from '../tools/browser.mjs';
import { serveFolder } from '../tools/file-server.mjs';
import { SITE } from '../tools/server.mjs';
import { builtFiles, corpus } from '../tools/wasm.mjs';

/** @import {Browser, Page} from 'playwright-core' */

const skip = SITE ? false : 'needs a site: RICOCHET_SITE names its folder';
/** @type {Browser} */
let browser;
before(async () => {
  if (SITE) browser = await chromium.launch(CHROMIUM);
});
after(() => browser?.close());

/** A visitor with their own host; complaints fail the test. @param {string} folder @param {(page: Page, host: {url: string, stop: () => Promise<void>}) => Promise<void>} run */
async function visitor(folder, run) {
  const host = await serveFolder(folder, '/robots');
  const context = await browser.newContext({ locale: 'en-GB' });
  /** @type {string[]} */
  const complaints = [];
  try {
    const page = await context.newPage();
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    await run(page, host);
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
    await host.stop();
  }
}

/** The engine's answer, asked through the page's own connection. @param {Page} page @param {string} question @param {object} fields */
const ask = (page, question, fields) =>
  page.evaluate(
    async ([name, values]) => {
      const script = /** @type {HTMLScriptElement} */ (document.querySelector('script[type="module"]'));
      const { app } = await import(script.src);
      return app.engine.ask(name, values);
    },
    /** @type {[string, object]} */ ([question, fields]),
  );

test('after one visit the page works without a network', { skip }, async () => {
  await visitor(SITE ?? '', async (page, host) => {
    await page.goto(`${host.url}/#play=8x8..0034.R77`);
    await waitForBoard(page);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await host.stop();
    // A mode that was not open before, pictures by the other engine, and a new start.
    await page.goto('about:blank');
    await page.goto(`${host.url}/#analyse=8x8..0034.R77`);
    await waitForBoard(page);
    assert.equal((await ask(page, 'solve', { puzzle: '8x8..0034.R77' })).length, 2);
    await page.goto(`${host.url}/#play&as=training`);
    await waitForBoard(page);
    const [, puzzle] = /#play=([^&]+)&as=training/.exec(await page.evaluate(() => location.hash)) ?? [];
    await playKeys(page, (await ask(page, 'solve', { puzzle })).moves);
    await page.locator('.result .rating-change').waitFor();
    // ./test.sh builds the file for pictures only with --long.
    for (const kind of builtFiles().pictures ? ['svg', 'png', 'gif', 'pdf'] : ['svg']) {
      const picture = await ask(page, 'draw', { puzzle: '4x3..0012.R31', kind, solution: true });
      assert.ok((picture.text ?? picture.base64).length > 100, kind);
    }
  });
});

test('what needs a server says so', { skip }, async () => {
  await visitor(SITE ?? '', async (page, host) => {
    await page.goto(`${host.url}/#play=8x8..0034.R77`);
    await waitForBoard(page);
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByText('This needs a server, and this page has none.').waitFor();
    const message = await ask(page, 'results', {}).catch((error) => String(error));
    assert.match(String(message), /needs a server/);
  });
});

test('hard puzzles, several at once, and those that nobody waits for', { skip }, async () => {
  await visitor(SITE ?? '', async (page, host) => {
    await page.goto(`${host.url}/#play=8x8..0034.R77`);
    await waitForBoard(page);
    // All of them with RICOCHET_LONG.
    const hard = corpus('official/hard').slice(0, process.env.RICOCHET_LONG === '1' ? undefined : 3);
    const answers = await Promise.all(hard.map(({ line }) => ask(page, 'solve', { puzzle: line })));
    assert.deepEqual(answers.map(({ length }) => length), hard.map(({ optimal }) => optimal));
    const record = corpus('records/records').find(({ optimal }) => optimal === 25);
    const ended = await page.evaluate(async (puzzle) => {
      const script = /** @type {HTMLScriptElement} */ (document.querySelector('script[type="module"]'));
      const { app } = await import(script.src);
      const started = [1, 2, 3, 4, 5].map(() => {
        const wait = new AbortController();
        const asked = app.engine.ask('solve', { puzzle }, { signal: wait.signal }).catch((/** @type {Error} */ error) => error.name);
        setTimeout(() => wait.abort(), 30);
        return asked;
      });
      const names = await Promise.all(started);
      return [names, (await app.engine.ask('solve', { puzzle: '4x3..0012.R31' })).length];
    }, record.line);
    assert.deepEqual(ended, [Array(5).fill('AbortError'), 3]);
    const rows = (await ask(page, 'compare', { puzzle: '4x3..0012.R31' })).rows;
    const { solvers } = await ask(page, 'solvers', {});
    assert.deepEqual(rows.map((/** @type {{solver: string}} */ row) => row.solver), solvers.map((/** @type {{name: string}} */ one) => one.name));
  });
});

test('rooms say that they need a server, and nothing is asked for that is not there', { skip }, async () => {
  await visitor(SITE ?? '', async (page, host) => {
    /** @type {string[]} */
    const failed = [];
    page.on('response', (response) => response.status() >= 400 && failed.push(response.url()));
    await page.goto(`${host.url}/#room`);
    await page.getByRole('heading', { name: 'Rooms need a server' }).waitFor();
    await page.getByRole('button', { name: 'Start at the table' }).click();
    await page.getByRole('heading', { name: 'Who plays?' }).waitFor();
    await page.goto(`${host.url}/#room=abcdefghijkl`);
    await page.getByRole('heading', { name: 'Rooms need a server' }).waitFor();
    assert.deepEqual(failed, []);
  });
});

test('a newer version is offered, and takes over as a whole', { skip }, async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ricochet-site-'));
  try {
    fs.cpSync(SITE ?? '', folder, { recursive: true });
    await visitor(folder, async (page, host) => {
      await page.goto(`${host.url}/#play=8x8..0034.R77`);
      await waitForBoard(page);
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
      const index = path.join(folder, 'index.html');
      fs.writeFileSync(index, fs.readFileSync(index, 'utf8').replace('<html', '<html data-version="2"'));
      const worker = path.join(folder, 'service-worker.js');
      fs.writeFileSync(worker, fs.readFileSync(worker, 'utf8').replace(/VERSION = "/, 'VERSION = "2'));
      await page.reload();
      await waitForBoard(page);
      assert.equal(await page.locator('html').getAttribute('data-version'), null, 'the old version until its reader agrees');
      await page.getByRole('button', { name: 'Reload' }).click();
      await page.locator('html[data-version="2"]').waitFor();
      await waitForBoard(page);
      await host.stop();
      await page.reload();
      await page.locator('html[data-version="2"]').waitFor();
      await waitForBoard(page);
    });
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
});
