// The editor, used as a person would.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { cellAt, choose, hashOf, lineOf, serveModules, waitForBoard, useBrowser } from '../tools/browser.mjs';
import { askServer } from '../tools/server.mjs';

/** @import {Page} from 'playwright-core' */

const PUZZLE = '1A4B3B2B.1fc1f0c0.B9c';
const { onPage } = useBrowser();

/** The verdict once the engine is done. @param {Page} page */
async function verdict(page) {
  await page.waitForFunction(() => /fewest|cannot|already|Not a puzzle/.test(document.querySelector('.verdict')?.textContent ?? ''));
  return (await page.locator('.verdict').textContent()) ?? '';
}

/** Waits until the address holds another puzzle. @param {Page} page @param {string} before */
async function changed(page, before) {
  await page.waitForFunction((line) => /#\w+=([^&]*)/.exec(location.hash)?.[1] !== line, before);
  return lineOf(page);
}

/** @param {Page} page @param {[number, number]} from @param {[number, number]} to */
async function drag(page, from, to) {
  const a = await cellAt(page, ...from);
  const b = await cellAt(page, ...to);
  await page.mouse.move(a.x, a.y);
  await page.mouse.down();
  await page.mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2);
  await page.mouse.move(b.x, b.y);
  await page.mouse.up();
}

test('the board on the table: pick sides, drag robots, tap the target; the optimum is live', async () => {
  await onPage(`#edit=${PUZZLE}`, {}, async (page, server) => {
    await waitForBoard(page);
    assert.match(await verdict(page), /fewest possible/);
    await page.getByRole('button', { name: /North-west: quadrant 1A/ }).click();
    await page.getByRole('button', { name: 'Quadrant 1B' }).click();
    let line = await changed(page, PUZZLE);
    assert.ok(line.startsWith('1B4B3B2B.'), line);
    await drag(page, [1, 15], [3, 12]);
    line = await changed(page, line);
    assert.ok(line.startsWith('1B4B3B2B.3c'), line);
    await page.keyboard.press('2');
    const { puzzles } = await askServer(server, 'read', { text: line });
    const target = puzzles[0].targets.find((/** @type {any} */ one) => one.robot === 'Y');
    const place = await cellAt(page, ...(/** @type {[number, number]} */ (target.cell)));
    await page.mouse.click(place.x, place.y);
    line = await changed(page, line);
    const again = await askServer(server, 'read', { text: line });
    assert.deepEqual(again.puzzles[0].goal, { robot: 'Y', cell: target.cell });
    const { length } = await askServer(server, 'solve', { puzzle: line });
    await page.waitForFunction((n) => document.querySelector('.verdict')?.textContent?.includes(n === 1 ? 'one move' : `${n} moves`), length);
  });
});

test('a tile that lies elsewhere changes places, and the whole board can be turned', async () => {
  await onPage(`#edit=${PUZZLE}`, {}, async (page) => {
    await waitForBoard(page);
    await page.getByRole('button', { name: /North-east: quadrant 4B/ }).click();
    await page.getByRole('button', { name: 'Quadrant 2A' }).click();
    let line = await changed(page, PUZZLE);
    assert.ok(line.startsWith('1A2A3B4B.'), line);
    const turnedBack = line;
    await page.getByRole('button', { name: 'Turn the board' }).click();
    line = await changed(page, line);
    assert.ok(line.startsWith('4B1A2A3B.'), line);
    // The robots and the target turn with it: after a whole turn all is as it was.
    const before = await page.evaluate(() => history.length);
    for (let n = 0; n < 3; n += 1) {
      await page.getByRole('button', { name: 'Turn the board' }).click();
      line = await changed(page, line);
    }
    assert.equal(await page.evaluate(() => history.length), before, 'editing leaves no trace in the history');
    assert.equal(line, turnedBack);
    await choose(page, 'Edition', '2003 (C, D)');
    await page.getByRole('button', { name: /North-west/ }).click();
    assert.equal(await page.locator('.side-choice button').count(), 8);
  });
});

