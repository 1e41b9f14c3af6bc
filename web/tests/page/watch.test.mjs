// The mode Watch, used as a person would.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { assertInSight, assertNoOverflow, hashOf, useBrowser, waitForAnnouncement, waitForBoard } from '../tools/browser.mjs';
import { seriousViolations } from '../tools/axe.mjs';
import { ROOT } from '../tools/paths.mjs';
import { askServer, needsServer } from '../tools/server.mjs';

/** @import {Page} from 'playwright-core' */

const { onPage } = useBrowser();
const PUZZLE = '5x5..004012.R31';

/** Waits for the search. @param {Page} page */
async function ready(page) {
  await waitForBoard(page);
  await page.waitForFunction(() => /nodes/.test(document.querySelector('.watch-verdict')?.textContent ?? ''));
}

/** @param {Page} page @returns {Promise<number[]>} the step and the number of steps */
async function place(page) {
  const text = (await page.locator('.watch-place').textContent()) ?? '';
  return [...text.matchAll(/\d+/g)].map(Number);
}

const sentence = (/** @type {Page} */ page) => page.locator('.watch-sentence').textContent();

test('stepping forwards and back, jumping, and the counts of the engine', async () => {
  await onPage(`#watch=${PUZZLE}&solver=iddfs`, {}, async (page, server) => {
    await ready(page);
    const trace = await askServer(server, 'trace', { puzzle: PUZZLE, solver: 'iddfs' });
    assert.deepEqual(await place(page), [0, trace.total]);
    await page.keyboard.press('ArrowRight');
    assert.match((await sentence(page)) ?? '', /one move deep begins/);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    const third = await sentence(page);
    await page.keyboard.press('ArrowRight');
    assert.notEqual(await sentence(page), third);
    await page.keyboard.press('ArrowLeft');
    assert.equal(await sentence(page), third);
    await page.getByRole('button', { name: 'Next pruning' }).click();
    assert.match((await sentence(page)) ?? '', /prune|not tried|no moves left/);
    await page.getByRole('button', { name: 'Next solution' }).click();
    assert.deepEqual(await page.locator('.watch-sentence .move-chip').evaluateAll((chips) => chips.map((chip) => chip.getAttribute('data-robot'))), trace.result.moves.map((/** @type {string} */ move) => move[0]));
    await waitForAnnouncement(page, /A solution of \d+ moves: (Red|Green|Blue) (up|down|left|right|north|south|east|west)/);
    await page.keyboard.press('End');
    const cells = await page.locator('.watch-counters tbody tr').evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
    assert.ok(cells.length > 4);
    assert.match((await sentence(page)) ?? '', /The search is over: solved in 5 moves, 298 nodes/);
    assert.doesNotMatch((await page.locator('.watch-counters').textContent()) ?? '', /Waiting nodes|layers done/, 'it has neither');
    assert.ok((await page.locator('#board .trail').count()) >= 5, 'the solution is drawn');
    for (const [name, now, all] of cells) assert.equal(now, all, `${name}`);
    assert.equal(cells.find(([name]) => name === 'generated')?.[1]?.replace(/\D/g, ''), String(trace.stats.nodes));
  });
});

test('jumping back is jumping forward turned around, with buttons and keys', async () => {
  for (const size of /** @type {const} */ (['desktop', 'phone'])) {
    await onPage(`#watch=${PUZZLE}&solver=iddfs`, { size }, async (page) => {
      await ready(page);
      const at = async () => (await place(page))[0];
      for (const [what, key] of [['pruning', 'p'], ['iteration', 'n']]) {
        await page.keyboard.press('Home');
        /** @type {number[]} */
        const places = [];
        for (let jump = 0; jump < 4; jump += 1) {
          await page.keyboard.press(key);
          places.push(await at());
        }
        await page.getByRole('button', { name: `Previous ${what}` }).click();
        assert.equal(await at(), places[2], what);
        await page.keyboard.press(`Shift+${key.toUpperCase()}`);
        assert.equal(await at(), places[1], what);
        await page.getByRole('button', { name: `Next ${what}` }).click();
        assert.equal(await at(), places[2], what);
      }
      await page.keyboard.press('s');
      const solved = await at();
      await page.keyboard.press('Shift+S');
      await waitForAnnouncement(page, /There is none before this step/);
      await page.keyboard.press('End');
      await page.getByRole('button', { name: 'Previous solution' }).click();
      assert.equal(await at(), solved);
    });
  }
});

