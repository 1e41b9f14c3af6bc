// Learn: the first run by mouse, keyboard and touch, offered once; the lessons, their hints and
// solutions, and what is remembered of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replay } from '../../public/board/rules.js';
import { ALL_LESSONS, COURSE } from '../../public/learn/course.js';
import { FIRST_RUN } from '../../public/learn/lessons.js';
import { purposeOf } from '../../public/learn/reasons.js';
import { seriousViolations } from '../tools/axe.mjs';
import { ARROW, assertInSight, cellAt, hashOf, playKeys, useBrowser, waitForAnnouncement, waitForBoard } from '../tools/browser.mjs';
import { askServer } from '../tools/server.mjs';

/** @import {Page} from 'playwright-core' */

const { onPage } = useBrowser();
const HELPER = ALL_LESSONS.find(({ id }) => id === 'placed-blocker-1') ?? ALL_LESSONS[0];

/** @param {Page} page @param {string} name */
const button = (page, name) => page.getByRole('button', { name, exact: true });

/** @param {Page} page @param {string} title */
const step = (page, title) => page.getByRole('heading', { name: title, exact: true }).waitFor();

/** Where a move leads: the cells that are clicked. @param {any} view @param {string[]} moves @param {number} number */
function cellsOf(view, moves, number) {
  const slide = replay(view, moves).steps[number];
  return { from: slide.from, to: slide.to };
}

/** What is stored on the device. @param {Page} page @param {string} name */
const stored = (page, name) => page.evaluate((key) => JSON.parse(localStorage.getItem(`ricochet.${key}`) ?? 'null'), name);

const TITLES = ['Robots slide', 'Walls stop robots', 'Robots stop robots', 'Move a helper first', 'Fewest moves win'];

test('the first run by mouse, from the offer on the first visit to the first lesson', async () => {
  await onPage('', {}, async (page, server) => {
    await waitForBoard(page);
    await page.getByRole('link', { name: 'Show me' }).click();
    const { puzzles } = await askServer(server, 'read', { text: FIRST_RUN.map(({ line }) => line).join('\n') });
    for (const [i, title] of TITLES.entries()) {
      await step(page, title);
      const moves = FIRST_RUN[i].moves[0].split(' ');
      for (const number of moves.keys()) {
        const { from, to } = cellsOf(puzzles[i], moves, number);
        // The goal robot is chosen from the start; another one has to be clicked.
        const chosen = await page.locator('.robot.selected').getAttribute('data-robot');
        if (chosen !== moves[number][0]) {
          const robot = await cellAt(page, from[0], from[1]);
          await page.mouse.click(robot.x, robot.y);
        }
        const end = await cellAt(page, to[0], to[1]);
        await page.mouse.click(end.x, end.y);
      }
      await button(page, 'Next').click();
    }
    await step(page, 'That is the whole game');
    assert.equal(await stored(page, 'first-run'), 'done');
    await button(page, 'First lesson').click();
    await step(page, 'Stop at the target');
    assert.equal(await hashOf(page), '#learn&lesson=wall-at-target-1');
  });
});

test('the first run by keyboard: wrong moves are explained, undone, and never the end', async () => {
  await onPage('#learn&as=start', {}, async (page) => {
    await step(page, TITLES[0]);
    await waitForAnnouncement(page, /Step 1 of 5\. Robots slide\..*Move red to its circle/);
    await page.keyboard.press(ARROW.N);
    await waitForAnnouncement(page, /Red slid to the edge, but not towards the target/);
    await page.keyboard.press('u');
    await page.keyboard.press(ARROW.E);
    await page.locator('.learn-message').getByText('One more slide').waitFor();
    await page.keyboard.press(ARROW.S);
    await page.keyboard.press('n');
    await step(page, TITLES[1]);
    await page.keyboard.press(ARROW.E);
    await page.locator('.learn-message').getByText('look for the wall').waitFor();
    await page.keyboard.press('0');
    await playKeys(page, ['RS', 'RE']);
    await page.keyboard.press('Enter');
    await step(page, TITLES[2]);
    await playKeys(page, ['GW']);
    await page.locator('.learn-message').getByText('Green was in the right place').waitFor();
    await page.keyboard.press('u');
    await playKeys(page, ['RE', 'RN']);
    await page.keyboard.press('n');
    await step(page, TITLES[3]);
    await playKeys(page, ['RE']);
    await waitForAnnouncement(page, /Red slid over the target without stopping/);
    await page.keyboard.press('Backspace');
    // A move that is none says what is in the way.
    await playKeys(page, ['RW']);
    await waitForAnnouncement(page, /Red cannot go west: stopped by the rim/);
    await playKeys(page, ['GN', 'RE']);
    await page.keyboard.press('n');
    await step(page, TITLES[4]);
    // Alone, and longer than needed: that counts, and there is more to find.
    assert.match(await hashOf(page), /step=5/);
    await page.keyboard.press('h');
    await page.locator('.learn-message').getByText('Hint:').waitFor();
    await playKeys(page, FIRST_RUN[4].moves[0].split(' '));
    await page.locator('.learn-message').getByText('nobody can do better').waitFor();
    await page.keyboard.press('n');
    await step(page, 'That is the whole game');
  });
});