test('walls by mouse and by keyboard, undo and redo', async () => {
  await onPage('#edit=8x8..00.R77', {}, async (page) => {
    await waitForBoard(page);
    const first = await lineOf(page);
    await page.getByRole('radio', { name: 'Walls' }).click();
    const { x, y, side } = await cellAt(page, 3, 3);
    await page.mouse.click(x + side * 0.42, y);
    const walled = await changed(page, first);
    assert.notEqual(walled, first);
    await page.locator('[data-cell="3,3"]').focus();
    await page.keyboard.press('Shift+ArrowRight');
    await page.waitForFunction((line) => location.hash === `#edit=${line}`, first);
    await page.keyboard.press('u');
    await page.waitForFunction((line) => location.hash === `#edit=${line}`, walled);
    await page.keyboard.press('Shift+U');
    await page.waitForFunction((line) => location.hash === `#edit=${line}`, first);
  });
});

test('problems are named in place, and nothing of the position is lost', async () => {
  await onPage(`#edit=${PUZZLE}`, {}, async (page) => {
    await waitForBoard(page);
    await verdict(page);
    await page.keyboard.press('2');
    const centre = await cellAt(page, 7, 7);
    await page.mouse.click(centre.x, centre.y);
    await page.locator('.problems li').first().waitFor();
    assert.equal(await page.locator('.verdict').textContent(), 'Not a puzzle yet');
    assert.ok((await page.locator('.ring-problem').count()) > 0);
    await page.keyboard.press('u');
    assert.match(await verdict(page), /fewest/);
    assert.equal(await page.locator('.problems li').count(), 0);
  });
});

test('size, robots, diagonals, printed targets and rules reach the puzzle', async () => {
  await onPage('#edit=8x8..00.R77', {}, async (page, server) => {
    await waitForBoard(page);
    await page.locator('summary', { hasText: 'Size and robots' }).click();
    let line = await lineOf(page);
    for (const [label, value] of [['Columns', '12'], ['Rows', '10'], ['Robots', '8']]) {
      await page.getByRole('spinbutton', { name: label }).fill(value);
      await page.getByRole('spinbutton', { name: label }).press('Tab');
      line = await changed(page, line);
    }
    await page.keyboard.press('4');
    const cell = await cellAt(page, 5, 5);
    await page.mouse.click(cell.x, cell.y);
    line = await changed(page, line);
    await page.keyboard.press('5');
    const other = await cellAt(page, 6, 6);
    await page.mouse.click(other.x, other.y);
    line = await changed(page, line);
    await page.getByLabel('It must turn at least once').check();
    line = await changed(page, line);
    const { puzzles } = await askServer(server, 'read', { text: line });
    const [view] = puzzles;
    assert.deepEqual([view.width, view.height, view.robots.length], [12, 10, 8]);
    assert.deepEqual(view.diagonals, [[5, 5, '/', 'red']]);
    assert.deepEqual(view.targets, [{ cell: [6, 6], robot: 'R', shape: 'circle' }]);
    assert.equal(view.rules.must_ricochet, true);
  });
});

test('a size that is not allowed stays to be corrected, and the page says what is', async () => {
  await onPage('#edit=8x8..00.R77', {}, async (page) => {
    await waitForBoard(page);
    await verdict(page);
    const line = await lineOf(page);
    await page.locator('summary', { hasText: 'Size and robots' }).click();
    const columns = page.getByRole('spinbutton', { name: 'Columns' });
    for (const [typed, label, bounds] of [['99', 'Columns', 'A board has 2 to 32 columns.'], ['1', 'Rows', 'A board has 2 to 32 rows.'], ['2.5', 'Rows', 'A board has 2 to 32 rows.'], ['', 'Robots', 'A puzzle has 1 to 8 robots.']]) {
      const field = page.getByRole('spinbutton', { name: label });
      await field.fill(typed);
      await field.press('Tab');
      await page.getByRole('alert').getByText(bounds).waitFor();
      assert.deepEqual([await field.inputValue(), await field.getAttribute('aria-invalid')], [typed, 'true']);
    }
    assert.equal(await lineOf(page), line, 'the board is as it was');
    // A change of something else does not take away what is to be corrected.
    const robot = await cellAt(page, 0, 0);
    await page.mouse.click(robot.x, robot.y);
    const free = await cellAt(page, 4, 4);
    await page.mouse.click(free.x, free.y);
    const moved = await changed(page, line);
    assert.equal(await columns.inputValue(), '99');
    await columns.fill('9');
    await columns.press('Tab');
    const wider = await changed(page, moved);
    assert.ok(wider.startsWith('9x8.'), wider);
    assert.equal(await page.getByText('A board has 2 to 32 columns.').count(), 0);
    assert.equal(await columns.getAttribute('aria-invalid'), 'false');
    // Another board takes the place of what was typed about this one.
    await columns.fill('99');
    await columns.press('Tab');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.waitForFunction((before) => location.hash === `#edit=${before}`, moved);
    assert.equal(await columns.inputValue(), '8');
    assert.equal(await page.getByText('A board has 2 to 32 columns.').count(), 0);
  });
});

