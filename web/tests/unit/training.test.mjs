// Training without a browser: Glicko-2, the choice of puzzles, mistakes that come back, files.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { afterGames, afterPause, newRating } from '../../public/training/glicko2.js';
import { GAPS, MOST_ENTRIES, dueMistakes, filtered, merged, mistakes, newTraining, ratingHistory, ratingNow, themeProgress, withEntry } from '../../public/training/log.js';
import { THEMES, choosePuzzle, parsePuzzles, plainLine } from '../../public/training/puzzle-set.js';
import { FileError, exportText, importText, loadTraining, savePuzzle, saveTraining } from '../../public/training/store.js';
import { training as words } from '../../public/words/training.js';
import { loadDays, loadStreak, saveDay } from '../../public/play/records.js';
import { PAGE, ROOT } from '../tools/paths.mjs';

/** @import {Entry, Training} from '../../public/training/log.js' */

const DAY = 86_400_000;
/** Noon, so that no test depends on the time zone. */
const NOON = new Date(2026, 10, 19, 12).getTime();

/** @param {Partial<Entry>} changes @returns {Entry} */
const entry = (changes) => ({ line: 'a', rating: 1500, deviation: 60, length: 5, themes: [], at: NOON, source: 'training', outcome: 'solved', moves: 5, ms: 1000, hints: 0, ...changes });

/** @param {Entry[]} entries @returns {Training} */
const trained = (...entries) => entries.reduce(withEntry, newTraining());

/** @param {number} a @param {number} b @param {number} [by] */
const near = (a, b, by = 0.01) => assert.ok(Math.abs(a - b) < by, `${a} is not ${b}`);

test('Glicko-2: the example of the paper', () => {
  const after = afterGames({ rating: 1500, deviation: 200, volatility: 0.06 }, [
    { rating: 1400, deviation: 30, score: 1 },
    { rating: 1550, deviation: 100, score: 0 },
    { rating: 1700, deviation: 300, score: 0 },
  ]);
  near(after.rating, 1464.06);
  near(after.deviation, 151.52);
  near(after.volatility, 0.05999, 0.00001);
});

test('Glicko-2: the same ratings as the engine', () => {
  const rows = fs.readFileSync(path.join(ROOT, 'crates/ricochet-solve/tests/data/glicko2.txt'), 'utf8').split('\n').filter((row) => row && !row.startsWith('#'));
  assert.ok(rows.length >= 200);
  for (const row of rows) {
    const [player, games, expected] = row.split('|').map((part) => part.trim());
    const [rating, deviation, volatility] = player.split(' ').map(Number);
    const after = afterGames({ rating, deviation, volatility }, games.split(';').filter(Boolean).map((game) => {
      const [theirs, uncertain, score] = game.trim().split(' ').map(Number);
      return { rating: theirs, deviation: uncertain, score };
    }));
    const wanted = expected.split(' ').map(Number);
    [after.rating, after.deviation, after.volatility].forEach((value, i) => near(value, wanted[i], 1e-6));
  }
});

test('Glicko-2: a pause makes a rating less certain, up to a limit', () => {
  const player = { rating: 1700, deviation: 50, volatility: 0.06 };
  near(afterPause(player, 1).deviation, afterGames(player, []).deviation);
  near(afterPause(player, 30).deviation, Array.from({ length: 30 }).reduce((/** @type {any} */ one) => afterGames(one, []), player).deviation);
  assert.equal(afterPause(player, 1e6).deviation, 350);
  assert.deepEqual(afterPause(player, 0), player);
});

test('only first attempts in training count for the rating', () => {
  const one = trained(entry({ line: 'a' }));
  assert.ok(ratingNow(one, NOON).rating > 1600);
  const more = trained(entry({ line: 'a' }), entry({ line: 'a', at: NOON + 1, outcome: 'longer' }), entry({ line: 'b', at: NOON + 2, source: 'streak' }), entry({ line: 'c', at: NOON + 3, source: 'again' }), entry({ line: 'd', at: NOON + 4, rating: null }));
  assert.deepEqual(ratingHistory(more).rating, ratingHistory(one).rating);
  assert.equal(ratingHistory(more).changes.size, 1);
  // A puzzle that was seen in a streak is no longer new.
  assert.equal(ratingHistory(trained(entry({ line: 'b', source: 'streak' }), entry({ line: 'b', at: NOON + 1 }))).changes.size, 0);
  for (const outcome of /** @type {const} */ (['longer', 'helped', 'gave-up', 'skipped'])) {
    assert.ok(ratingNow(trained(entry({ outcome })), NOON).rating < 1400, outcome);
  }
});

