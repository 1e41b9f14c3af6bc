// For everyone: no serious finding of axe-core in any mode, theme and size; the cells, the command
// box and the live region without eyes or mouse.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ARROW, SIZES, assertNoOverflow, hashOf, waitForAnnouncement, movesOf, playKeys, waitForBoard, useBrowser } from '../tools/browser.mjs';
import { seriousViolations } from '../tools/axe.mjs';

/** @import {Page} from 'playwright-core' */

const { onPage } = useBrowser();
const EASY = '8x8..0034.R77';
const SLIDES = '1A4B3B2B.1fc1f0c0.B9c';
const THEMES = ['light', 'dark', 'contrast', 'color-blind'];

/** Every mode. */
const ADDRESSES = ['#home', `#play=${SLIDES}`, `#analyse=${SLIDES}`, `#edit=${SLIDES}`, '#watch', '#read', '#read=slides', '#room'];
/** What modes show besides. */
const KINDS = ['#learn', '#learn&as=start', '#learn&lesson=chain-1', '#play&as=daily', '#play&as=training', '#play&as=game', '#play&as=storm', '#room&as=table'];

for (const address of [...ADDRESSES, ...KINDS]) {
  for (const theme of THEMES) {
    test(`axe: ${address}, ${theme}`, async () => {
      // Every mode in both sizes, the rest in turn.
      const sizes = ADDRESSES.includes(address) ? ['desktop', 'phone'] : [THEMES.indexOf(theme) % 2 ? 'desktop' : 'phone'];
      for (const size of /** @type {(keyof typeof SIZES)[]} */ (sizes)) {
        await onPage(address, { size, settings: { theme } }, async (page) => {
          await opened(page, address);
          assert.deepEqual(await seriousViolations(page), [], size);
        });
      }
    });
  }
}

/** Waits until a mode shows what it has. @param {Page} page @param {string} address */
async function opened(page, address) {
  if (address.includes('storm')) await page.locator('#panel .primary').waitFor();
  else if (address === '#learn') await page.locator('.learn-picture .robot').first().waitFor();
  else if (address === '#read') await page.locator('#panel a').first().waitFor();
  else if (address.startsWith('#read')) await page.locator('#figure-branching[data-ready]').waitFor();
  else if (!address.startsWith('#room')) await waitForBoard(page);
  await page.locator('#panel > *').first().waitFor();
  await page.waitForTimeout(300);
}

for (const size of /** @type {const} */ (['phone', 'small'])) {
  test(`nothing is wider than a window of ${SIZES[size].width} pixels, and no segment is cut`, async () => {
    for (const language of ['en', 'de']) {
      for (const address of [...ADDRESSES, ...KINDS]) {
        await onPage(address, { size, settings: { language } }, async (page) => {
          await opened(page, address);
          await assertNoOverflow(page, language);
          await page.evaluate(() => document.querySelectorAll('#panel details').forEach((one) => one.setAttribute('open', '')));
          await page.waitForTimeout(200);
          await assertNoOverflow(page, `${language}, opened`);
          const cut = await page.locator('.segments, .under').evaluateAll((rows) => rows.filter((row) => row.scrollWidth > row.clientWidth + 1).map((row) => row.textContent));
          assert.deepEqual(cut, [], `${language} ${address}`);
        });
      }
    }
  });
}

for (const theme of THEMES) {
  test(`axe: the result sheet and the dialogs, ${theme}`, async () => {
    for (const size of /** @type {const} */ (['desktop', 'phone'])) {
      await onPage(`#play=${EASY}`, { size, settings: { theme } }, async (page) => {
        await waitForBoard(page);
        await playKeys(page, ['RS', 'RE']);
        await page.locator('#panel').getByText(/Solved in/).waitFor();
        assert.deepEqual(await seriousViolations(page), [], size);
        await page.keyboard.press('?');
        assert.deepEqual(await seriousViolations(page), [], size);
        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: 'Settings' }).click();
        assert.deepEqual(await seriousViolations(page), [], size);
      });
    }
  });
}