test('any format in: typed, pasted, dropped; wrong ones say what is wrong', async () => {
  await onPage(`#edit=${PUZZLE}`, { mayComplain: ['422'] }, async (page) => {
    await waitForBoard(page);
    await page.locator('summary', { hasText: 'Import a puzzle' }).click();
    const field = page.getByRole('textbox', { name: /Any format/ });
    await field.fill('7650+42+E2302B12+C9');
    await page.getByRole('button', { name: 'Read', exact: true }).click();
    const line = await changed(page, PUZZLE);
    assert.ok(line.startsWith('4B3B2B1A.'), line);
    await field.fill('<b>not a puzzle</b>');
    await page.getByRole('button', { name: 'Read', exact: true }).click();
    await page.locator('.section .message').waitFor();
    assert.equal(await page.locator('.section .message b').count(), 0, 'text stays text');
    await page.locator('.verdict').click();
    await page.evaluate((text) => {
      const data = new DataTransfer();
      data.setData('text/plain', text);
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
    }, PUZZLE);
    await changed(page, line);
    assert.equal(await lineOf(page), PUZZLE);
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(['8x8..00.R77'], 'puzzle.txt', { type: 'text/plain' }));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    });
    await changed(page, PUZZLE);
    assert.equal(await lineOf(page), '8x8..00.R77');
  });
});

test('every format out, and pictures', async () => {
  await onPage(`#edit=${PUZZLE}`, {}, async (page) => {
    await waitForBoard(page);
    await verdict(page);
    await page.locator('summary', { hasText: 'Export' }).click();
    const text = page.getByRole('textbox', { name: 'The puzzle as text' });
    await choose(page, 'Format', 'drifting-droids');
    await page.waitForFunction(() => /^[0-9A-F]{4}\+42\+/.test(/** @type {HTMLTextAreaElement} */ (document.querySelector('.mono')).value));
    assert.match(await text.inputValue(), /^[0-9A-F]{4}\+42\+/);
    for (const [name, ending] of [['SVG', 'svg'], ['PNG', 'png'], ['GIF', 'gif'], ['Sheet for printing (PDF)', 'pdf']]) {
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
      assert.equal(download.suggestedFilename(), `ricochet.${ending}`);
      assert.equal(await download.failure(), null);
      if (ending === 'pdf') assert.match(fs.readFileSync(await download.path(), 'latin1'), /\/MediaBox \[0 0 (595\.28 841\.89|612 792)\]/, 'a page of paper');
    }
  });
});

test('on a phone: select a robot, tap a cell; play it', async () => {
  await onPage(`#edit=${PUZZLE}`, { size: 'phone' }, async (page) => {
    await waitForBoard(page);
    await verdict(page);
    const robot = await cellAt(page, 1, 15);
    await page.touchscreen.tap(robot.x, robot.y);
    const cell = await cellAt(page, 5, 13);
    await page.touchscreen.tap(cell.x, cell.y);
    const line = await changed(page, PUZZLE);
    assert.ok(line.includes('.5d'), line);
    await page.getByRole('button', { name: 'Play it' }).tap();
    await page.waitForFunction(() => location.hash.startsWith('#play='));
    assert.equal(await lineOf(page), line);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth), false, 'nothing sticks out');
    assert.match(await hashOf(page), /^#play=/);
  });
});