test('what is switched off is struck from the pseudocode', async () => {
  for (const [solver, off] of /** @type {const} */ ([
    ['iddfs', []],
    ['iddfs:bound=off', ['bound > left? return', 'bound tight? skip the others']],
    ['iddfs:sort=off', ['or with helpers swapped? return']],
    ['iddfs:memo=off', ['memo searched it as deep? return', 'or with helpers swapped? return']],
    ['bfs', ['is it known? leave it out']],
    ['bfs:duplicates=drop', []],
  ])) {
    await onPage(`#watch=${PUZZLE}&solver=${solver}`, {}, async (page) => {
      await ready(page);
      assert.deepEqual((await page.locator('.watch-code del').allTextContents()).map((line) => line.trim()), off, solver);
      assert.equal(await page.locator('.watch-code li').filter({ hasText: '(switched off)' }).count(), off.length);
    });
  }
});

test('scrubbing, the tree, and a link to a step', async () => {
  await onPage(`#watch=${PUZZLE}&solver=iddfs:memo=off&step=9`, {}, async (page) => {
    await ready(page);
    assert.equal((await place(page))[0], 9);
    await page.getByRole('slider', { name: 'Step' }).fill('40');
    assert.equal((await place(page))[0], 40);
    const rows = page.getByRole('treeitem');
    assert.ok((await rows.count()) > 5);
    assert.equal(await page.locator('[role="treeitem"][aria-selected="true"]').count(), 1);
    await page.waitForFunction(() => location.hash.includes('step=40') && decodeURIComponent(location.hash).includes('solver=iddfs:memo=off'));
    const before = await rows.count();
    await page.locator('[role="treeitem"][aria-expanded="true"] .fold').first().click();
    assert.ok((await rows.count()) < before, 'a branch is folded');
    await page.getByRole('tree').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    assert.notEqual((await place(page))[0], 40);
    assert.match(await hashOf(page), /watch=5x5/);
  });
});

test('the tree holds thousands of nodes and draws those in sight', async () => {
  await onPage('#watch=1A4B3B2B.1fc1f0c0.B9c&solver=iddfs:memo=off:sort=off:bound=off', {}, async (page) => {
    await ready(page);
    await page.keyboard.press('End');
    const height = await page.locator('.tree-space').evaluate((space) => space.clientHeight);
    assert.ok(height > 24 * 5000, `${height}`);
    assert.ok((await page.getByRole('treeitem').count()) < 60);
    assert.match((await page.locator('.watch-counters').textContent()) ?? '', /The first 20,000 of/);
  });
});

test('switches and ablations change the search; the count explodes without them', async () => {
  await onPage(`#watch=${PUZZLE}&solver=iddfs`, {}, async (page, server) => {
    await ready(page);
    /** The nodes that the page and the engine say a search needs. @type {Record<string, number>} */
    const nodes = {};
    for (const [name, spec] of [['All', 'iddfs'], ['+ sorted key', 'iddfs:bound=off'], ['Memo', 'iddfs:sort=off:bound=off'], ['None', 'iddfs:memo=off:sort=off:bound=off']]) {
      await page.getByRole('button', { name, exact: true }).click();
      await page.waitForFunction((wanted) => document.querySelector('.watch-verdict')?.textContent?.startsWith(`${wanted}: `), spec);
      const { total, stats } = await askServer(server, 'trace', { puzzle: PUZZLE, solver: spec });
      assert.equal((await place(page))[1], total, name);
      nodes[name] = Number(/([\d,]+) nodes/.exec((await page.locator('.watch-verdict').textContent()) ?? '')?.[1].replaceAll(',', ''));
      assert.equal(nodes[name], stats.nodes, name);
    }
    // The board of the README's links to the ablation.
    assert.deepEqual(nodes, { All: 298, '+ sorted key': 1197, Memo: 1218, None: 2374 });
    // A switch keeps the place.
    await page.keyboard.press('End');
    await page.getByText('Switches', { exact: true }).click();
    const boxes = await page.getByRole('checkbox', { name: /^(memo|sort|bound)/ }).all();
    assert.equal(boxes.length, 3);
    for (const box of boxes) assert.equal(await box.isChecked(), false);
    await boxes[2].check();
    await page.waitForFunction(() => document.querySelector('.watch-verdict')?.textContent?.startsWith('iddfs:memo=off:sort=off: '));
    assert.notEqual((await place(page))[0], 0);
    await page.getByRole('combobox', { name: 'Algorithm' }).selectOption('stateless');
    await page.waitForFunction(() => /stateless/.test(document.querySelector('.watch-verdict')?.textContent ?? ''));
    await page.keyboard.press('End');
    assert.match((await page.locator('.watch-counters').textContent()) ?? '', /final states/);
  });
});

