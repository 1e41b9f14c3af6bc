// Several people in one room, each in a browser context of their own.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { chromium } from 'playwright-core';
import { CHROMIUM, newContext, newPage, unexpected } from './browser.mjs';
import { startServer } from './server.mjs';

/** @import {Browser, BrowserContext, Page} from 'playwright-core' */
/** @import {Server} from './server.mjs' */
/** @import {SIZES} from './browser.mjs' */
/** @import {FakeRoom} from './fake-room.mjs' */

/**
 * @typedef {object} PlayerOptions
 * @property {keyof typeof SIZES} [size]
 * @property {FakeRoom} [fake] a room inside the test instead of the server's
 * @property {Record<string, unknown>} [stored]
 * @property {string[]} [mayComplain]
 * @property {'allow' | 'block'} [serviceWorkers] blocked by default
 */

/** What browsers say when a server goes away, which is what some tests are about. */
export const GONE = ['WebSocket connection', 'ERR_CONNECTION', 'Failed to load resource', 'net::ERR'];

/** Waits until a text was said, now or before. @param {Page} page @param {RegExp} text */
export async function waitForAnnouncement(page, text) {
  await page.waitForFunction(([source, flags]) => new RegExp(source, flags).test(/** @type {any} */ (window).said), [text.source, text.flags]);
}

/** One browser for the tests of a file; `ownServer` for those that kill it. @param {{ownServer?: boolean}} [options] */
export function usePlayers({ ownServer = false } = {}) {
  /** @type {Browser} */
  let browser;
  /** @type {Server | null} */
  let server = null;
  /** @type {{context: BrowserContext, complaints: string[], mayComplain: string[]}[]} */
  let open = [];
  before(async () => {
    if (!ownServer) server = await startServer();
    browser = await chromium.launch(CHROMIUM);
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  return {
    /** @returns {Server} */
    get server() {
      assert.ok(server);
      return server;
    },

    /** Opens an address in a new browser context. @param {string} url @param {PlayerOptions} [options] @returns {Promise<Page>} */
    async openPage(url, options = {}) {
      const context = await newContext(browser, options.size, false, options.serviceWorkers);
      await options.fake?.attach(context);
      const { page, complaints } = await newPage(context, { settings: { language: 'en' }, ...options.stored });
      open.push({ context, complaints, mayComplain: options.mayComplain ?? [] });
      await page.addInitScript(() => {
        // Everything that was said: in a room one sentence soon follows another.
        const said = /** @type {any} */ (window);
        said.said = '';
        document.addEventListener('DOMContentLoaded', () => {
          const live = document.getElementById('live');
          if (live) new MutationObserver(() => (said.said += `${live.textContent}\n`)).observe(live, { childList: true, characterData: true, subtree: true });
        });
      });
      await page.goto(url);
      return page;
    },

    /** Closes all pages, and fails if one has complained. */
    async closeAll() {
      const left = open.flatMap(({ complaints, mayComplain }) => unexpected(complaints, mayComplain));
      for (const { context } of open) await context.close();
      open = [];
      assert.deepEqual(left, []);
    },
  };
}
