// Rooms and the table for everyone: no serious finding of axe-core in any state, theme and size, and
// nothing that is wider than the screen.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { seriousViolations } from '../tools/axe.mjs';
import { FakeRoom } from '../tools/fake-room.mjs';
import { usePlayers } from '../tools/players.mjs';

/** @import {Page} from 'playwright-core' */

const people = usePlayers();
afterEach(() => people.closeAll());

/** @param {Page[]} pages @param {string} state */
async function look(pages, state) {
  for (const [i, page] of pages.entries()) {
    assert.deepEqual(await seriousViolations(page), [], `${state}, ${i}`);
    const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(wide <= room, `${state}, ${i}: ${wide} pixels do not fit into ${room}`);
  }
}

/** Each in another theme, size and language. @type {[string, 'phone' | 'desktop', object][]} */
const GUESTS = [
  ['Ada', 'phone', { theme: 'light', language: 'de' }],
  ['Ben', 'desktop', { theme: 'dark' }],
  ['Cleo', 'phone', { theme: 'contrast' }],
  ['Dan', 'desktop', { theme: 'color-blind' }],
];

test('axe: lobby, form, waiting, thinking, showing, result of a round and of a game', async () => {
  const room = new FakeRoom(people.server, { sand_ms: 400, length: { rounds: 1 } });
  try {
    const pages = [];
    for (const [, size, settings] of GUESTS) pages.push(await people.openPage(`${people.server.url}/#room`, { size, fake: room, stored: { settings: { language: 'en', ...settings } }, mayComplain: ['404'] }));
    for (const page of pages) await page.locator('.room-entry').first().waitFor();
    for (const page of pages) await page.locator('.big-summary').click();
    for (const page of pages) await page.locator('details details summary').click();
    await look(pages, 'lobby');
    for (const [i, [name]] of GUESTS.entries()) {
      await pages[i].goto(`${people.server.url}/#room=${room.name}`);
      await pages[i].locator('#join-name').fill(name);
      if (i === 1) await look([pages[i]], 'joining');
      await pages[i].locator('.join button').click();
      await pages[i].locator('.seat[data-you="yes"]').waitFor();
    }
    await look(pages, 'waiting');
    await room.start();
    for (const page of pages) await page.locator('.pad').waitFor();
    for (const page of pages) await page.locator('[data-cell="0,0"][aria-label]').waitFor({ state: 'attached' });
    await look(pages, 'thinking');
    room.say({ say: 'bid', player: 2, moves: 9 });
    for (const page of pages) await page.locator('.seat[data-turn="shows"]').waitFor();
    await look(pages, 'showing');
    for (const play of room.solution) room.say({ say: 'show', player: 2, play });
    for (const page of pages) await page.locator('.standings').waitFor();
    await look(pages, 'over');
  } finally {
    room.stop();
  }
});

test('axe: setting the table, and a game around it', async () => {
  const stored = { settings: { language: 'de', theme: 'dark' }, 'table-wishes': { names: ['Ada', 'Ben'], board: 'own', layout: '1A4B3B2B' } };
  const page = await people.openPage(`${people.server.url}/#room&as=table`, { size: 'phone', stored });
  await page.locator('.slots').waitFor();
  await look([page], 'setting the table');
  await page.getByRole('button', { name: 'Beginnen' }).click();
  await page.getByRole('button', { name: 'Nächstes Ziel aufdecken' }).waitFor();
  await look([page], 'before the round');
  await page.keyboard.press('n');
  await page.locator('.pad').waitFor();
  await look([page], 'bids');
});
