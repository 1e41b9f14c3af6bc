// A real Chromium, and pages that fail a test when they complain.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { SITE, startServer } from './server.mjs';

/** @import {Browser, BrowserContext, Page} from 'playwright-core' */
/** @import {Server} from './server.mjs' */

const FLAGS = ['--no-sandbox', '--headless', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];

/** How the browser is started. */
export const CHROMIUM = { executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS };

/** Sizes that the page is tested in. */
export const SIZES = { phone: { width: 360, height: 740 }, small: { width: 320, height: 640 }, landscape: { width: 740, height: 360 }, desktop: { width: 1280, height: 800 } };

/**
 * @typedef {object} PageOptions
 * @property {keyof typeof SIZES} [size]
 * @property {object} [settings] as the page stores them
 * @property {Record<string, unknown>} [stored] more of what the page stores
 * @property {string} [timezone] such as Pacific/Auckland
 * @property {boolean} [motion] animations are off unless they are asked for
 * @property {boolean} [choose] the page chooses its engine: otherwise the server answers
 * @property {string[]} [mayComplain] parts of console messages that belong to the test
 */

/** One server and one browser for the tests of a file. */
export function useBrowser() {
  /** @type {Browser} */
  let browser;
  /** @type {Server} */
  let server;
  before(async () => {
    if (!SITE) server = await startServer();
    browser = await chromium.launch(CHROMIUM);
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  /**
   * Opens an address, runs a test on it, and sees that nothing complained.
   * @param {string} hash @param {PageOptions} options @param {(page: Page, server: Server) => Promise<void>} run
   */
  async function onPage(hash, options, run) {
    // Each visitor of the site has their own host, which is gone after the first visit.
    if (SITE) server = await startServer();
    const context = await newContext(browser, options.size, options.motion, undefined, options.timezone);
    try {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url });
      if (SITE) await visitOnce(await context.newPage(), server);
      const { page, complaints } = await newPage(context, { settings: { language: 'en', ...options.settings }, ...options.stored });
      page.on('request', (request) => {
        if (!request.url().startsWith(server.url) && !/^(data|blob|about):/.test(request.url())) complaints.push(`a request to ${request.url()}`);
      });
      await page.goto(`${server.url}/${SITE || options.choose ? '' : '?engine=server'}${hash}`);
      await run(page, server);
      assert.deepEqual(unexpected(complaints, options.mayComplain), []);
    } finally {
      await context.close();
      if (SITE) await server.stop();
    }
  }
  return { onPage };
}

/** A separate browser context. Without a site, service workers are blocked: they would hide requests from the tests.
 * @param {Browser} browser @param {keyof typeof SIZES} [size] @param {boolean} [motion] @param {'allow' | 'block'} [serviceWorkers] @param {string} [timezoneId] */
export function newContext(browser, size = 'desktop', motion = false, serviceWorkers = SITE ? 'allow' : 'block', timezoneId = undefined) {
  const isMobile = size !== 'desktop';
  return browser.newContext({ viewport: SIZES[size], hasTouch: isMobile, isMobile, serviceWorkers, reducedMotion: motion ? 'no-preference' : 'reduce', locale: 'en-GB', timezoneId });
}

/** A new page, and what it complains about. @param {BrowserContext} context @param {Record<string, unknown>} stored what is in its storage at first */
export async function newPage(context, stored) {
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  /** @type {string[]} */
  const complaints = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.stack ?? error.message));
  await page.addInitScript((entries) => {
    if (!location.protocol.startsWith('http')) return;
    for (const [name, value] of Object.entries(entries)) {
      if (localStorage.getItem(`ricochet.${name}`) === null) localStorage.setItem(`ricochet.${name}`, JSON.stringify(value));
    }
  }, stored);
  return { page, complaints };
}

/** Delivers the page with another list of the engine's files. @param {Page} page @param {object} engine */
export function deliverEngine(page, engine) {
  return page.route((url) => url.pathname === '/', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/"engine":\{[^}]*\}/, `"engine":${JSON.stringify(engine)}`);
    await route.fulfill({ response, body });
  });
}