test('on a German page everything that can be wrong is told in German', async () => {
  await onPage(`#edit=${PUZZLE}`, { settings: { language: 'de' }, mayComplain: ['422'] }, async (page, server) => {
    await waitForBoard(page);
    const problems = page.locator('.problems li');
    // As a person does it: a robot and the target go to the closed centre.
    await drag(page, [1, 15], [7, 7]);
    await problems.getByText('Der Roboter Rot auf Spalte 7, Zeile 7 steht auf einem gesperrten Feld.').waitFor();
    assert.equal(await page.locator('.verdict').textContent(), 'Noch kein Rätsel');
    await page.keyboard.press('2');
    const center = await cellAt(page, 8, 8);
    await page.mouse.click(center.x, center.y);
    await problems.getByText('Das Ziel auf Spalte 8, Zeile 8 liegt auf einem gesperrten Feld.').waitFor();
    // A text that cannot be read, and a layout that there is not.
    await page.getByText('Rätsel einlesen').click();
    await page.getByLabel(/Jedes Format/).fill('4x4..00.Rz9');
    await page.getByRole('button', { name: 'Einlesen' }).click();
    await page.locator('.message').getByText("Zeile 1, Spalte 10: Erwartet wird eine Spalte (0-9, a-v), gefunden wurde 'z'.").waitFor();
    // Everything else that validation can say.
    const board = { width: 4, height: 4, robots: [[0, 0]], goal: { robot: 'R', cell: [3, 3] } };
    const closed = [9, 1, 1, 3, 8, 15, 0, 2, 8, 0, 0, 2, 12, 4, 4, 6];
    const drafts = [
      { ...board, width: 1 }, { ...board, walls: [0] }, { ...board, walls: closed.map((mask, i) => (i === 10 ? 99 : mask)) },
      { ...board, walls: closed }, { ...board, walls: closed.map(() => 0) }, { ...board, diagonals: [[9, 9, '/', 'red'], [1, 1, '/', 'red'], [2, 2, '/', 'red'], [2, 2, '/', 'blue']], walls: closed },
      { ...board, targets: [[9, 9], [1, 1], [2, 2], [2, 2]].map((cell) => ({ cell, robot: 'R', shape: 'circle' })), walls: closed },
      { ...board, robots: [] }, { ...board, robots: Array.from({ length: 9 }, (_, i) => [i % 4, i >> 2]) },
      { ...board, robots: [[9, 9], [1, 1], [0, 0], [0, 0]], walls: closed }, { ...board, goal: { robot: 'Y', cell: [9, 9] } },
      { ...board, goal: { robot: 'R', cell: [1, 1] }, walls: closed },
    ];
    const found = new Map();
    for (const setup of drafts) {
      const { problems: all } = await askServer(server, 'validate', { setup, repair: false });
      for (const problem of all) found.set(problem.code, problem);
    }
    await serveModules(page);
    const told = await page.evaluate(async (all) => {
      // On the static site, its name contains a version; a server joins the modules into few files.
      const address = performance.getEntriesByType('resource').find(({ name }) => /\/speech\/errors\b[^/]*\.js$/.test(name))?.name ?? '/modules/speech/errors.js';
      const { problemText } = await import(address);
      const words = address.replace('speech/errors.js', 'words/words.js');
      if (address.startsWith('/modules/')) (await import(words)).setLanguage('de');
      return all.map((problem) => [problem.code, problem.message, problemText(problem)]);
    }, [...found.values()]);
    for (const [code, message, text] of told) {
      assert.notEqual(text, message, code);
      assert.doesNotMatch(text, /[{}]|undefined|\b(the|is|are|robot)\b/, `${code}: ${text}`);
    }
    const expected = ['diagonal-closed', 'diagonal-off-board', 'goal-closed', 'goal-off-board', 'no-robots', 'no-such-active-robot', 'one-sided-wall', 'open-rim', 'robot-closed', 'robot-off-board', 'robots-collide', 'size', 'target-closed', 'target-off-board', 'too-many-robots', 'two-diagonals', 'two-targets', 'wall-count', 'wall-mask'];
    assert.deepEqual([...found.keys()].sort().join(" "), expected.join(" "));
  });
});

for (const size of /** @type {const} */ (['desktop', 'phone'])) {
  test(`names of quadrants cover no printed target: ${size}`, async () => {
    await onPage('#edit=1A4B3B2B.1fc1f0c0.B9c', { size }, async (page) => {
      await waitForBoard(page);
      await page.locator('.slot .side-picture').nth(3).waitFor();
      const hidden = await page.locator('.slot').evaluateAll((slots) => slots.flatMap((slot) => {
        const [name, picture] = ['.slot-name', '.side-picture'].map((part) => /** @type {Element} */ (slot.querySelector(part)).getBoundingClientRect());
        return name.bottom > picture.top + 1 && name.top < picture.bottom - 1 && name.right > picture.left && name.left < picture.right ? [slot.textContent] : [];
      }));
      assert.deepEqual(hidden, []);
    });
  });
}
