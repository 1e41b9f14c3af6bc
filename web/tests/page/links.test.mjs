// Links to puzzles: the page that they open, the board in a frame on another site, and the page
// without a network and after an upgrade of the server.
import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { seriousViolations } from '../tools/axe.mjs';
import { CHROMIUM, SIZES, hashOf, movesOf, newContext, newPage, playKeys, useBrowser, waitForBoard } from '../tools/browser.mjs';
import { startRestartable } from '../tools/restartable-server.mjs';
import { needsServer } from '../tools/server.mjs';

/** @import {Page} from 'playwright-core' */
/** @import {Server} from '../tools/server.mjs' */

const LINE = '4x3..0012.R31';
const SOLUTION = ['GE', 'RE', 'RS'];
const { onPage } = useBrowser();

/** The questions that a page asks from now on. @param {Page} page */
function questionsOf(page) {
  /** @type {string[]} */
  const asked = [];
  page.on('request', (request) => {
    const question = /\/api\/v1\/(.+)$/.exec(new URL(request.url()).pathname)?.[1];
    if (question) asked.push(question);
  });
  return asked;
}

for (const size of /** @type {const} */ (['phone', 'desktop'])) {
  test(`a link opens its puzzle on a ${size}`, needsServer, async () => {
    await onPage('#room', { size, mayComplain: ['404'] }, async (page, server) => {
      const asked = questionsOf(page);
      await page.goto(`${server.url}/p/${LINE}`);
      await waitForBoard(page);
      assert.equal(await hashOf(page), `#play=${LINE}`);
      assert.equal(new URL(page.url()).pathname, '/', 'the address is the page’s own');
      assert.deepEqual(asked.filter((question) => question === 'read'), [], 'the document holds the puzzle');
      assert.equal(await page.locator('.board-drawn').count(), 0, 'the page draws it now');
      await playKeys(page, SOLUTION);
      await page.waitForFunction(() => location.hash.includes('moves='));
      assert.deepEqual(await movesOf(page), SOLUTION);
      asked.length = 0;
      await page.reload();
      await waitForBoard(page);
      assert.deepEqual(asked.filter((question) => question === 'read'), [], 'a reload asks for the document only');
      await page.goto(`${server.url}/p/nonsense`);
      await page.getByRole('heading', { name: 'There is no puzzle at this address' }).waitFor();
      assert.deepEqual(await seriousViolations(page), []);
      await page.getByRole('link', { name: 'Today’s puzzle' }).click();
      await page.waitForFunction(() => document.body.dataset.ready);
      assert.equal(new URL(page.url()).pathname, '/');
    });
  });

  test(`a link of a day opens its puzzle on a ${size}`, needsServer, async () => {
    await onPage('#room', { size }, async (page, server) => {
      const asked = questionsOf(page);
      await page.goto(`${server.url}/daily/2026-11-16`);
      await waitForBoard(page);
      await page.waitForFunction(() => location.hash.includes('as=daily-2026-11-16'));
      assert.deepEqual(asked.filter((question) => question === 'daily'), []);
    });
  });

  test(`without scripts the robots are on the board on a ${size}`, needsServer, async () => {
    await onPage('#room', { size }, async (page, server) => {
      const context = await page.context().browser()?.newContext({ javaScriptEnabled: false, viewport: SIZES[size] });
      const plain = await context?.newPage();
      await plain?.goto(`${server.url}/p/1A4B3B2B.1fc1f0c0.B9c`);
      const robots = await plain?.locator('.board-drawn svg .robots > circle').count();
      assert.equal(robots, 4);
      const drawn = await plain?.locator('.board-drawn svg').boundingBox();
      assert.ok(drawn && drawn.width > 250 && drawn.width <= SIZES[size].width, JSON.stringify(drawn));
      await context?.close();
    });
  });

  test(`the board plays in a frame on another site on a ${size}`, needsServer, async () => {
    await onPage('#room', { size }, async (page, server) => {
      const blog = await serveBlog(() => `<iframe src="${server.url}/embed/${LINE}" width="320" height="400" title="A puzzle"></iframe><iframe src="${server.url}/p/${LINE}" title="The page"></iframe>`);
      const context = await newContext(/** @type {any} */ (page.context().browser()), size);
      try {
        const { page: reader, complaints } = await newPage(context, {});
        await reader.goto(blog.url);
        const frame = reader.frameLocator('iframe[title="A puzzle"]');
        await frame.locator('#board[data-empty="no"]').waitFor();
        await frame.locator('#task').getByText('Move red').waitFor();
        // By keys, then by touch or mouse.
        await frame.locator('#open').press('g');
        await frame.locator('#open').press('ArrowRight');
        await frame.locator('.move-chip').getByText('G→').waitFor();
        await frame.locator('#undo').click();
        assert.equal(await frame.locator('.move-chip').count(), 0);
        assert.ok(await frame.locator('#undo').isDisabled());
        for (const move of SOLUTION) {
          await frame.locator('#open').press(move[0].toLowerCase());
          await frame.locator('#open').press(/** @type {Record<string, string>} */ ({ N: 'ArrowUp', E: 'ArrowRight', S: 'ArrowDown', W: 'ArrowLeft' })[move[1]]);
        }
        await frame.locator('.verdict').getByText('Solved in 3 moves').waitFor();
        await frame.locator('#reset').click();
        assert.equal(await frame.locator('#moves').innerText(), '');
        await clickCell(frame, 1, 2);
        await clickCell(frame, 3, 2);
        await frame.locator('.move-chip').getByText('G→').waitFor();
        assert.equal(await frame.locator('#open').getAttribute('href'), `${server.url}/p/${LINE}`);
        // The whole page refuses to be framed, and that is the only complaint.
        assert.ok(complaints.length > 0 && complaints.every((text) => /frame|X-Frame-Options|ancestor|status of 403/i.test(text)), complaints.join('\n'));
        // On its own, so that axe can look into it.
        await reader.goto(`${server.url}/embed/${LINE}`);
        await reader.locator('#board[data-empty="no"]').waitFor();
        assert.deepEqual(await seriousViolations(reader), []);
        const overflow = await reader.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(overflow <= 0, `${overflow} pixels too wide`);
      } finally {
        await context.close();
        await blog.stop();
      }
    });
  });
}

