// The page's rules against the Rust rules: every slide and a line of moves of 10,000
// positions, made afresh each time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMove, parseMove, replay, slideRobot } from '../../public/board/rules.js';
import { exampleLines } from '../tools/examples.mjs';

const POSITIONS = 10_000;

test('ten thousand positions of the Rust rules', async () => {
  const seen = { positions: 0, slides: 0, moves: 0, turned: 0, rings: 0, solved: 0 };
  for await (const line of exampleLines('ricochet-core', 'replays', POSITIONS)) {
    const record = JSON.parse(line);
    const view = {
      ...record, line: null, id: null, optimal: null, layout: null, targets: [], problems: [],
      rules: { must_ricochet: record.must_ricochet },
    };
    seen.positions += 1;
    for (const [move, path, stop] of record.slides) {
      const parsed = parseMove(move);
      assert.ok(parsed);
      const slide = slideRobot(view, view.robots, parsed.robot, parsed.direction);
      const kind = slide.stoppedBy.kind === 'rim' ? 'wall' : slide.stoppedBy.kind;
      assert.deepEqual([isMove(slide) ? slide.path : [], kind], [path, stop], `${move} of ${line}`);
      seen.slides += 1;
      if (new Set(path.map((/** @type {number[]} */ [x]) => x)).size > 1 && new Set(path.map((/** @type {number[]} */ [, y]) => y)).size > 1) seen.turned += 1;
      if (stop === 'nothing') seen.rings += 1;
    }
    const played = replay(view, record.moves);
    assert.equal(played.failed, null, line);
    assert.deepEqual([played.robots, played.solved], [record.end, record.solved], line);
    seen.moves += record.moves.length;
    if (record.solved) seen.solved += 1;
  }
  assert.equal(seen.positions, POSITIONS);
  // The positions contain what they are meant to test.
  assert.ok(seen.turned > 1000 && seen.rings > 10 && seen.solved > 100, JSON.stringify(seen));
});

test('a move that is none ends a line', () => {
  /** @type {import('../../types/page.d.ts').View} */
  const view = {
    line: null, id: null, optimal: null, layout: null, targets: [], problems: [], diagonals: [],
    width: 2, height: 1, walls: [13, 7], robots: [[0, 0]], goal: { robot: 'R', cell: [1, 0] }, rules: { must_ricochet: false },
  };
  assert.deepEqual(replay(view, ['RE', 'RN', 'RW']).failed, { number: 1, move: 'RN' });
  assert.deepEqual(replay(view, ['GE']).failed, { number: 0, move: 'GE' });
  assert.equal(replay(view, ['RE']).solved, true);
});