test('every algorithm can be watched to its end', async () => {
  await onPage(`#watch=${PUZZLE}`, {}, async (page) => {
    await ready(page);
    const names = await page.getByRole('combobox', { name: 'Algorithm' }).locator('option').allTextContents();
    assert.ok(names.length >= 16);
    for (const name of names) {
      await page.getByRole('combobox', { name: 'Algorithm' }).selectOption(name);
      await page.waitForFunction((wanted) => document.querySelector('.watch-verdict')?.textContent?.startsWith(`${wanted}:`), name);
      await page.keyboard.press('Home');
      for (let step = 0; step < 12; step += 1) {
        await page.keyboard.press('ArrowRight');
        assert.doesNotMatch((await sentence(page)) ?? '', /\{|undefined/, name);
      }
      await page.keyboard.press('End');
      assert.doesNotMatch((await sentence(page)) ?? '', /\{|undefined/, name);
    }
  });
});

test('what comes next: asked, answered, scored', async () => {
  await onPage(`#watch=${PUZZLE}&solver=iddfs`, {}, async (page) => {
    await ready(page);
    await page.keyboard.press('a');
    await page.locator('.quiz-question').waitFor();
    const { at, answer } = await page.evaluate(() => ({ at: document.querySelector('.watch-place')?.textContent, answer: document.querySelectorAll('.watch-quiz button').length }));
    assert.ok(answer > 1);
    await page.locator('.watch-quiz button').first().click();
    await page.locator('.watch-quiz').getByText(/of 1 right/).waitFor();
    assert.notEqual(await page.locator('.watch-place').textContent(), at);
    await page.getByRole('button', { name: 'Next question' }).click();
    await page.locator('.quiz-question').waitFor();
  });
});

test('what comes next: Play and Step say that a question waits, and it can be skipped', async () => {
  for (const size of /** @type {const} */ (['desktop', 'phone'])) {
    await onPage(`#watch=${PUZZLE}&solver=iddfs`, { size }, async (page) => {
      await ready(page);
      await page.keyboard.press('a');
      await page.locator('.quiz-question').waitFor();
      const [at] = await place(page);
      for (const control of ['Play', 'One step forward']) {
        await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
        await page.getByRole('button', { name: control, exact: true }).click();
        await page.locator('.watch-quiz').getByText('Answer first, or skip the question.').waitFor();
        await assertInSight(page, ['.quiz-question', '.watch-quiz button']);
        assert.equal(await page.evaluate(() => document.activeElement?.className), 'quiz-question');
        assert.equal((await place(page))[0], at);
      }
      await page.locator('.watch-quiz').getByRole('button', { name: 'Skip' }).click();
      assert.equal((await place(page))[0], at + 1);
      assert.equal(await page.getByText(/of 1 right/).count(), 0);
    });
  }
});

test('the numbers that the search decides by are on the screen', async () => {
  await onPage(`#watch=${PUZZLE}&solver=iddfs&step=144`, {}, async (page) => {
    await ready(page);
    assert.equal(await page.locator('.watch-facts').textContent(), 'Depth limit 3 · left 1 · needed 1');
    assert.equal(await sentence(page), 'Node 36 is pruned by the memo: node 17 is the same position and had one move left; here one is left.');
    const code = await page.locator('.watch-code').evaluate((one) => [one.scrollHeight, one.clientHeight]);
    assert.equal(code[0], code[1], 'all lines of the pseudocode are in sight');
    await page.getByRole('button', { name: 'Node 36 is the same as node 17' }).click();
    assert.match((await sentence(page)) ?? '', /This is node 17,/);
    await page.getByRole('slider', { name: 'Step' }).fill('144');
    const row = page.locator('[role="treeitem"][aria-selected="true"]');
    assert.match((await row.textContent()) ?? '', /#36 memo, left 1, needed 1$/);
    await page.getByRole('slider', { name: 'Step' }).fill('53');
    assert.match((await row.textContent()) ?? '', /no moves left, needed 2$/);
    assert.match((await page.locator('.tree-row').allTextContents()).join('\n'), /start, depth limit 3/);
    await page.getByRole('combobox', { name: 'Algorithm' }).selectOption('bfs');
    await page.waitForFunction(() => /^bfs:/.test(document.querySelector('.watch-verdict')?.textContent ?? ''));
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.locator('.watch-facts').textContent(), '');
  });
});

test('a race: two settings at the same number of nodes', async () => {
  await onPage(`#watch=${PUZZLE}&solver=iddfs&against=iddfs:memo=off:sort=off:bound=off`, {}, async (page) => {
    await ready(page);
    await page.keyboard.press('End');
    const [nodes, , , state] = await page.locator('.race-table tbody tr').evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
    assert.equal(nodes[1], nodes[2], 'the same number of nodes');
    assert.match(state[1] ?? '', /solved/);
    assert.match(state[2] ?? '', /still searching/);
  });
});

test('what comes next: it asks about moves that are skipped, too', async () => {
  await onPage(`#watch=${PUZZLE}&solver=iddfs`, { size: 'phone' }, async (page) => {
    await ready(page);
    await page.keyboard.press('a');
    /** @type {Set<string>} */
    const fates = new Set();
    for (let at = 0; at < 60 && fates.size < 3; at += 1) {
      await page.locator('.quiz-question').waitFor();
      const isMove = /What happens to this move/.test((await page.locator('.quiz-question').textContent()) ?? '');
      await page.locator('.watch-quiz button').first().click();
      const verdict = (await page.locator('.watch-quiz p').first().textContent()) ?? '';
      if (isMove) fates.add(/take back/.test(verdict) ? 'reversal' : /needs all moves/.test(verdict) ? 'tight-bound' : 'made');
      await page.getByRole('button', { name: 'Next question' }).click();
    }
    assert.deepEqual([...fates].sort(), ['made', 'reversal', 'tight-bound']);
  });
});

test('one click races an improvement against all of them, on two boards next to each other', async () => {
  for (const size of /** @type {const} */ (['desktop', 'phone', 'small'])) {
    await onPage(`#watch=${PUZZLE}&solver=iddfs`, { size }, async (page) => {
      await ready(page);
      await page.getByRole('button', { name: 'Memo', exact: true }).click();
      await page.locator('.race-table table').waitFor();
      await page.evaluate(() => scrollTo(0, 0));
      const [own, other] = await Promise.all(['#board', '.race-board'].map((part) => page.locator(part).boundingBox()));
      assert.ok(own && other && own.x + own.width <= other.x && Math.abs(own.y - other.y) < 3, JSON.stringify([own, other]));
      await assertInSight(page, ['.race-board', '.race-table table', '.watch-player']);
      assert.deepEqual(await page.locator('.race-table thead th').allTextContents(), ['iddfs: Memo', 'iddfs: All']);
      assert.equal(await page.locator('.race-table').evaluate((one) => one.scrollWidth > one.clientWidth), false, 'nothing is cut off');
      await page.keyboard.press('End');
      await page.waitForFunction(() => location.hash.includes('against=iddfs'));
      await page.locator('.race-table caption').getByText('Solved in 5 moves: 1,218 against 298 nodes, 4.1 times').waitFor();
      const rows = await page.locator('.race-table tbody tr').evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
      assert.deepEqual(rows[1], ['depth', '5', '5']);
      if (size === 'desktop') {
        const [code, counters] = await Promise.all(['.watch-code', '.counters-part'].map((part) => page.locator(part).boundingBox()));
        assert.ok(code && counters && code.y + code.height <= counters.y, 'the code does not cover the counters');
      }
      assert.equal(rows[2][2], '93', '54 by the bound and 39 by the memo');
      assert.ok((await page.locator('.race-board .trail').count()) >= 5, 'the solution is drawn');
      await page.getByText('Switched off: sort, bound.').waitFor({ state: 'attached' });
      await page.getByRole('button', { name: 'End the race' }).click();
      await page.locator('.race-board').waitFor({ state: 'hidden' });
      await page.waitForFunction(() => document.querySelector('.watch-verdict')?.textContent?.startsWith('iddfs: '));
    });
  }
});

test('board, controls, sentence and the parts of the search are in sight together', async () => {
  await onPage(`#watch=${PUZZLE}&solver=iddfs&step=40`, {}, async (page) => {
    await ready(page);
    await assertInSight(page, ['#board', '.watch-player', '.watch-sentence', '.watch-code [aria-current]', '.search-tree', '.watch-counters', '.watch-hits', '.quiz-part']);
    assert.equal(await page.getByRole('tab').count(), 0);
  });
  await onPage(`#watch=${PUZZLE}&solver=iddfs&step=40`, { size: 'phone' }, async (page) => {
    await ready(page);
    // The code scrolls to its line when its height is known.
    await page.waitForFunction(() => {
      const [code, line] = ['.watch-code', '.watch-code [aria-current]'].map((part) => document.querySelector(part)?.getBoundingClientRect());
      return code && line && line.top >= code.top && line.bottom <= code.bottom;
    });
    await assertInSight(page, ['#board', '.watch-player', '.watch-sentence', '.tab-list', '.watch-code [aria-current]']);
    for (const [name, part] of [['Tree', '.search-tree'], ['Counters', '.watch-counters'], ['Memo', '.watch-hits'], ['Quiz', '.quiz-part']]) {
      await page.getByRole('tab', { name }).click();
      await page.locator(part).waitFor();
    }
    // The controls stay while the rest scrolls.
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await assertInSight(page, ['#board', '.watch-player']);
  });
});

test('without a puzzle: an introduction, a board of sensible size, and Play as the primary action', async () => {
  await onPage('#watch', {}, async (page) => {
    await ready(page);
    await page.getByText(/^Watch an algorithm look for the solution/).waitFor();
    assert.deepEqual(await page.locator('main button.primary:visible').allTextContents(), ['Play']);
    const box = await page.locator('#board').boundingBox();
    assert.ok(box && box.width <= 300, JSON.stringify(box));
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.locator('.watch-intro').isVisible(), false);
  });
});

test('in German, summaries and switches are German', async () => {
  await onPage(`#watch=${PUZZLE}`, { settings: { language: 'de' } }, async (page, server) => {
    await waitForBoard(page);
    await page.waitForFunction(() => /Knoten/.test(document.querySelector('.watch-verdict')?.textContent ?? ''));
    await page.getByText('Schalter', { exact: true }).click();
    const { solvers } = await askServer(server, 'solvers', {});
    for (const { name, summary, parameters } of solvers) {
      if (name === 'tablebase') continue;
      await page.getByRole('combobox', { name: 'Algorithmus' }).selectOption(name);
      await page.waitForFunction((wanted) => document.querySelector('.watch-verdict')?.textContent?.startsWith(`${wanted}:`), name);
      const text = (await page.locator('#panel').textContent()) ?? '';
      assert.ok(!text.includes(summary), `${name}: ${summary}`);
      for (const { help } of parameters) assert.ok(!text.includes(help.replace(/^[a-z|]+: /, '')), `${name}: ${help}`);
    }
  });
});

test('each step is announced once', async () => {
  await onPage(`#watch=${PUZZLE}&solver=iddfs`, {}, async (page) => {
    await ready(page);
    await page.getByText('What happened', { exact: true }).click();
    for (const _ of [1, 2]) {
      await page.keyboard.press('ArrowRight');
      const told = (await sentence(page)) ?? '';
      await page.waitForFunction((text) => document.getElementById('live')?.textContent?.trim() === text.trim(), told);
      // Whatever is live and holds the sentence is read out.
      const live = await page.evaluate((text) => [...document.querySelectorAll('[role="status"], [role="alert"], [role="log"], [aria-live]:not([aria-live="off"])')].filter((one) => one.textContent?.trim() === text.trim()).length, told);
      assert.equal(live, 1);
    }
  });
});

test('a race at equal time: the address keeps it, and the faster search is further', needsServer, async () => {
  await onPage('', {}, async (page) => {
    // Times that were measured would make the test depend on the machine.
    /** @type {Record<string, number>} */
    const micros = { 'iddfs': 100, 'iddfs:memo=off:sort=off:bound=off': 400 };
    await page.route('**/api/v1/solve', async (route) => {
      const response = await route.fetch();
      const { solver } = route.request().postDataJSON();
      await route.fulfill({ response, json: { ...(await response.json()), micros: micros[solver] } });
    });
    const race = async (/** @type {string} */ solver, /** @type {string} */ against) => {
      await page.evaluate((hash) => { location.hash = hash; }, `watch=${PUZZLE}&solver=${solver}&against=${against}&by=time`);
      await ready(page);
      await page.waitForFunction((wanted) => document.querySelector('.watch-verdict')?.textContent?.startsWith(`${wanted}: `), solver);
      await page.keyboard.press('End');
      await page.locator('.race-table caption').getByText(/^After [\d,]+ µs/).waitFor();
      const rows = await page.locator('.race-table tbody tr').evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent ?? '')));
      return { nodes: rows[0].slice(1).map((text) => Number(text.replaceAll(',', ''))), states: rows[3].slice(1) };
    };
    const [fast, slow] = Object.keys(micros);
    const won = await race(fast, slow);
    // A quarter of the slow search's time has passed when the fast one is done.
    assert.deepEqual(won.nodes, [298, Math.floor(2374 / 4)]);
    assert.match(won.states[0], /solved/);
    assert.match(won.states[1], /still searching/);
    const lost = await race(slow, fast);
    assert.deepEqual(lost.nodes, [2374, 298]);
    assert.match(lost.states[1], /solved/);
    await race(fast, slow);
    await page.locator('summary').getByText('Race', { exact: true }).click();
    assert.equal(await page.getByRole('radio', { name: 'time' }).isChecked(), true);
    await page.keyboard.press('End');
    await page.locator('.race-table caption').getByText(/^After [\d,]+ µs/).waitFor();
    assert.match(await hashOf(page), /by=time/);
    await page.getByRole('radio', { name: 'nodes' }).check({ force: true });
    await page.locator('.race-table caption').getByText(/^At [\d,]+ nodes/).waitFor();
  });
});