test('after three wrong moves an arrow shows a good one', async () => {
  await onPage('#learn&as=start&step=4', {}, async (page) => {
    await step(page, TITLES[3]);
    await playKeys(page, ['RS', 'RN', 'RS']);
    await page.locator('.layer-engine .pointer').waitFor();
  });
});

test('a longer solution of the last step counts, and can be tried again', async () => {
  await onPage('#learn&as=start&step=5', {}, async (page, server) => {
    await step(page, TITLES[4]);
    const { puzzles } = await askServer(server, 'read', { text: FIRST_RUN[4].line });
    await playKeys(page, redAlone(puzzles[0]));
    await page.locator('.learn-message').getByText('Solved in 5 moves, and that counts').waitFor();
    await button(page, 'Again').click();
    await playKeys(page, FIRST_RUN[4].moves[0].split(' '));
    await page.locator('.learn-message').getByText('nobody can do better').waitFor();
  });
});

/** A shortest solution in which only red moves. @param {any} view */
function redAlone(view) {
  let lines = [/** @type {string[]} */ ([])];
  for (let length = 1; length < 8; length += 1) {
    lines = lines.flatMap((line) => ['RN', 'RE', 'RS', 'RW'].map((move) => [...line, move])).filter((line) => !replay(view, line).failed);
    const solved = lines.find((line) => replay(view, line).solved);
    if (solved) return solved;
  }
  throw new Error('red cannot do it alone');
}

test('the first run by touch on a phone: text, board and the next step are in sight', async () => {
  await onPage('#learn&as=start', { size: 'phone' }, async (page, server) => {
    const { puzzles } = await askServer(server, 'read', { text: FIRST_RUN.map(({ line }) => line).join('\n') });
    for (const [i, title] of TITLES.entries()) {
      await step(page, title);
      await assertInSight(page, ['#board .picture', '.learn-step h2', '.learn-step h2 + p']);
      const moves = FIRST_RUN[i].moves[0].split(' ');
      for (const number of moves.keys()) {
        const { from, to } = cellsOf(puzzles[i], moves, number);
        const robot = await cellAt(page, from[0], from[1]);
        const chosen = await page.locator('.robot.selected').getAttribute('data-robot');
        if (chosen !== moves[number][0]) await page.touchscreen.tap(robot.x, robot.y);
        const end = await cellAt(page, to[0], to[1]);
        await page.touchscreen.tap(end.x, end.y);
      }
      await assertInSight(page, ['#under .primary']);
      await button(page, 'Next').tap();
    }
    await step(page, 'That is the whole game');
  });
});

test('a tap on the target where red cannot stop yet is answered, and red stays chosen', async () => {
  await onPage('#learn&as=start&step=2', { size: 'phone' }, async (page, server) => {
    const { puzzles } = await askServer(server, 'read', { text: FIRST_RUN.map(({ line }) => line).join('\n') });
    for (const number of [2, 3]) {
      await step(page, TITLES[number - 1]);
      await page.getByText('Tap a marked cell, or drag the robot.').waitFor();
      const [x, y] = puzzles[number - 1].goal.cell;
      const target = await cellAt(page, x, y);
      await page.touchscreen.tap(target.x, target.y);
      await page.locator('.learn-message').getByText('Red cannot stop there yet: it slides to a marked cell.').waitFor();
      assert.equal(await page.locator('.robot.selected').getAttribute('data-robot'), 'R');
      await playKeys(page, FIRST_RUN[number - 1].moves[0].split(' '));
      await button(page, 'Next').tap();
    }
    await step(page, TITLES[3]);
    await page.keyboard.press('Escape');
    const empty = await cellAt(page, 2, 2);
    await page.touchscreen.tap(empty.x, empty.y);
    await page.locator('.learn-message').getByText('Choose a robot first').waitFor();
  });
});

test('a lesson opened from far down the list begins at its top', async () => {
  for (const id of ['chain-1', 'placed-blocker-1']) {
    await onPage('#learn', { size: 'phone' }, async (page) => {
      const link = page.locator(`a[href$="lesson=${id}"]`);
      await link.scrollIntoViewIfNeeded();
      assert.ok(await page.evaluate(() => scrollY) > 300);
      await link.tap();
      await waitForBoard(page);
      await page.locator('.learn-lesson h2').waitFor();
      assert.equal(await page.evaluate(() => scrollY), 0);
      await assertInSight(page, ['#board .picture', '.learn-goal']);
    });
  }
});

