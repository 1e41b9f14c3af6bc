// The engine that the program's own server delivers: where it was built, the page searches in a worker and
// asks the server for nothing. Without a build a stand-in shows which engine the page chooses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deliverEngine, waitForBoard, useBrowser } from '../tools/browser.mjs';
import { usePlayers } from '../tools/players.mjs';
import { startRestartable } from '../tools/restartable-server.mjs';
import { SITE } from '../tools/server.mjs';
import { builtFiles } from '../tools/wasm.mjs';

const { onPage } = useBrowser();
const people = usePlayers({ ownServer: true });
const PUZZLE = '1A4B3B2B.1fc1f0c0.B9c';
const built = Boolean(builtFiles().portable ?? builtFiles().simd);

/** @param {import('playwright-core').Page} page @returns {string[]} the questions that the page asks the server from now on */
function questionsOf(page) {
  /** @type {string[]} */
  const asked = [];
  page.on('request', (request) => {
    const question = /\/api\/v1\/(\w+)$/.exec(new URL(request.url()).pathname)?.[1];
    if (question) asked.push(question);
  });
  return asked;
}

test('with the engine that was built the page solves by itself', { skip: SITE ? 'there is no server' : built ? false : 'no engine was built' }, async () => {
  await onPage('#edit', { choose: true }, async (page, server) => {
    const asked = questionsOf(page);
    const { engine } = JSON.parse((await page.locator('#delivered').textContent()) ?? '');
    for (const [kind, file] of Object.entries(builtFiles())) assert.ok(engine[kind].endsWith(`/wasm/${file}`), engine[kind]);
    await page.goto(`${server.url}/#edit=${PUZZLE}`);
    await page.reload();
    await waitForBoard(page);
    await page.locator('.verdict').getByText('Solvable in 9 moves').waitFor();
    assert.ok(page.workers().length >= 1);
    assert.deepEqual(asked, []);
  });
});

test('after the first visit the page works while the server is gone, and takes what is new when it is back', { skip: SITE ? 'there is no server' : built ? false : 'no engine was built' }, async () => {
  const server = await startRestartable();
  const page = await people.openPage(`${server.url}/#edit=${PUZZLE}`, { mayComplain: ['Failed to load resource', 'net::ERR'], serviceWorkers: 'allow' });
  try {
    await waitForBoard(page);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.reload();
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await server.kill();
    await page.reload();
    await waitForBoard(page);
    await page.locator('.verdict').getByText('Solvable in 9 moves').waitFor();
    assert.equal(await page.evaluate(() => crossOriginIsolated), true, 'the headers are kept as well');
    await server.start();
    await page.reload();
    await waitForBoard(page);
    assert.equal((await page.request.get(`${server.url}/api`)).status(), 200);
    await page.goto(`${server.url}/api`);
    assert.match(await page.title(), /interface/);
  } finally {
    await people.closeAll();
    await server.stop();
  }
});

test('a server that names an engine is asked for it and for nothing else', { skip: SITE ? 'there is no server' : false }, async () => {
  await onPage('#room', { choose: true, mayComplain: ['engine', 'Engine', 'wasm', 'ask', 'not a function'] }, async (page, server) => {
    await deliverEngine(page, { portable: 'wasm/tiny.wasm' });
    // A module that is valid and can do nothing.
    const body = Buffer.from([0, 97, 115, 109, 1, 0, 0, 0]);
    // The worker fetches the engine after it has started, so wait for both.
    /** @type {Promise<void>} */
    const fetched = new Promise((resolve) => {
      void page.route('**/wasm/tiny.wasm', (route) => {
        resolve();
        return route.fulfill({ contentType: 'application/wasm', body });
      });
    });
    // The lobby's own request may come late.
    await page.getByText('No public room is open now').waitFor();
    const asked = questionsOf(page);
    const started = page.waitForEvent('worker');
    // Only a new document says which engine there is.
    await page.goto('about:blank');
    await page.goto(`${server.url}/#analyse=${PUZZLE}`);
    await started;
    await fetched;
    assert.equal(asked.length, 0, asked.join());
    // `?engine=server` overrides the choice.
    await page.goto(`${server.url}/?engine=server#analyse=${PUZZLE}`);
    await waitForBoard(page);
    assert.ok(asked.includes('read'));
  });
});