/** @param {import('playwright-core').FrameLocator} frame @param {number} x @param {number} y */
async function clickCell(frame, x, y) {
  const box = await frame.locator('.board-frame').boundingBox();
  const cell = await frame.locator('.board-frame').evaluate((element) => parseFloat(getComputedStyle(element).getPropertyValue('--cell')));
  const left = await frame.locator('.board-frame').evaluate((element) => parseFloat(getComputedStyle(element).getPropertyValue('--left')));
  assert.ok(box);
  await frame.locator('.board-frame').click({ position: { x: left + (x + 0.5) * cell, y: left + (y + 0.5) * cell } });
}

/** A page of another site. @param {() => string} body */
async function serveBlog(body) {
  const server = http.createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><title>Blog</title>${body()}`));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  // Another site than 127.0.0.1.
  return { url: `http://localhost:${port}/`, stop: () => new Promise((resolve) => server.close(() => resolve(undefined))) };
}

test('the page copies short links and code for other pages', needsServer, async () => {
  await onPage(`#analyse=${LINE}&moves=GE`, {}, async (page, server) => {
    await waitForBoard(page);
    await page.getByRole('tab', { name: 'Export' }).click();
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await page.getByRole('button', { name: 'Copy HTML to embed' }).click();
    await page.locator('#toast').waitFor();
    assert.match(await copied(), new RegExp(`^<iframe src="${server.url}/embed/${LINE}"`));
    await page.getByRole('button', { name: /link.*puzzle|puzzle.*link/i }).click();
    await page.waitForTimeout(100);
    assert.equal(await copied(), `${server.url}/p/${LINE}`);
  });
});