test('it is offered once, can be declined and skipped, and is always found again', async () => {
  await onPage('', {}, async (page) => {
    await waitForBoard(page);
    await page.getByRole('heading', { name: 'New to the game?' }).waitFor();
    // It stays while the visitor looks around, and is gone at the next visit.
    await page.getByRole('link', { name: 'Analyse' }).click();
    await page.getByRole('link', { name: 'Today', exact: true }).click();
    await page.getByRole('heading', { name: 'New to the game?' }).waitFor();
    await page.reload();
    await waitForBoard(page);
    await page.locator('.places a').first().waitFor();
    assert.equal(await page.locator('.offer').count(), 0);
    await page.locator('.places a').first().click();
    await page.getByRole('link', { name: 'Start', exact: true }).click();
    await step(page, TITLES[0]);
    await button(page, 'Skip').click();
    await page.locator('.today').waitFor();
    // The help leads there, too.
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByRole('link', { name: 'The rules in five steps' }).click();
    await step(page, TITLES[0]);
    assert.equal(await page.getByRole('dialog').count(), 0);
  });
  await onPage('', {}, async (page) => {
    await waitForBoard(page);
    await button(page, 'No, thanks').click();
    assert.equal(await page.locator('.offer').count(), 0);
  });
  await onPage('', { stored: { days: { '2026-11-01': { moves: 5, stars: 3, ms: 1000, hints: 0 } } } }, async (page) => {
    await waitForBoard(page);
    await page.locator('.places a').first().waitFor();
    assert.equal(await page.locator('.offer').count(), 0, 'this visitor has played before');
  });
});

test('a lesson is learned by its fewest moves, and progress survives a reload', async () => {
  await onPage(`#learn&lesson=${HELPER.id}`, {}, async (page) => {
    await waitForBoard(page);
    await step(page, 'Put a helper in place');
    await playKeys(page, HELPER.moves);
    await page.locator('.learn-message').getByText('Learned: that is the shortest way.').waitFor();
    assert.equal((await stored(page, 'lessons'))[HELPER.id], 'learned');
    await button(page, 'Next lesson').click();
    await page.waitForFunction(() => location.hash === '#learn&lesson=placed-blocker-2');
    await page.reload();
    await waitForBoard(page);
    await button(page, 'All lessons').click();
    const group = page.getByRole('region', { name: 'Put a helper in place' });
    await group.getByText('1 of 5 learned').waitFor();
    await group.getByRole('link', { name: 'Lesson 1: learned' }).waitFor();
    await page.getByText('1 of 60 lessons learned').first().waitFor();
    // The browser's Back button leads back to the lesson.
    await page.goBack();
    await page.waitForFunction(() => location.hash === '#learn&lesson=placed-blocker-2');
  });
});

test('the solution is shown move by move with reasons, and then does not count', async () => {
  await onPage(`#learn&lesson=${HELPER.id}`, {}, async (page) => {
    await waitForBoard(page);
    await button(page, 'Show me').click();
    await page.locator('.learn-reasons li').first().waitFor();
    assert.equal(await page.locator('.learn-reasons li').count(), 1);
    await page.keyboard.press(ARROW.E);
    assert.equal(await page.locator('.learn-reasons li').count(), 2);
    await page.locator('.learn-reasons').getByText(/That is the target\.$/).waitFor();
    await page.locator('.learn-reasons').getByText(/There it will stop/).waitFor();
    assert.equal(await button(page, 'Next move').isDisabled(), true);
    await button(page, 'Back').click();
    assert.equal(await page.locator('.learn-reasons li').count(), 1);
    await button(page, 'Try it yourself').click();
    await playKeys(page, HELPER.moves);
    await page.locator('.learn-message').getByText('You have seen the solution').waitFor();
    assert.equal((await stored(page, 'lessons'))[HELPER.id], 'solved');
    // On another visit it counts.
    await page.reload();
    await waitForBoard(page);
    await playKeys(page, HELPER.moves);
    await page.locator('.learn-message').getByText('Learned').waitFor();
  });
});

test('hints say more each time, and cost nothing', async () => {
  await onPage(`#learn&lesson=${HELPER.id}`, {}, async (page) => {
    await waitForBoard(page);
    for (const text of [/moves next\.$/, /from here/, /goes (north|east|south|west)/]) {
      await button(page, 'Hint').click();
      await page.locator('.learn-message').getByText(text).waitFor();
    }
    await playKeys(page, HELPER.moves);
    await page.locator('.learn-message').getByText('Learned').waitFor();
  });
});

