// The public room: in by one click, bots, phrases in two languages, a report; notifications; and what
// the server has stored for a device.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { seriousViolations } from '../tools/axe.mjs';
import { FakeRoom } from '../tools/fake-room.mjs';
import { roundBegins, stateOf, useRooms } from '../tools/rooms.mjs';

const rooms = useRooms(['--public-room']);

/** @param {string} name @param {import('../tools/players.mjs').PlayerOptions} [options] */
async function lobby(name, options = {}) {
  const stored = { name, ...options.stored };
  const page = await rooms.openPage(`${rooms.server.url}/#room`, { ...options, stored });
  await page.locator('.standing button').first().waitFor();
  return page;
}

/** @param {import('playwright-core').Page} page @param {string} state */
async function look(page, state) {
  assert.deepEqual(await seriousViolations(page), [], state);
  const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(wide <= room, `${state}: ${wide} pixels do not fit into ${room}`);
}

test('one click to play and one to watch; bots say their level; phrases are read in two languages; a report', async () => {
  const ada = await lobby('Ada', { size: 'phone' });
  await look(ada, 'lobby');
  assert.equal(await ada.locator('.rooms .room-entry[data-room="square"]').count(), 0, 'it is not listed twice');
  await ada.getByRole('button', { name: 'Play', exact: true }).click();
  await ada.locator('.seat[data-you="yes"]', { hasText: 'Ada' }).waitFor();
  await ada.locator('.seat-notes', { hasText: 'bot, level 5 of 9' }).waitFor();
  assert.equal((await stateOf(ada)).host, null);
  await roundBegins(ada, 1);

  const german = await lobby('Bea', { stored: { settings: { language: 'de', theme: 'dark' } } });
  await german.getByRole('button', { name: 'Mitspielen' }).click();
  await german.locator('.seat-notes', { hasText: 'Bot, Stufe 5 von 9' }).waitFor();
  for (const page of [ada, german]) await page.locator('.talk summary').click();
  await ada.getByRole('button', { name: 'Well played!' }).click();
  await german.locator('.talk-lines li', { hasText: 'Gut gespielt!' }).waitFor();
  assert.equal(await german.locator('.talk input:visible').count(), 0, 'no free words');
  await look(ada, 'room');
  await look(german, 'room in German');

  const eve = await lobby('');
  await eve.getByRole('button', { name: 'Watch', exact: true }).click();
  await eve.locator('#join-name').waitFor();
  await eve.locator('.seat', { hasText: 'Bea' }).waitFor();

  await ada.getByRole('button', { name: 'More about Bea' }).click();
  await ada.getByRole('button', { name: 'Report to the operator' }).click();
  await ada.getByRole('dialog', { name: 'Report Bea?' }).getByRole('button', { name: 'Report to the operator' }).click();
  await ada.locator('#toast', { hasText: 'Bea has been reported.' }).waitFor();
});

test('a notification is asked for by a click, and comes only when the page is out of sight', async () => {
  const room = new FakeRoom(rooms.server, { sand_ms: 400, pause_ms: 0, length: { rounds: 2 } });
  try {
    const ada = await rooms.openPage(`${rooms.server.url}/#room=${room.name}`, { fake: room });
    await ada.locator('#join-name').fill('Ada');
    await ada.locator('.join button').click();
    await ada.locator('.seat[data-you="yes"]').waitFor();
    await ada.evaluate(() => {
      const page = /** @type {any} */ (window);
      page.shown = [];
      page.asked = 0;
      page.Notification = class {
        static permission = 'default';
        static async requestPermission() {
          page.asked += 1;
          this.permission = 'granted';
          return 'granted';
        }
        /** @param {string} text */
        constructor(text) {
          page.shown.push(text);
        }
      };
    });
    await room.start();
    await ada.locator('.pad').waitFor();
    const seen = () => ada.evaluate(() => [/** @type {any} */ (window).asked, /** @type {any} */ (window).shown]);
    assert.deepEqual(await seen(), [0, []]);
    await ada.getByLabel('Notify me when it is my turn').check();
    assert.deepEqual(await seen(), [1, []]);
    room.say({ say: 'bid', player: 1, moves: 20 });
    await ada.waitForFunction(() => document.title.startsWith('Your turn · '));
    assert.deepEqual(await seen(), [1, []], 'the page is in sight');
    await ada.evaluate(() => Object.defineProperty(document, 'visibilityState', { get: () => 'hidden', configurable: true }));
    for (const play of room.solution) room.say({ say: 'show', player: 1, play });
    await ada.waitForFunction(() => !document.title.startsWith('Your turn'));
    await room.turnUp();
    await ada.waitForFunction(() => document.title.startsWith('New round · '));
    room.say({ say: 'bid', player: 1, moves: 20 });
    await ada.waitForFunction(() => document.title.startsWith('Your turn · '));
    assert.deepEqual(await seen(), [1, ['New round', 'Your turn']]);
  } finally {
    room.stop();
  }
});

test('the settings export and delete what the server has stored for this device', async () => {
  const ada = await lobby('Ada');
  await ada.getByRole('button', { name: 'Play', exact: true }).click();
  await ada.locator('.seat[data-you="yes"]').waitFor();
  await ada.locator('#open-settings').click();
  const dialog = ada.getByRole('dialog', { name: 'Settings' });
  assert.match((await dialog.getByRole('link', { name: 'Privacy' }).getAttribute('href')) ?? '', /privacy$/);
  const [download] = await Promise.all([ada.waitForEvent('download'), dialog.getByRole('button', { name: 'Export' }).click()]);
  const data = JSON.parse(fs.readFileSync(await download.path(), 'utf8'));
  assert.deepEqual(data.results, []);
  assert.equal(data.rooms.length, 1);
  assert.equal(data.rooms[0].room, 'square');
  await dialog.getByText('Saved: 0 results, one room.').waitFor();
  await dialog.getByRole('button', { name: 'Delete…' }).click();
  await look(ada, 'settings');
  const room = async () => (await fetch(`${rooms.server.url}/api/v1/rooms/square`)).json();
  const before = await room();
  await dialog.getByRole('button', { name: 'Delete everything' }).click();
  await dialog.getByText('Deleted.').waitFor();
  assert.deepEqual(await ada.evaluate(() => JSON.parse(localStorage.getItem('ricochet.seats') ?? '[]')), []);
  const after = await room();
  assert.equal(after.players - after.bots, before.players - before.bots - 1, JSON.stringify(after));
});