// One browser and one server of their own: a server that goes away, and one that is upgraded.
/** @type {import('playwright-core').Browser} */
let browser;
/** @type {import('../tools/restartable-server.mjs').RestartableServer} */
let server;
before(async () => {
  if (needsServer.skip) return;
  browser = await chromium.launch(CHROMIUM);
  server = await startRestartable();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** @param {Page} page */
async function waitForWorker(page) {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

test('after one visit the page opens without its server', needsServer, async () => {
  const context = await newContext(browser, 'phone', false, 'allow');
  try {
    const page = await context.newPage();
    await page.goto(`${server.url}/p/${LINE}`);
    await waitForBoard(page);
    await waitForWorker(page);
    await server.kill();
    await page.goto('about:blank');
    await page.goto(`${server.url}/p/${LINE}`);
    await page.waitForFunction(() => location.hash.includes('play='));
    await page.locator('#modes a[data-mode="room"]').waitFor();
    await page.locator('#modes a[data-mode="room"]').click();
    await page.locator('body[data-mode="room"]').waitFor();
    await server.start();
  } finally {
    await context.close();
  }
});

test('after an upgrade nobody gets the page of before', needsServer, async () => {
  const upgradable = await serveUpgradable(server);
  const context = await newContext(browser, 'desktop', false, 'allow');
  try {
    const page = await context.newPage();
    await page.goto(`${upgradable.url}/#play=${LINE}`);
    await waitForBoard(page);
    await waitForWorker(page);
    const version = () => page.evaluate(() => JSON.parse(document.getElementById('delivered')?.textContent ?? '{}').version);
    const first = await version();
    upgradable.upgrade();
    // What is open goes on with its own files.
    await page.locator('#modes a[data-mode="analyse"]').click();
    await page.locator('body[data-mode="analyse"]').waitFor();
    assert.equal(await version(), first);
    await page.reload();
    await waitForBoard(page);
    const second = await version();
    assert.notEqual(second, first, 'the next visit has the new page');
    await page.waitForFunction(async (name) => (await caches.keys()).includes(`ricochet-${name}`), second);
    // The API is never kept.
    const kept = await page.evaluate(async () => {
      const caching = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
      return caching.flat().map(({ url }) => new URL(url).pathname);
    });
    assert.ok(kept.length > 5 && !kept.some((path) => path.startsWith('/api')), kept.join(' '));
  } finally {
    await context.close();
    await upgradable.stop();
  }
});

test('a page that is open without a worker loads itself again after an upgrade', needsServer, async () => {
  const upgradable = await serveUpgradable(server);
  const context = await newContext(browser);
  try {
    const page = await context.newPage();
    await page.goto(`${upgradable.url}/#play=${LINE}`);
    await waitForBoard(page);
    upgradable.upgrade();
    await page.locator('#modes a[data-mode="edit"]').click();
    await page.waitForFunction(() => document.querySelector('script[src*="ffffffffffffffff"]') !== null);
    await page.locator('body[data-mode="edit"][data-ready="yes"]').waitFor();
    await waitForBoard(page);
  } finally {
    await context.close();
    await upgradable.stop();
  }
});

/** The server behind an address where it can be upgraded: the same files under another hash, and none under the old one.
 * @param {Server} origin */
async function serveUpgradable(origin) {
  const html = await (await fetch(`${origin.url}/`)).text();
  const hash = /assets\/(\w+)\/app\/app\.js/.exec(html)?.[1] ?? '';
  const next = 'ffffffffffffffff';
  let upgraded = false;
  const proxy = http.createServer(async (request, response) => {
    const path = request.url ?? '/';
    if (upgraded && path.includes(hash)) {
      response.writeHead(404).end();
      return;
    }
    /** @type {Buffer[]} */
    const sent = [];
    for await (const part of request) sent.push(part);
    const { host, connection, ...headers } = /** @type {Record<string, string>} */ (request.headers);
    delete headers['accept-encoding'];
    delete headers['if-none-match'];
    if (headers.origin) headers.origin = origin.url;
    const answer = await fetch(origin.url + path.replaceAll(next, hash), { method: request.method, headers, body: sent.length ? Buffer.concat(sent) : undefined });
    const kind = answer.headers.get('content-type') ?? '';
    let bytes = Buffer.from(await answer.arrayBuffer());
    if (upgraded && /html|script/.test(kind)) bytes = Buffer.from(bytes.toString().replaceAll(hash, next));
    const kept = ['content-type', 'cache-control', 'content-security-policy'];
    response.writeHead(answer.status, Object.fromEntries(kept.flatMap((name) => (answer.headers.get(name) ? [[name, answer.headers.get(name) ?? '']] : []))));
    response.end(bytes);
  });
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (proxy.address());
  return {
    url: `http://127.0.0.1:${port}`,
    upgrade: () => {
      upgraded = true;
    },
    stop: () => new Promise((resolve) => {
      proxy.closeAllConnections();
      proxy.close(() => resolve(undefined));
    }),
  };
}