test('the bound is drawn with all its signs, and every algorithm has a formula', async () => {
  await onPage(`#watch=${PUZZLE}&solver=iddfs`, {}, async (page) => {
    await ready(page);
    for (let at = 0; at < 40 && !/pruned by the bound/.test((await sentence(page)) ?? ''); at += 1) await page.keyboard.press('p');
    // "needed > left"
    assert.equal(await page.locator('#board .engine-arrows .badge .glyphs').first().locator('path').count(), 3);
    const names = await page.getByRole('combobox', { name: 'Algorithm' }).locator('option').allTextContents();
    assert.ok(names.length >= 16);
    // No formula says how many plans `subgoals` tries.
    for (const name of names.filter((one) => one !== 'subgoals')) {
      await page.getByRole('combobox', { name: 'Algorithm' }).selectOption(name);
      await page.waitForFunction((wanted) => document.querySelector('.watch-verdict')?.textContent?.startsWith(`${wanted}:`), name);
      await page.keyboard.press('End');
      const text = (await page.locator('.watch-counters p').allTextContents()).join('\n');
      const [, now, most] = /([\d,]+) of at most .* = ([\d.,e+]+)/.exec(text) ?? [];
      assert.ok(now, `${name}: ${text}`);
      assert.ok(Number(now.replaceAll(',', '')) <= Number(most.replaceAll(',', '')), `${name}: ${now} of ${most}`);
    }
  });
});

