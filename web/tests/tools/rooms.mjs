// Rooms of a real server that can be killed, and the actions of players.
import { after, afterEach, before } from 'node:test';
import { playKeys } from './browser.mjs';
import { startRestartable } from './restartable-server.mjs';
import { GONE, waitForAnnouncement, usePlayers } from './players.mjs';
import { askServer } from './server.mjs';

/** @import {Page} from 'playwright-core' */
/** @import {RoomState} from '../../types/room.d.ts' */
/** @import {RestartableServer} from './restartable-server.mjs' */

/** The room as this page knows it. @param {Page} page @returns {Promise<RoomState>} */
export const stateOf = (page) =>
  page.evaluate(() => {
    const name = /#room=(\w+)/.exec(location.hash)?.[1];
    return JSON.parse(sessionStorage.getItem(`ricochet.room.${name}`) ?? 'null')?.state ?? null;
  });

/** @param {Page} page @param {number} number */
export async function roundBegins(page, number) {
  await page.locator('.strip', { hasText: `Round ${number} ` }).waitFor();
  await page.locator('.pad:visible, .actions:visible').first().waitFor();
  await page.locator('[data-cell="0,0"][aria-label]').waitFor({ state: 'attached' });
}

/** @param {Page} page @param {number} moves */
export async function bid(page, moves) {
  await page.keyboard.type(String(moves));
  await page.keyboard.press('Enter');
  await waitForAnnouncement(page, new RegExp(`You bid ${moves}\\.`));
}

/** Finds a solution on the board and hands it in. @param {Page} page @param {string[]} solution */
export async function handIn(page, solution) {
  await playKeys(page, solution);
  await page.getByRole('button', { name: /^Hand in/ }).click();
  await waitForAnnouncement(page, /You have handed in/);
}

/** @param {Page} page @param {string} name */
export const seatOf = (page, name) => page.locator('.seat', { hasText: name });

/** @param {Page} page @param {string} name */
export const bidOf = (page, name) => seatOf(page, name).locator('.seat-bid').textContent();

/** The invitation link. @param {Page} page */
export const linkOf = (page) => page.locator('.invite-link').inputValue();

/** One browser and one server for the tests of a file. @param {string[]} [more] options of the server */
export function useRooms(more = []) {
  const people = usePlayers({ ownServer: true });
  /** @type {RestartableServer} */
  let server;
  before(async () => {
    server = await startRestartable(undefined, more);
  });
  after(() => server?.stop());
  afterEach(() => people.closeAll());

  return {
    people,
    get server() {
      return server;
    },

    /** Opens an address. @param {string} link @param {import('./players.mjs').PlayerOptions} [options] */
    openPage: (link, options = {}) => people.openPage(link, { mayComplain: GONE, ...options }),

    /**
     * Opens a room by the form. @param {Record<string, unknown>} choices as the form keeps them
     * @param {(page: Page) => Promise<void>} [fillIn] what is filled in by hand
     */
    async openRoom(choices, fillIn) {
      const page = await people.openPage(`${server.url}/#room`, { mayComplain: GONE, stored: { 'room-wishes': choices, name: 'Ada' } });
      await page.getByText('Rules of the room').click();
      await fillIn?.(page);
      await page.getByRole('button', { name: 'Open a room' }).click();
      await page.getByRole('button', { name: 'Start the game' }).waitFor();
      return page;
    },

    /** @param {string} link @param {string} name @param {'phone' | 'desktop'} [size] */
    async join(link, name, size) {
      const page = await people.openPage(link, { size, mayComplain: GONE });
      await page.locator('#join-name').fill(name);
      await page.getByRole('button', { name: 'Take a seat' }).click();
      await page.locator('.seat[data-you="yes"]', { hasText: name }).waitFor();
      return page;
    },

    /** A shortest solution from the solver. @param {Page} page @returns {Promise<string[]>} */
    async shortest(page) {
      const { round } = await stateOf(page);
      return (await askServer(server, 'solve', { puzzle: round?.puzzle })).moves;
    },
  };
}