/** Lets a page import single modules, which a server joins into few files. @param {Page} page */
export const serveModules = (page) => page.route('**/modules/**', (route) => {
  const [, path] = new URL(route.request().url()).pathname.split('/modules/');
  return route.fulfill({ path: fileURLToPath(new URL(`../../public/${path}`, import.meta.url)) });
});

/** Complaints that a test does not expect. @param {string[]} complaints @param {string[]} [expected] parts of those it does */
export const unexpected = (complaints, expected = []) => complaints.filter((text) => ![...expected, 'Service Worker registration blocked'].some((part) => text.includes(part)));

/** Lets the service worker keep the site, and cuts the network. @param {Page} page @param {Server} server */
async function visitOnce(page, server) {
  // Any file of the site will do: the page itself would begin a game.
  await page.goto(`${server.url}/manifest.webmanifest`);
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('service-worker.js');
    await navigator.serviceWorker.ready;
  });
  await page.close();
  await server.stop();
}

/** @type {Record<string, string>} */
export const ARROW = { N: 'ArrowUp', E: 'ArrowRight', S: 'ArrowDown', W: 'ArrowLeft' };

/** Plays moves by the keys. @param {Page} page @param {string[]} moves */
export async function playKeys(page, moves) {
  for (const move of moves) {
    await page.keyboard.press(move[0].toLowerCase());
    await page.keyboard.press(ARROW[move[1]]);
  }
}

/** The fragment of the address: the driver's own view of it may be late. @param {Page} page @returns {Promise<string>} */
export const hashOf = (page) => page.evaluate(() => location.hash);

/** The moves of the address. @param {Page} page */
export const movesOf = async (page) => /moves=([^&]*)/.exec(await hashOf(page))?.[1]?.split('-') ?? [];

/** The puzzle of the address. @param {Page} page */
export const lineOf = async (page) => /#\w+=([^&]*)/.exec(await hashOf(page))?.[1] ?? '';

/** Where the middle of a cell is on the screen. @param {Page} page @param {number} x @param {number} y */
export async function cellAt(page, x, y) {
  const box = await page.locator(`[data-cell="${x},${y}"]`).boundingBox();
  assert.ok(box, `cell ${x},${y}`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, side: box.width };
}

/** Waits for a text in the live region. @param {Page} page @param {RegExp} text */
export async function waitForAnnouncement(page, text) {
  await page.waitForFunction(([source, flags]) => new RegExp(source, flags).test(document.getElementById('live')?.textContent ?? ''), [text.source, text.flags]);
}

/** Checks that elements are completely on the screen, without scrolling. @param {Page} page @param {string[]} parts */
export async function assertInSight(page, parts) {
  const { width, height } = /** @type {{width: number, height: number}} */ (page.viewportSize());
  for (const part of parts) {
    const box = await page.locator(part).first().boundingBox();
    const fits = box && box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height;
    assert.ok(fits, `${part} does not fit into ${width} × ${height}: ${JSON.stringify(box)}`);
  }
}

/** Checks that nothing is wider than the window. Its inner width is no measure: on phones it grows with what does not fit.
 * @param {Page} page @param {string} [what] */
export async function assertNoOverflow(page, what = '') {
  const { width } = /** @type {{width: number}} */ (page.viewportSize());
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= width, `${what} ${page.url()}: ${wide} pixels do not fit into ${width}`);
}

/** Takes one of a group of choices. @param {Page | import('playwright-core').Locator} place @param {string} label @param {string} option */
export const choose = (place, label, option) => place.getByRole('group', { name: label, exact: true }).getByRole('radio', { name: option, exact: true }).click();

/** Waits until a puzzle is on the board. @param {Page} page */
export async function waitForBoard(page) {
  await page.locator('#board[data-empty="no"]').waitFor();
  await page.locator('#board [data-cell="0,0"][aria-label]').waitFor({ state: 'attached' });
}