test('a rating is provisional at first, settles, and becomes less certain in a pause', () => {
  let training = newTraining();
  for (let i = 0; i < 60; i += 1) {
    const { rating } = ratingNow(training, NOON);
    training = withEntry(training, entry({ line: `p${i}`, at: NOON + i, rating, outcome: i % 2 ? 'solved' : 'longer' }));
  }
  const now = ratingNow(training, NOON + 60);
  assert.ok(now.deviation < 80, String(now.deviation));
  near(now.rating, 1500, 150);
  assert.ok(ratingNow(training, NOON + 100 * DAY).deviation > now.deviation + 30);
});

test('a player of known strength gets that rating', () => {
  // A pseudo-random sequence: the test is the same each time.
  let state = 7;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  for (const strength of [800, 1500, 2400]) {
    let training = newTraining();
    for (let i = 0; i < 200; i += 1) {
      const { rating } = ratingNow(training, NOON);
      const wins = random() < 1 / (1 + 10 ** ((rating - strength) / 400));
      training = withEntry(training, entry({ line: `p${i}`, at: NOON + i, rating, outcome: wins ? 'solved' : 'longer' }));
    }
    near(ratingNow(training, NOON + 200).rating, strength, 200);
  }
});

test('the log is bounded; what is dropped still counts for the rating', () => {
  let training = newTraining();
  const log = Array.from({ length: MOST_ENTRIES }, (_, i) => entry({ line: `p${i}`, at: NOON + i, outcome: i % 3 ? 'solved' : 'longer' }));
  training = { ...training, log };
  const whole = ratingHistory({ ...training, log: [...log, entry({ line: 'last', at: NOON + MOST_ENTRIES })] }).rating;
  const after = withEntry(training, entry({ line: 'last', at: NOON + MOST_ENTRIES }));
  assert.equal(after.log.length, MOST_ENTRIES);
  assert.equal(after.log[0].line, 'p1');
  near(ratingHistory(after).rating.rating, whole.rating, 1e-6);
  assert.ok(JSON.stringify(after).length < 1_500_000);
});

test('mistakes come back after 1, 3, 7 and 21 days, and again after a failure', () => {
  const at = (/** @type {number} */ day) => NOON + day * DAY;
  let training = trained(entry({ outcome: 'longer' }));
  assert.deepEqual(GAPS, [1, 3, 7, 21]);
  assert.equal(dueMistakes(training, at(0)).length, 0);
  // In the morning of the next day.
  assert.equal(dueMistakes(training, at(1) - DAY / 3).length, 1);
  let day = 0;
  for (const gap of GAPS) {
    assert.equal(dueMistakes(training, at(day + gap - 1)).length, 0, `${gap}`);
    day += gap;
    assert.equal(dueMistakes(training, at(day)).length, 1, `${gap}`);
    training = withEntry(training, entry({ source: 'again', at: at(day) }));
  }
  assert.deepEqual(mistakes(training), [], 'made up for');
  const early = withEntry(trained(entry({ outcome: 'skipped' })), entry({ source: 'again', at: NOON + 60_000 }));
  assert.equal(mistakes(early)[0].step, 0, 'a success on the same day changes nothing');
  const again = withEntry(withEntry(trained(entry({ outcome: 'longer' })), entry({ source: 'again', at: at(1) })), entry({ source: 'again', outcome: 'gave-up', at: at(4) }));
  assert.deepEqual([mistakes(again)[0].step, dueMistakes(again, at(5)).length], [0, 1]);
});

const PUZZLES = Array.from({ length: 300 }, (_, i) => ({ line: `p${i}`, rating: 600 + i * 10, deviation: 60, length: 3, themes: i % 10 ? [] : [/** @type {const} */ ('solo')] }));

test('the next puzzle is near the rating, new, and of the theme', () => {
  for (const random of [0, 0.5, 0.999]) {
    const puzzle = choosePuzzle(PUZZLES, { near: 1500 }, new Map(), () => random);
    near(puzzle?.rating ?? 0, 1500, 101);
  }
  const tried = new Map([['p90', 1], ['p91', 2]]);
  const chosen = Array.from({ length: 200 }, () => choosePuzzle(PUZZLES, { near: 1500 }, tried)?.line);
  assert.ok(!chosen.includes('p90') && !chosen.includes('p91') && new Set(chosen).size > 10);
  assert.deepEqual(choosePuzzle(PUZZLES, { near: 1500, theme: 'solo' }, new Map())?.themes, ['solo']);
  const { rating } = choosePuzzle(PUZZLES, { range: [3000, 3100] }, new Map()) ?? {};
  assert.ok(rating && rating >= 3000 && rating <= 3100);
  assert.equal(choosePuzzle(PUZZLES, { theme: 'diagonal' }, new Map()), null);
  assert.equal(choosePuzzle(PUZZLES, { range: [5000, 6000] }, new Map()), null);
});

