// The engine that the program's own server delivers: where it was built, the page searches in a worker and
// asks the server for nothing. Without a build a stand-in shows which engine the page chooses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitForBoard, useBrowser } from '../tools/browser.mjs';
import { SITE } from '../tools/server.mjs';
import { builtFiles } from '../tools/wasm.mjs';

const { onPage } = useBrowser();
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
    const response = await fetch(`${server.url}/wasm/engine.json`);
    assert.deepEqual(await response.json(), builtFiles());
    await page.goto(`${server.url}/#edit=${PUZZLE}`);
    await page.reload();
    await waitForBoard(page);
    await page.locator('.verdict').getByText('Solvable in 9 moves').waitFor();
    assert.ok(page.workers().length >= 1);
    assert.deepEqual(asked, []);
  });
});

test('a server that names an engine is asked for it and for nothing else', { skip: SITE ? 'there is no server' : false }, async () => {
  await onPage('#room', { choose: true, mayComplain: ['engine', 'Engine', 'wasm', 'ask', 'not a function'] }, async (page, server) => {
    await page.route('**/wasm/engine.json', (route) => route.fulfill({ json: { portable: 'tiny.wasm' } }));
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
    await page.goto(`${server.url}/#analyse=${PUZZLE}`);
    await page.reload();
    await started;
    await fetched;
    assert.equal(asked.length, 0, asked.join());
    // `?engine=server` overrides the choice.
    await page.goto(`${server.url}/?engine=server#analyse=${PUZZLE}`);
    await waitForBoard(page);
    assert.ok(asked.includes('read'));
  });
});
