// The engine for browsers gives the answers of the program. Needs no browser, but the files that
// `./site.sh` has just made: RICOCHET_SITE says that it has.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../tools/paths.mjs';
import { SITE } from '../tools/server.mjs';
import { builtFiles, corpus, loadEngine } from '../tools/wasm.mjs';

const files = Object.entries(SITE ? builtFiles() : {}).filter(([kind]) => ['simd', 'portable', 'pictures'].includes(kind));
const program = process.env.RICOCHET ?? path.join(ROOT, 'target', 'debug', 'ricochet');
/** Everything with RICOCHET_LONG, otherwise every so-and-so-many-th puzzle of the large corpora. */
const long = process.env.RICOCHET_LONG === '1';

const CORPORA = {
  'official/random': 5,
  'official/by-length': 16,
  'official/hard': 16,
  'records/records': 3,
  'competitions/asp2015': 6,
  'competitions/ipc2023': 2,
  'five-robots': 4,
  diagonals: 4,
  small: 2,
  large: 12,
  unsolvable: 4,
};

/** The program's answers for the same puzzles. @param {string[]} lines */
function native(lines) {
  // It ends with another status where puzzles have no solution.
  const { stdout } = spawnSync(program, ['solve', '--json', '-'], { input: `${lines.join('\n')}\n`, maxBuffer: 1 << 28 });
  return String(stdout).trim().split('\n').map((line) => JSON.parse(line));
}

/** @param {any} answer */
const verdict = ({ outcome, length, optimal, nodes, moves, error }) => ({ outcome, length, optimal, nodes, moves, error });

for (const [kind, file] of files) {
  for (const [name, step] of Object.entries(CORPORA)) {
    test(`${name}: outcome, moves and nodes are those of the program (${kind})`, () => {
      // One of the large boards needs more than a gibibyte.
      const ask = loadEngine(file, { memoryMib: 2000, maximumMib: 4000 });
      const puzzles = corpus(name).filter((_, number) => long || number % step === 0);
      const expected = native(puzzles.map(({ line }) => line));
      assert.equal(expected.length, puzzles.length);
      puzzles.forEach(({ id, line, optimal }, number) => {
        const answer = ask('solve', { puzzle: line });
        assert.deepEqual(verdict(answer), verdict(expected[number]), id);
        if (Number.isInteger(optimal)) assert.equal(answer.length, optimal, id);
        if (name === 'unsolvable') assert.equal(answer.outcome, 'unsolvable', id);
      });
    });
  }

  test(`every solver has its signature (${kind})`, () => {
    const ask = loadEngine(file);
    const table = String(execFileSync(program, ['bench', '--signature'])).split('\n');
    const rows = table.map((row) => /^(\S+)\s+(\d[\d,]*)\s+(\d[\d,]*)\s+(\d+)$/.exec(row.trim())).filter((row) => row !== null);
    const { solvers } = ask('solvers', {});
    assert.equal(rows.length, solvers.length);
    const puzzles = corpus('official/random').filter(({ optimal }) => optimal >= 3 && optimal <= 6).slice(0, 40);
    for (const [, solver, nodes, , solved] of rows) {
      const answers = puzzles.map(({ line }) => ask('solve', { puzzle: line, solver, limits: { nodes: 100_000 } }));
      const sum = answers.reduce((all, answer) => all + answer.nodes, 0);
      assert.equal(sum, Number(nodes.replaceAll(',', '')), `nodes of ${solver}`);
      assert.equal(answers.filter(({ outcome }) => outcome === 'solved').length, Number(solved), `solved by ${solver}`);
    }
  });

  test(`little memory is a limit with a bound, and the next question is answered (${kind})`, () => {
    const [hard] = corpus('records/records').filter(({ optimal }) => optimal === 25);
    // The engine may take less than the search is allowed to hold: the host runs out first.
    for (const options of [{ memoryMib: 8 }, { memoryMib: 512, maximumMib: 48 }]) {
      const ask = loadEngine(file, options);
      const answer = ask('solve', { puzzle: hard.line });
      assert.deepEqual([answer.outcome, answer.limit], ['limit', 'memory limit'], JSON.stringify(answer));
      assert.ok(answer.lower_bound > 5 && answer.lower_bound <= 25);
      assert.equal(ask('solve', { puzzle: '4x3..0012.R31' }).length, 3);
    }
  });

  test(`time is a limit (${kind})`, () => {
    const [hard] = corpus('records/records').filter(({ optimal }) => optimal === 25);
    const answer = loadEngine(file)('solve', { puzzle: hard.line, limits: { ms: 1 } });
    assert.deepEqual([answer.outcome, answer.limit], ['limit', 'time limit']);
    let looks = 0;
    const cancelled = loadEngine(file, { cancelled: () => (looks += 1) > 100 })('solve', { puzzle: hard.line });
    assert.equal(cancelled.outcome, 'limit');
  });

  test(`bad requests have the errors of the server (${kind})`, () => {
    const ask = loadEngine(file);
    assert.equal(ask('solve', { puzzle: 'what a lovely day' }).error.kind, 'unreadable');
    assert.equal(ask('sing', {}).error.kind, 'bad-request');
    assert.equal(ask('read', { text: 'ä'.repeat(1 << 20) }).error.kind, 'too-large');
    assert.equal(ask('solve', { puzzle: '4x3..0012.R31', solver: 'flagship:threads=4' }).length, 3);
    assert.equal(ask('solve', { puzzle: '4x3..0012.R31', solver: 'tablebase:threads=4' }).length, 3);
    assert.equal(ask('solve', { puzzle: '4x3..0012.R31', solver: 'tablebase:file=x' }).error.kind, 'unsupported');
  });

  test(`every question of the schema has an answer (${kind})`, () => {
    const ask = loadEngine(file);
    const puzzle = '4x3..0012.R31';
    assert.match(ask('draw', { puzzle, kind: 'svg', solution: true }).text, /^<svg/);
    for (const picture of ['png', 'gif', 'pdf']) {
      const answer = ask('draw', { puzzle, kind: picture, solution: true });
      // These are in a separate file.
      if (kind !== 'pictures') assert.equal(answer.error.kind, 'unsupported', picture);
      else assert.ok(answer.base64.length > 100, picture);
    }
    const captioned = ask('draw', { puzzle, kind: 'svg', caption: 'Übung' });
    if (kind !== 'pictures') assert.equal(captioned.error.kind, 'unsupported');
    else assert.match(captioned.text, /^<svg/);
    assert.equal(ask('all', { puzzle }).solutions > 0, true);
    assert.equal(ask('position', { puzzle }).distance, 3);
    assert.ok(ask('rate', { puzzle }).difficulty);
    assert.ok(ask('explain', { puzzle }).sentences ?? ask('explain', { puzzle }).steps ?? true);
    assert.ok(ask('daily', { date: '2026-11-17' }).puzzle);
    const [one, other] = [ask('generate', {}), ask('generate', {})];
    assert.notEqual(one.seed, other.seed, 'by lot');
    /** @type {any[]} */
    const heard = [];
    assert.ok(ask('compare', { puzzle }, (progress) => heard.push(progress)).rows.length > 5);
    assert.ok(heard.some(({ row }) => row));
  });
}

test('the engine for browsers was built', { skip: SITE ? false : 'needs a site: RICOCHET_SITE names its folder' }, () => {
  assert.ok(files.length > 0);
});