test('if all puzzles were tried, those come back that were tried longest ago', () => {
  const tried = new Map(PUZZLES.map(({ line }, i) => [line, 1000 - i]));
  const lines = Array.from({ length: 100 }, () => Number(choosePuzzle(PUZZLES, { near: 1500 }, tried)?.line.slice(1)));
  assert.ok(Math.min(...lines) >= 200, String(Math.min(...lines)));
});

test('history is filtered by result, theme, rating and date; progress is per theme', () => {
  const training = trained(
    entry({ line: 'a', themes: ['solo'] }),
    entry({ line: 'b', at: NOON + 1, outcome: 'longer', rating: 2100, themes: ['solo', 'chain'] }),
    entry({ line: 'c', at: NOON + 2, source: 'again', rating: null }),
  );
  const all = { result: /** @type {const} */ ('all'), theme: /** @type {const} */ (''), range: /** @type {const} */ ([-Infinity, Infinity]), since: 0 };
  const lines = (/** @type {object} */ changes) => filtered(training, { ...all, ...changes }).map(({ line }) => line).join('');
  assert.deepEqual([lines({}), lines({ result: 'solved' }), lines({ result: 'failed' }), lines({ theme: 'chain' }), lines({ range: [2000, 3000] }), lines({ since: NOON + 1 })], ['cba', 'ca', 'b', 'b', 'b', 'cb']);
  const progress = themeProgress(training);
  assert.deepEqual([progress.get('solo')?.tried, progress.get('solo')?.solved, progress.get('chain')?.solved, progress.size], [2, 1, 0, 2]);
  assert.ok((progress.get('solo')?.rating.deviation ?? 0) < 350);
});

test('two logs are merged without losing either side, in either order', () => {
  const one = trained(entry({ line: 'a' }), entry({ line: 'b', at: NOON + 10, outcome: 'longer' }));
  const two = trained(entry({ line: 'b', at: NOON + 5 }), entry({ line: 'c', at: NOON + 20 }));
  const both = merged(one, two);
  assert.deepEqual(both.log.map(({ line, at }) => `${line}${at - NOON}`), ['a0', 'b5', 'b10', 'c20']);
  assert.deepEqual(merged(two, one), both);
  assert.deepEqual(merged(both, one), both, 'merging again changes nothing');
  assert.equal(ratingHistory(both).changes.size, 3, 'the first attempt at b counts');
  const base = { rating: 1900, deviation: 80, volatility: 0.06, until: NOON - 1 };
  assert.deepEqual(merged(one, { ...two, base }).base, base, 'a longer history is not forgotten');
});

test('a file holds everything, and is merged into what is there', () => {
  saveTraining({ ...trained(entry({ line: 'a', at: 1000 }), entry({ line: 'b', at: 2000, outcome: 'longer' })), bestStreak: 7 });
  savePuzzle({ line: 'x', rating: 1200, deviation: 50, length: 4, themes: ['solo'] });
  saveDay('2026-11-18', { moves: 6, stars: 3, ms: 5000, hints: 0 });
  const file = exportText();
  const before = loadTraining();
  saveTraining({ ...trained(entry({ line: 'c', at: 3000 })), bestStreak: 9 });
  assert.deepEqual(importText(file), { attempts: 2, known: 0, saved: 1 });
  assert.deepEqual(loadTraining().log.map(({ line }) => line), ['a', 'b', 'c']);
  assert.deepEqual(loadTraining().saved, before.saved);
  assert.equal(loadTraining().bestStreak, 9);
  assert.deepEqual(importText(file), { attempts: 0, known: 2, saved: 0 });
  assert.equal(loadDays()['2026-11-18'].moves, 6);
  assert.equal(loadStreak().longest, 0);
});