test('every link of the README to Watch shows its search', async () => {
  const links = [...fs.readFileSync(path.join(ROOT, 'README.md'), 'utf8').matchAll(/\/play\/(#watch=[^)]*)\)/g)].map(([, hash]) => hash);
  assert.ok(links.length >= 10);
  for (const hash of links) {
    await onPage(hash, {}, async (page) => {
      await ready(page);
      const solver = decodeURIComponent(/solver=([^&]*)/.exec(hash)?.[1] ?? '');
      assert.ok((await page.locator('.watch-verdict').textContent())?.startsWith(`${solver}: `), hash);
      assert.doesNotMatch((await page.locator('.watch-verdict').textContent()) ?? '', /limit/, hash);
    });
  }
});

test('it plays, and pauses', async () => {
  await onPage(`#watch=${PUZZLE}&solver=iddfs`, {}, async (page) => {
    await ready(page);
    await page.getByRole('combobox', { name: 'Speed' }).selectOption('100');
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.waitForFunction(() => Number(/\d+/.exec(document.querySelector('.watch-place')?.textContent ?? '')?.[0]) > 20);
    await page.getByRole('button', { name: 'Pause' }).click();
    const [at] = await place(page);
    await page.waitForTimeout(300);
    assert.equal((await place(page))[0], at);
  });
});

for (const theme of ['light', 'dark', 'contrast', 'color-blind']) {
  test(`axe and sizes: ${theme}`, async () => {
    for (const size of /** @type {const} */ (['desktop', 'phone', 'small'])) {
      await onPage(`#watch=${PUZZLE}&solver=iddfs&step=30&against=bfs`, { size, settings: { theme } }, async (page) => {
        await ready(page);
        // Everything that can be folded is open.
        await page.evaluate(() => document.querySelectorAll('#panel details').forEach((one) => one.setAttribute('open', '')));
        await page.locator('.race-table table').waitFor();
        assert.deepEqual(await seriousViolations(page), [], size);
        await assertNoOverflow(page);
      });
    }
  });
}
