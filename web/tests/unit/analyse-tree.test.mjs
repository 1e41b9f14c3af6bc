// The tree of variations, without a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tree } from '../../public/analyse/tree.js';

/** An empty board of 8 by 8 with two robots. @returns {import('../../types/page.d.ts').View} */
const view = () => ({
  line: '8x8..0012.R77', id: null, optimal: null, layout: null, width: 8, height: 8,
  walls: Array.from({ length: 64 }, (_, i) => (i < 8 ? 1 : 0) | (i % 8 === 7 ? 2 : 0) | (i >= 56 ? 4 : 0) | (i % 8 === 0 ? 8 : 0)),
  diagonals: [], targets: [], robots: [[0, 0], [1, 2]], goal: { robot: 'R', cell: [7, 7] },
  rules: { must_ricochet: false }, problems: [],
});

test('a new move branches, an old one is found again, and what is no move is refused', () => {
  const tree = new Tree(view());
  const east = tree.add(tree.root, 'RE');
  assert.ok(east);
  assert.equal(tree.add(tree.root, 'RE'), east);
  assert.equal(tree.add(tree.root, 're'), east);
  const south = tree.add(tree.root, 'RS');
  assert.deepEqual(tree.root.children, [east, south]);
  assert.equal(tree.add(tree.root, 'RN'), null);
  assert.equal(tree.add(tree.root, 'XX'), null);
  assert.equal(tree.add(tree.root, 'YN'), null);
});

test('the end of a line is solved, and its moves are those that led there', () => {
  const tree = new Tree(view());
  const end = tree.addAll(tree.root, ['RE', 'RS']);
  assert.equal(end.solved, true);
  assert.deepEqual(tree.moves(end), ['RE', 'RS']);
  assert.deepEqual(end.robots, [[7, 7], [1, 2]]);
  assert.equal(tree.addAll(tree.root, ['RE', 'RE', 'RS']), tree.child(tree.root, 'RE'), 'as far as they are moves');
});

test('variations are walked, promoted and removed', () => {
  const tree = new Tree(view());
  const main = tree.addAll(tree.root, ['RE', 'RS']);
  const other = tree.addAll(tree.root, ['RS', 'RE']);
  const first = /** @type {any} */ (tree.child(tree.root, 'RE'));
  assert.equal(tree.sibling(first, 1), tree.child(tree.root, 'RS'));
  assert.equal(tree.sibling(first, -1), null);
  assert.equal(tree.end(tree.root), main);
  tree.promote(other);
  assert.equal(tree.end(tree.root), other);
  const size = tree.nodes.size;
  assert.equal(tree.remove(first), tree.root);
  assert.equal(tree.nodes.size, size - 2);
  assert.equal(tree.remove(tree.root), tree.root, 'the root stays');
});

test('what is kept comes back, and nonsense in the store is passed over', () => {
  const tree = new Tree(view());
  tree.addAll(tree.root, ['RE', 'RS']);
  tree.addAll(tree.root, ['RE', 'GN', 'GW']);
  tree.root.marks = [{ from: [0, 0], to: [3, 0], color: '1' }];
  const again = new Tree(view());
  again.restore(JSON.parse(JSON.stringify(tree.save())));
  assert.deepEqual(again.save(), tree.save());
  for (const odd of [null, 7, 'x', { moves: 3 }, { moves: [['RE'], [null], [['RE']], ['QQ', []]] }, { marks: [1, { from: [0] }] }]) {
    const fresh = new Tree(view());
    fresh.restore(odd);
    assert.ok(fresh.nodes.size <= 2);
    assert.deepEqual(fresh.root.marks, []);
  }
});
