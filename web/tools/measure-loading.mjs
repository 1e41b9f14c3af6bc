// How long the page takes to load on slow networks: each visit is a new browser context.
//
//   RICOCHET=target/release/ricochet node web/tools/measure-loading.mjs [ROUNDS] [PATH...]
//
// Networks are those of Chromium's developer tools (`Network.emulateNetworkConditions`: bytes per
// second and milliseconds from request to response), and 3G as WebPageTest defines it. One row per
// visit: when robots are first painted, when the page takes moves, and what was transferred until then.
import { chromium } from 'playwright-core';
import { CHROMIUM } from '../tests/tools/browser.mjs';
import { startServer } from '../tests/tools/server.mjs';

/** Bytes per second down and up, and latency in milliseconds. @type {Record<string, [number, number, number] | null>} */
const NETWORKS = {
  'slow-3g': [50_000, 50_000, 2000],
  'slow-3g-webpagetest': [50_000, 50_000, 400],
  'slow-4g': [180_000, 84_375, 562.5],
  'fast-4g': [1_012_500, 168_750, 165],
  none: null,
};
const SETTLE = 2000;

const [rounds = '3', ...paths] = process.argv.slice(2);
const server = await startServer();
const browser = await chromium.launch(CHROMIUM);
// The server compresses a file when it is first asked for.
const warm = await browser.newPage();
await warm.goto(`${server.url}/`, { waitUntil: 'load', timeout: 120_000 });
await warm.close();
console.log('network,path,visit,round,robots_ms,ready_ms,requests,page_requests,bytes,requests_later,bytes_later');
for (let round = 0; round < Number(rounds); round += 1) {
  for (const [name, network] of Object.entries(NETWORKS)) {
    for (const path of paths.length ? paths : ['/', '/#play=1A4B3B2B.1fc1f0c0.B9c']) {
      const context = await browser.newContext({ viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true });
      const page = await context.newPage();
      await page.addInitScript(() => {
        const seen = /** @type {any} */ (window);
        const look = () => {
          // The page's own board, or the one that is drawn before its scripts run: if it is seen. A document
          // that was opened with a fragment hides the board of the day.
          const robots = [...document.querySelectorAll('#board svg g.robot, #board svg .robots > *')];
          if (robots.some((robot) => robot.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && robot.getBoundingClientRect().width > 0)) seen.robots ??= performance.now();
          if (document.body?.dataset.ready) seen.ready ??= performance.now();
          if (seen.ready === undefined || seen.robots === undefined) requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      });
      const devtools = await context.newCDPSession(page);
      await devtools.send('Network.enable');
      const [down, up, latency] = network ?? [-1, -1, 0];
      await devtools.send('Network.emulateNetworkConditions', { offline: false, latency, downloadThroughput: down, uploadThroughput: up });
      /** @type {Map<string, {url: string, bytes: number, time: number, cached: boolean}>} */
      const requests = new Map();
      devtools.on('Network.requestWillBeSent', ({ requestId, request }) => requests.set(requestId, { url: request.url, bytes: 0, time: Date.now(), cached: request.url.startsWith('data:') || request.url.startsWith('blob:') }));
      devtools.on('Network.requestServedFromCache', ({ requestId }) => {
        const request = requests.get(requestId);
        if (request) request.cached = true;
      });
      devtools.on('Network.responseReceived', ({ requestId, response }) => {
        const request = requests.get(requestId);
        if (request && (response.fromDiskCache || response.fromServiceWorker)) request.cached = true;
      });
      devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
        const request = requests.get(requestId);
        if (request) request.bytes = encodedDataLength;
      });
      for (const visit of ['first', 'reload']) {
        requests.clear();
        if (visit === 'first') await page.goto(server.url + path, { waitUntil: 'commit', timeout: 120_000 });
        else await page.reload({ waitUntil: 'commit', timeout: 120_000 });
        const times = /** @type {{robots: number, ready: number}} */ (await (await page.waitForFunction(() => {
          const { robots, ready } = /** @type {any} */ (window);
          return robots !== undefined && ready !== undefined && { robots, ready };
        }, undefined, { timeout: 120_000 })).jsonValue());
        const sent = () => [...requests.values()].filter(({ cached }) => !cached);
        const until = sent();
        const sum = (/** @type {{bytes: number}[]} */ list) => list.reduce((total, { bytes }) => total + bytes, 0);
        const first = [until.length, until.filter(({ url }) => !url.includes('/api/')).length, sum(until)];
        await page.waitForTimeout(SETTLE + 2 * latency);
        console.log([name, path, visit, round, times.robots.toFixed(0), times.ready.toFixed(0), ...first, sent().length - first[0], sum(sent()) - first[2]].join(','));
      }
      await context.close();
    }
  }
}
await browser.close();
await server.stop();
