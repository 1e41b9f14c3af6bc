// The editor's positions, without a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cycleDiagonal, emptyDraft, moveRobot, moveToBoard, resize, setGoal, togglePrinted, toggleWall, withRobots } from '../../public/edit/draft.js';
import { History } from '../../public/edit/history.js';
import { hasWall, sameCell } from '../../public/board/rules.js';

/** Every wall stands on both sides of its edge, and the rim is closed. @param {import('../../types/page.d.ts').View} view */
function assertWalls(view) {
  for (let y = 0; y < view.height; y += 1) {
    for (let x = 0; x < view.width; x += 1) {
      assert.equal(hasWall(view, [x, y], 'E'), x + 1 === view.width || hasWall(view, [x + 1, y], 'W'), `${x},${y}`);
      assert.equal(hasWall(view, [x, y], 'S'), y + 1 === view.height || hasWall(view, [x, y + 1], 'N'), `${x},${y}`);
      if (x === 0) assert.ok(hasWall(view, [x, y], 'W'));
      if (y === 0) assert.ok(hasWall(view, [x, y], 'N'));
    }
  }
}

test('walls stand on both sides, the rim stays, and a second time takes them away', () => {
  const empty = emptyDraft(5, 4, 2);
  assertWalls(empty);
  const wall = toggleWall(empty, [2, 1], 'E');
  assertWalls(wall);
  assert.ok(hasWall(wall, [3, 1], 'W'));
  assert.deepEqual(toggleWall(wall, [3, 1], 'W').walls, empty.walls);
  assert.equal(toggleWall(empty, [0, 0], 'N'), empty, 'the rim');
});

test('another size keeps what lies inside and draws a new rim', () => {
  const draft = toggleWall(emptyDraft(6, 6, 3), [1, 1], 'S');
  for (const [width, height] of [[9, 3], [3, 9], [2, 2], [32, 32], [6, 6]]) {
    const next = resize(draft, width, height);
    assertWalls(next);
    assert.equal(next.walls.length, width * height);
    assert.ok(next.robots.every(([x, y]) => x < width && y < height));
    assert.equal(new Set(next.robots.map(String)).size, next.robots.length);
    assert.ok(next.goal.cell[0] < width && next.goal.cell[1] < height);
  }
  assert.ok(hasWall(resize(draft, 9, 9), [1, 1], 'S'));
});

test('robots never share a cell, and the goal never names a robot that is gone', () => {
  const draft = emptyDraft(4, 4, 4);
  const swapped = moveRobot(draft, 0, draft.robots[1]);
  assert.deepEqual(swapped.robots.slice(0, 2), [draft.robots[1], draft.robots[0]]);
  const eight = withRobots(draft, 8);
  assert.equal(new Set(eight.robots.map(String)).size, 8);
  const few = withRobots({ ...eight, goal: { robot: 'C', cell: [3, 3] } }, 2);
  assert.equal(few.goal.robot, 'R');
});

test('a printed target brings its robot along; diagonals go round', () => {
  let draft = togglePrinted(emptyDraft(6, 6, 4), [2, 2], 'G', 'hexagon');
  draft = setGoal(draft, [2, 2]);
  assert.deepEqual(draft.goal, { robot: 'G', cell: [2, 2] });
  assert.equal(togglePrinted(draft, [2, 2], 'G', 'hexagon').targets.length, 0);
  assert.equal(togglePrinted(draft, [2, 2], 'B', 'circle').targets[0].robot, 'B');
  const leans = [];
  for (let i = 0; i < 3; i += 1) {
    draft = cycleDiagonal(draft, [1, 1], 0);
    leans.push(draft.diagonals[0]?.[2]);
  }
  assert.deepEqual(leans, ['/', '\\', undefined]);
});

test('another board keeps the goal where the same target is printed', () => {
  const draft = setGoal(togglePrinted(emptyDraft(6, 6, 2), [2, 2], 'G', 'hexagon'), [2, 2]);
  const board = togglePrinted(emptyDraft(6, 6, 4), [4, 1], 'G', 'hexagon');
  const next = moveToBoard(draft, board);
  assert.ok(sameCell(next.goal.cell, [4, 1]));
  assert.deepEqual(next.robots, draft.robots);
});

test('history goes back and forth, and a change forgets what was undone', () => {
  const history = new History(emptyDraft(4, 4, 1));
  const [first] = history.list;
  history.add(moveRobot(first, 0, [2, 2]));
  assert.ok(history.go(-1));
  assert.equal(history.current, first);
  assert.ok(!history.go(-1));
  history.add(moveRobot(first, 0, [1, 1]));
  assert.ok(!history.go(1));
});
