// Whole games of four browsers on the real server: reloads, cut connections, and the server killed in
// the middle of a round. It needs a server that has rooms: `node --test tests/rooms/live.test.mjs`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { playKeys } from '../tools/browser.mjs';
import { waitForAnnouncement } from '../tools/players.mjs';
import { bid, bidOf, linkOf, roundBegins, stateOf, useRooms } from '../tools/rooms.mjs';

const rooms = useRooms();
const { openPage, join, openRoom, shortest } = rooms;

test('four browsers play a game: reloads, a server killed with -9 in the middle of the sand, the result, a rematch', async () => {
  const ada = await openRoom({ sand: 10, show: 60, pause: 0, length: 'rounds', rounds: 3, private: false });
  const link = await linkOf(ada);
  assert.match(link, /#room=[a-z0-9]{6}$/);
  await ada.waitForFunction(() => (document.querySelector('img.qr') instanceof HTMLImageElement ? /** @type {HTMLImageElement} */ (document.querySelector('img.qr')).naturalWidth > 0 : false));
  const ben = await join(link, 'Ben');
  const cleo = await join(link, 'Cleo', 'phone');
  const dan = await join(link, 'Dan');
  const all = [ada, ben, cleo, dan];
  await ada.getByRole('button', { name: 'Start the game' }).click();

  // The first round: Cleo's bid is lower than Ben's, and Ben reloads while the sand runs.
  for (const page of all) await roundBegins(page, 1);
  let solution = await shortest(ada);
  await bid(ben, solution.length + 1);
  await bid(cleo, solution.length);
  await ben.reload();
  await ben.locator('.seat[data-you="yes"]', { hasText: 'Ben' }).waitFor();
  await cleo.locator('.seat[data-turn="shows"]', { hasText: 'Cleo' }).waitFor();
  await playKeys(cleo, solution);
  for (const page of [ada, ben, dan]) await page.locator('.seat', { hasText: 'Cleo' }).locator('.seat-chips', { hasText: '1' }).waitFor();

  // The second: the server dies after bids were acknowledged, and is back.
  for (const page of all) await roundBegins(page, 2);
  solution = await shortest(ada);
  await bid(dan, solution.length + 2);
  await bid(ada, solution.length);
  await rooms.server.kill();
  for (const page of all) await page.locator('.lost', { hasText: 'Connection lost' }).waitFor();
  await rooms.server.start();
  for (const page of all) await page.locator('.strip[data-connection="open"]').waitFor();
  assert.equal((await stateOf(ben)).players.find(({ name }) => name === 'Cleo')?.chips, 1, 'the chip is there');
  await ada.locator('.seat[data-turn="shows"]', { hasText: 'Ada' }).waitFor();
  assert.equal(await bidOf(ben, 'Dan'), String(solution.length + 2), 'every bid is there');
  await playKeys(ada, solution);
  await ben.locator('.seat', { hasText: 'Ada' }).locator('.seat-chips', { hasText: '1' }).waitFor();

  // The third: nobody bids, all vote.
  for (const page of all) await roundBegins(page, 3);
  for (const page of all) await page.getByRole('button', { name: /^Skip/ }).click();
  for (const page of all) await page.getByRole('heading', { name: /A draw: .*, with one chip each/ }).waitFor();
  await dan.getByText('All 3 rounds').waitFor();
  await dan.locator('.outcome a', { hasText: 'Analyse' }).first().waitFor();
  await ada.getByRole('button', { name: 'Rematch' }).click();
  for (const page of all) await roundBegins(page, 1);
  assert.deepEqual((await stateOf(dan)).players.map(({ chips }) => chips), [0, 0, 0, 0]);
});

test('an upgrade in the middle of a round: the server ends by SIGTERM and starts again, and nobody loses anything', async () => {
  const ada = await openRoom({ sand: 10, show: 60, pause: 0, length: 'rounds', rounds: 2, private: false });
  const ben = await join(await linkOf(ada), 'Ben');
  const all = [ada, ben];
  await ada.getByRole('button', { name: 'Start the game' }).click();
  for (const page of all) await roundBegins(page, 1);
  const solution = await shortest(ada);
  await bid(ben, solution.length + 1);
  await ada.keyboard.type(String(solution.length));
  await rooms.server.terminate();
  for (const page of all) await page.locator('.lost', { hasText: 'Connection lost' }).waitFor();
  await rooms.server.start();
  for (const page of all) await page.locator('.strip[data-connection="open"]').waitFor();
  assert.equal(await bidOf(ada, 'Ben'), String(solution.length + 1), 'what was acknowledged is there');
  assert.equal(await ada.locator('.pad input').inputValue(), String(solution.length), 'and so is what was typed');
  assert.deepEqual((await stateOf(ada)).players.map(({ name, connected }) => [name, connected]), [['Ada', true], ['Ben', true]], 'nobody was seen to leave');
  // The sand ran on; Ben shows, and his window says so.
  await ben.locator('.seat[data-turn="shows"]', { hasText: 'Ben' }).waitFor();
  await ben.waitForFunction(() => document.title.startsWith('Your turn'));
  assert.doesNotMatch(await ada.title(), /Your turn/);
  await playKeys(ben, solution);
  await ada.locator('.seat', { hasText: 'Ben' }).locator('.seat-chips', { hasText: '1' }).waitFor();
  await ben.waitForFunction(() => !document.title.startsWith('Your turn'));
});

test('failure hands over; spectators see it; the host removes somebody; leaving; the lobby lists the room', async () => {
  const ada = await openRoom({ sand: 10, show: 60, pause: 0, length: 'rounds', rounds: 2, private: false });
  const link = await linkOf(ada);
  const ben = await join(link, 'Ben');
  const eve = await openPage(link);
  const lobby = await openPage(`${rooms.server.url}/#room`);
  await lobby.getByText('Room of Ada').first().waitFor();
  await ada.getByRole('button', { name: 'Start the game' }).click();
  await roundBegins(ada, 1);
  await roundBegins(ben, 1);
  await eve.getByText('You are watching ·').waitFor();
  const solution = await shortest(ada);
  await bid(ben, 1);
  await bid(ada, solution.length);
  await eve.locator('.seat[data-turn="shows"]', { hasText: 'Ben' }).waitFor();
  await ben.getByRole('button', { name: 'I can’t show it' }).click();
  await eve.locator('.seat[data-turn="shows"]', { hasText: 'Ada' }).waitFor();
  await eve.locator('.seat[data-turn="failed"]', { hasText: 'Ben' }).waitFor();
  await playKeys(ada, solution.slice(0, 1));
  await waitForAnnouncement(eve, /goes (north|east|south|west) to column/);
  await playKeys(ada, solution.slice(1));
  await eve.locator('.seat', { hasText: 'Ada' }).locator('.seat-chips', { hasText: '1' }).waitFor();
  await ada.getByRole('button', { name: 'More about Ben' }).click();
  await ada.getByRole('button', { name: 'Remove from the room' }).click();
  await ada.getByRole('dialog', { name: 'Remove Ben?' }).getByRole('button', { name: 'Remove from the room' }).click();
  await ben.getByText('You no longer have a seat here').first().waitFor();
  await ben.locator('#join-name').waitFor();
  await ada.getByRole('button', { name: 'Leave', exact: true }).click();
  await ada.getByRole('button', { name: 'Give up my seat' }).click();
  await ada.getByRole('heading', { name: 'Rooms', exact: true }).waitFor();
});
