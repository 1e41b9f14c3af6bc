// Between two rounds and between two games, on the page of the real server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choose } from '../tools/browser.mjs';
import { waitForAnnouncement } from '../tools/players.mjs';
import { linkOf, roundBegins, seatOf, stateOf, useRooms } from '../tools/rooms.mjs';

/** @import {Page} from 'playwright-core' */

const { openPage, join, openRoom } = useRooms();
/** A pause that no test would wait for. */
const SLOW = { style: 'secret', sand: 60, pause: 600, length: 'rounds', rounds: 3 };

/** @param {Page[]} pages */
async function endRound(pages) {
  for (const page of pages) await page.getByRole('button', { name: /^End the round \(/ }).click();
}

test('the next round at once: the host says so, or all others vote for it', async () => {
  const ada = await openRoom(SLOW);
  const link = await linkOf(ada);
  const ben = await join(link, 'Ben', 'phone');
  await ada.getByRole('button', { name: 'Start the game' }).click();
  for (const page of [ada, ben]) await roundBegins(page, 1);
  await endRound([ada, ben]);
  // A new spectator sees how long the pause is.
  const guest = await openPage(link);
  await guest.locator('.sand[data-kind="pause"]', { hasText: /9:|10:/ }).waitFor();
  assert.equal(await guest.getByRole('button', { name: /^Next round now/ }).isVisible(), false, 'not for those who watch');
  await ben.getByRole('button', { name: 'Next round now (0 of 2)' }).click();
  await waitForAnnouncement(ada, /Ben wants the next round: 1 of 2/);
  await ben.getByRole('button', { name: 'Next round now (1 of 2)', pressed: true }).click();
  await waitForAnnouncement(ada, /Ben no longer wants to start the next round/);
  await ada.getByRole('button', { name: 'Next round now', exact: true }).click();
  for (const page of [ada, ben]) await roundBegins(page, 2);
  await guest.locator('.strip', { hasText: 'Round 2 ' }).waitFor();
  await endRound([ada, ben]);
  await ada.getByRole('button', { name: 'Next round now', exact: true }).waitFor();
  await ada.keyboard.press('n');
  for (const page of [ada, ben]) await roundBegins(page, 3);
});

test('the host changes the options between two games; everybody is told, and the next game is played so', async () => {
  const ada = await openRoom({ ...SLOW, rounds: 1, pause: 0 });
  const ben = await join(await linkOf(ada), 'Ben');
  assert.equal(await ben.getByRole('button', { name: 'Change the options…' }).isVisible(), false, 'the host only');
  await ada.getByRole('button', { name: 'Change the options…' }).click();
  const dialog = ada.getByRole('dialog', { name: 'Options of this room' });
  assert.equal(await dialog.getByLabel('Rounds', { exact: true }).inputValue(), '1', 'as the room is now');
  if (!(await dialog.getByRole('group', { name: 'Teams', exact: true }).isVisible())) await dialog.getByText('More options').click();
  assert.equal(await dialog.getByText('Delay for spectators').isVisible(), false, 'stays as it was');
  // What cannot be is said before it is sent.
  await dialog.getByLabel('Board', { exact: true }).fill('1A 1B 2A 3A');
  await dialog.getByRole('button', { name: 'Play with these options' }).click();
  assert.match(await dialog.getByLabel('Board', { exact: true }).evaluate((field) => /** @type {HTMLInputElement} */ (field).validationMessage), /each of the quadrants 1 to 4 once/);
  await dialog.getByLabel('Board', { exact: true }).fill('');
  await choose(dialog, 'Teams', '2');
  await choose(dialog, 'Robots', '5');
  await dialog.getByRole('button', { name: 'Play with these options' }).click();
  await dialog.waitFor({ state: 'detached' });
  await waitForAnnouncement(ben, /The host has changed the options: .*five robots/i);
  await seatOf(ben, 'Ada').getByText('team A').waitFor();
  await seatOf(ben, 'Ben').getByText('team B').waitFor();
  const { options } = /** @type {any} */ (await stateOf(ben));
  assert.deepEqual([options.teams, options.robots, options.style, options.length], [2, 5, 'secret', { rounds: 1 }], 'all else stays');
  await ada.getByRole('button', { name: 'Start the game' }).click();
  for (const page of [ada, ben]) await roundBegins(page, 1);
  assert.equal(await ada.getByRole('button', { name: 'Change the options…' }).isVisible(), false, 'not during a game');
  await endRound([ada, ben]);
  await ada.getByRole('button', { name: 'Rematch' }).waitFor();
  await ada.getByRole('button', { name: 'Change the options…' }).click();
  await choose(dialog, 'Teams', 'No teams');
  await dialog.getByRole('button', { name: 'Play with these options' }).click();
  await waitForAnnouncement(ben, /The host has changed the options/);
  await seatOf(ben, 'Ben').getByText('team B').waitFor({ state: 'detached' });
});