test('the grid: Tab reaches one cell, arrows walk, letters jump, D tells, Shift moves', async () => {
  await onPage(`#play=${EASY}`, {}, async (page) => {
    await waitForBoard(page);
    assert.equal(await page.locator('[role="gridcell"][tabindex="0"]').count(), 1);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-cell'));
    assert.equal(await focused(), '0,0', 'the first link leads to the board');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    assert.equal(await focused(), '1,1');
    await page.keyboard.press('g');
    assert.equal(await focused(), '3,4');
    await page.waitForFunction(() => /green robot, column 3, row 4, selected/.test(document.activeElement?.getAttribute('aria-label') ?? ''));
    await page.keyboard.press('d');
    await waitForAnnouncement(page, /Green\. North: column 3, row 0, stopped by the rim\. East: column 7, row 4/);
    await page.keyboard.press('t');
    assert.equal(await focused(), '7,7');
    assert.match((await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))) ?? '', /target for red/);
    await page.keyboard.press('Shift+ArrowUp');
    assert.deepEqual(await movesOf(page), ['GN']);
    await waitForAnnouncement(page, /Green goes north to column 3, row 0; stopped by the rim/);
    await page.keyboard.press('r');
    await page.keyboard.press('Enter');
    for (let i = 0; i < 7; i += 1) await page.keyboard.press('ArrowDown');
    await page.waitForFunction(() => /red can stop here by going south/.test(document.activeElement?.getAttribute('aria-label') ?? ''));
    await page.keyboard.press('Enter');
    assert.deepEqual(await movesOf(page), ['GN', 'RS']);
  });
});

test('the command box takes moves and words, and the live region repeats equal texts', async () => {
  await onPage(`#play=${EASY}`, {}, async (page) => {
    await waitForBoard(page);
    await page.keyboard.press('/');
    await page.keyboard.type('GN rs');
    await page.keyboard.press('Enter');
    assert.deepEqual(await movesOf(page), ['GN', 'RS']);
    await page.keyboard.type('undo');
    await page.keyboard.press('Enter');
    assert.deepEqual(await movesOf(page), ['GN']);
    await waitForAnnouncement(page, /One move played/);
    await page.keyboard.type('dance');
    await page.keyboard.press('Enter');
    await waitForAnnouncement(page, /^“dance” is not a move or a command/);
    const first = await page.locator('#live').textContent();
    await page.keyboard.type('dance');
    await page.keyboard.press('Enter');
    await page.waitForFunction((text) => document.getElementById('live')?.textContent !== text, first);
    assert.equal((await page.locator('#live').textContent())?.trim(), first?.trim());
    await page.keyboard.type('RS RE');
    await page.keyboard.press('Enter');
    await waitForAnnouncement(page, /Solved in 3 moves/);
  });
});

test('the keyboard alone reaches everything, and the focus can be seen', async () => {
  await onPage(`#play=${EASY}`, {}, async (page) => {
    await waitForBoard(page);
    /** @type {string[]} */
    const stops = [];
    for (let i = 0; i < 40; i += 1) {
      await page.keyboard.press('Tab');
      const stop = await page.evaluate(() => {
        const element = document.activeElement;
        if (!(element instanceof HTMLElement) || element === document.body) return '';
        const { outlineStyle, outlineWidth } = getComputedStyle(element);
        return `${element.id || element.dataset.cell || element.textContent?.trim()}|${outlineStyle !== 'none' && outlineWidth !== '0px'}`;
      });
      if (stop === '') break;
      stops.push(stop);
    }
    for (const name of ['Analyse', '0,0', 'Hint', 'Daily', 'New', 'command-label']) {
      assert.ok(stops.some((stop) => stop.startsWith(`${name}|`)), `${name} in ${stops.join(', ')}`);
    }
    assert.deepEqual(stops.filter((stop) => stop.endsWith('|false')), []);
  });
});

test('keys of the help are the keys of the page', async () => {
  await onPage(`#play=${EASY}`, {}, async (page) => {
    await waitForBoard(page);
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog');
    for (const text of ['select a robot by its letter', 'give up and see the solution', 'announce where the selected robot would go']) {
      await dialog.getByText(text).waitFor();
    }
    await page.keyboard.press('Escape');
    assert.equal(await page.getByRole('dialog').count(), 0);
    await page.keyboard.press('i');
    await waitForAnnouncement(page, /Red, column 0, row 0\. Green, column 3, row 4\. Move red to the target at column 7, row 7/);
    await page.keyboard.press(ARROW.E);
    assert.match(await hashOf(page), /moves=RE/, 'the robot of the goal is selected from the start');
  });
});