test('the command box plays, takes back and goes on', async () => {
  await onPage(`#learn&lesson=${HELPER.id}`, {}, async (page) => {
    await waitForBoard(page);
    await page.keyboard.press('/');
    await page.keyboard.type(`${HELPER.moves[0]} undo ${HELPER.moves.join(' ')}`);
    await page.keyboard.press('Enter');
    await waitForAnnouncement(page, /Learned/);
    await page.keyboard.type('next');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.hash === '#learn&lesson=placed-blocker-2');
  });
});

test('an unknown lesson leads to all of them, and links to other modes keep their position', async () => {
  await onPage('#play=8x8..0034.R77', {}, async (page) => {
    await waitForBoard(page);
    await page.evaluate(() => {
      location.hash = '#learn&lesson=dancing-3';
    });
    await page.locator('.lessons').waitFor();
    await waitForAnnouncement(page, /There is no such lesson/);
    assert.equal(await page.locator('.learn-picture .trail').count() > 12, true, 'a picture of each technique');
    assert.match((await page.locator('#modes [data-mode="play"]').getAttribute('href')) ?? '', /8x8\.\.0034\.R77/);
  });
});

test('every lesson is there, in the language of the page, with its solution explained as by the engine', async () => {
  assert.deepEqual([COURSE.length, ALL_LESSONS.length], [12, 60]);
  await onPage('#learn', { settings: { language: 'de' } }, async (page, server) => {
    await page.locator('.lessons-group').last().waitFor();
    assert.equal(await page.locator('.lessons-group').count(), 12);
    assert.equal(await page.locator('.lessons-links a').count(), 60);
    await page.getByRole('heading', { name: 'Einen Helfer hinstellen' }).waitFor();
    for (const { line, moves } of [...ALL_LESSONS, ...COURSE.map(({ example }) => example)]) {
      const [{ puzzles }, explained] = await Promise.all([askServer(server, 'read', { text: line }), askServer(server, 'explain', { puzzle: line, moves })]);
      const { steps, solved } = replay(puzzles[0], moves);
      assert.ok(solved, line);
      explained.sentences.forEach((/** @type {string} */ sentence, /** @type {number} */ i) => {
        const purpose = purposeOf(steps, i);
        const stops = /There it will stop (.*?)\.(?: |$)/.exec(sentence)?.[1];
        const clears = /It makes way for \w+ in move (\d+)\./.exec(sentence)?.[1];
        assert.deepEqual(purpose && 'stops' in purpose ? purpose.stops.map((n) => n + 1) : [], (stops?.match(/\d+/g) ?? []).map(Number).sort(), sentence);
        assert.equal(purpose && 'clears' in purpose ? purpose.clears + 1 : undefined, clears && Number(clears), sentence);
      });
    }
  });
});

test('German: the first run and a lesson', async () => {
  await onPage('#learn&as=start&step=4', { settings: { language: 'de' } }, async (page) => {
    await step(page, 'Erst einen Helfer ziehen');
    await playKeys(page, ['RE']);
    await waitForAnnouncement(page, /Rot ist über das Ziel gerutscht/);
    await page.keyboard.press('u');
    await playKeys(page, ['GN', 'RE']);
    await button(page, 'Weiter').click();
    await step(page, 'Die wenigsten Züge gewinnen');
    await page.evaluate((id) => {
      location.hash = `#learn&lesson=${id}`;
    }, HELPER.id);
    await step(page, 'Einen Helfer hinstellen');
    await button(page, 'Zeig es mir').click();
    await page.locator('.learn-reasons').getByText(/Dort hält er in Zug 2/).waitFor();
  });
});

for (const theme of ['light', 'dark']) {
  test(`axe and sizes: ${theme}`, async () => {
    for (const size of /** @type {const} */ (['desktop', 'phone'])) {
      for (const hash of ['#learn', '#learn&as=start', `#learn&lesson=${HELPER.id}`, '']) {
        for (const language of ['en', 'de']) {
          await onPage(hash, { size, settings: { theme, language } }, async (page) => {
            if (hash !== '#learn') await waitForBoard(page);
            else await page.locator('.learn-picture .trail').first().waitFor();
            assert.deepEqual(await seriousViolations(page), [], `${size} ${hash} ${language}`);
            const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
            assert.ok(wide <= room, `${size} ${hash} ${language}: ${wide} pixels do not fit into ${room}`);
            if (hash.includes('lesson')) {
              await button(page, language === 'en' ? 'Show me' : 'Zeig es mir').click();
              await page.locator('.learn-reasons li').first().waitFor();
              assert.deepEqual(await seriousViolations(page), [], `${size} solution ${language}`);
            }
          });
        }
      }
    }
  });
}