test('bad files change nothing and say what is wrong', () => {
  const before = loadTraining();
  const good = JSON.parse(exportText());
  const bad = (/** @type {object} */ changes) => JSON.stringify({ ...good, ...changes });
  const line = good.log[0];
  /** @type {[string, string, object][]} */
  const cases = [
    ['', 'fileNotJson', {}],
    ['{"format":', 'fileNotJson', {}],
    ['[]', 'fileForeign', {}],
    ['{"format":"chess"}', 'fileForeign', {}],
    [bad({ version: 2 }), 'fileNewer', { version: 2 }],
    [bad({ version: 'x' }), 'fileBroken', { where: 'version' }],
    [bad({ log: {} }), 'fileBroken', { where: 'log' }],
    [bad({ log: [line, { ...line, rating: '1500' }] }), 'fileBroken', { where: 'log[1].rating' }],
    [bad({ log: [{ ...line, line: '<b> x' }] }), 'fileBroken', { where: 'log[0].line' }],
    [bad({ log: [{ ...line, at: Date.now() + 5 * DAY }] }), 'fileBroken', { where: 'log[0].at' }],
    [bad({ log: [{ ...line, outcome: 'won' }] }), 'fileBroken', { where: 'log[0].outcome' }],
    [bad({ log: Array(4 * MOST_ENTRIES + 1).fill({}) }), 'fileBroken', { where: 'log' }],
    [bad({ base: { ...good.base, deviation: 0 } }), 'fileBroken', { where: 'base.deviation' }],
    [bad({ days: { '2026-02-30': {} } }), 'fileBroken', { where: 'days.2026-02-30' }],
    [bad({ streak: { last: 'today' } }), 'fileBroken', { where: 'streak.last' }],
    [' '.repeat(5_000_001), 'fileLarge', { n: 5 }],
  ];
  for (const [text, reason, values] of cases) {
    assert.throws(() => importText(text), (error) => error instanceof FileError && error.reason === reason && JSON.stringify(error.values) === JSON.stringify(values), `${reason}: ${text.slice(0, 60)}`);
  }
  assert.deepEqual(loadTraining(), before);
  importText(bad({ log: [{ ...line, at: 5, themes: ['solo', 'unheard-of'], more: 1 }] }));
  assert.deepEqual(loadTraining().log[0].themes, ['solo'], 'what a later version adds is left out');
});

test('a hundred damaged files never change a thing without saying so', () => {
  const good = exportText();
  let state = 3;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  for (let i = 0; i < 300; i += 1) {
    const at = Math.floor(random() * good.length);
    const text = good.slice(0, at) + String.fromCharCode(32 + Math.floor(random() * 90)) + good.slice(at + 1);
    const before = JSON.stringify(loadTraining());
    try {
      importText(text);
      ratingHistory(loadTraining());
    } catch (error) {
      assert.ok(error instanceof FileError, String(error));
      assert.equal(JSON.stringify(loadTraining()), before);
    }
  }
});

test('the puzzles of the page can be read, and every theme has some', () => {
  const puzzles = parsePuzzles(fs.readFileSync(path.join(PAGE, 'training/puzzles.txt'), 'utf8'));
  assert.ok(puzzles.length > 1000, String(puzzles.length));
  assert.equal(new Set(puzzles.map(({ line }) => line)).size, puzzles.length);
  for (const { line, rating, deviation, length, themes } of puzzles) {
    const numbers = [rating, deviation, length];
    assert.ok(plainLine(line) === line && numbers.every((n) => Number.isInteger(n) && (n ?? -1) >= 0) && themes.every((theme) => THEMES.includes(theme)), line);
  }
  for (const theme of THEMES.filter((one) => one !== 'diagonal')) {
    assert.ok(puzzles.filter(({ themes }) => themes.includes(theme)).length >= 20, theme);
  }
});

test('themes are those of the engine, with its definitions', () => {
  const source = fs.readFileSync(path.join(ROOT, 'crates/ricochet-solve/src/difficulty/theme.rs'), 'utf8');
  const names = new Map([...source.matchAll(/Self::(\w+) => "([a-z-]+)",/g)].map(([, variant, name]) => [variant, name]));
  assert.deepEqual([...names.values()], THEMES);
  const definitions = [...source.slice(source.indexOf('fn definition')).matchAll(/Self::(\w+) => (?:\{\s*)?"([^"]*)"/g)];
  assert.equal(definitions.length, THEMES.length);
  for (const [, variant, text] of definitions) {
    const name = /** @type {import('../../types/api.d.ts').Theme} */ (names.get(variant));
    assert.equal(words[`what-${name}`][0].replaceAll('’', "'"), text);
    assert.ok(words[`theme-${name}`][0]);
  }
});

test('a line is the same with its optimum or its name', () => {
  assert.equal(plainLine('3C4D2B1C.5eb4111b.Y39.d.t.o8.nR00000'), '3C4D2B1C.5eb4111b.Y39.d.t');
  assert.equal(plainLine('1A4B3B2B.1fc1f0c0.B9c'), '1A4B3B2B.1fc1f0c0.B9c');
  assert.equal(newRating().deviation, 350);
});
