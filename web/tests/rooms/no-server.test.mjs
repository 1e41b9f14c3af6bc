// A page without a server says what rooms need, offers what works without one, and sends no requests.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seriousViolations } from '../tools/axe.mjs';
import { deliverEngine, useBrowser } from '../tools/browser.mjs';
import { needsServer } from '../tools/server.mjs';

const { onPage } = useBrowser();
// The server's page is told that there is no server, as the static site's is; that one's test is in offline.test.mjs.

test('rooms without a server: what to run, and the table', needsServer, async () => {
  for (const [language, hash] of /** @type {const} */ ([['en', '#room'], ['de', '#room'], ['en', '#room=abcdefghijkl'], ['en', '#room&as=tv']])) {
    await onPage('#edit=8x8..0034.R77', { size: language === 'de' ? 'phone' : 'desktop', choose: true, settings: { language } }, async (page, server) => {
      await deliverEngine(page, { server: false });
      await page.goto('about:blank');
      /** @type {string[]} */
      const asked = [];
      page.on('request', (request) => asked.push(request.url()));
      page.on('websocket', (socket) => asked.push(`${socket.url()}/api/`));
      await page.goto(`${server.url}/${hash}`);
      await page.getByRole('heading', { name: language === 'de' ? 'Räume brauchen einen Server' : 'Rooms need a server' }).waitFor();
      await page.getByText('ricochet serve --listen 0.0.0.0').waitFor();
      assert.equal(await page.locator('#own-name, #room-code, .rooms, .join').count(), 0, 'no field that leads nowhere');
      assert.deepEqual(await seriousViolations(page), []);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      await page.getByRole('button', { name: language === 'de' ? 'Am Tisch beginnen' : 'Start at the table' }).click();
      await page.getByRole('heading', { name: language === 'de' ? 'Wer spielt?' : 'Who plays?' }).waitFor();
      assert.deepEqual(asked.filter((url) => url.includes('/api/')), []);
    });
  }
});
