// The state of a traced search after any number of steps, and the questions about it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { algorithmOf, lineOf } from '../../public/watch/pseudocode.js';
import { Score, nextQuestion, questionAt } from '../../public/watch/quiz.js';
import { JUMPS, Run } from '../../public/watch/run.js';

/** A search of two depths on a board without walls, as the engine writes it. */
const EVENTS = /** @type {any[]} */ ([
  { number: 0, type: 'iteration', depth: 1 },
  { number: 1, type: 'generate', id: 0, g: 0, h: 1 },
  { number: 2, type: 'expand', id: 0, g: 0, h: 1 },
  { number: 3, type: 'generate', id: 1, parent: 0, g: 1, h: 1, move: 'RE', robots: { R: [3, 0] } },
  { number: 4, type: 'prune', id: 1, parent: 0, g: 1, h: 1, move: 'RE', robots: { R: [3, 0] }, reason: 'depth' },
  { number: 5, type: 'layer', depth: 1, nodes: 2, inner: 1, hits: 0 },
  { number: 6, type: 'iteration', depth: 2 },
  { number: 7, type: 'generate', id: 2, g: 0, h: 1 },
  { number: 8, type: 'expand', id: 2, g: 0, h: 1 },
  { number: 9, type: 'generate', id: 3, parent: 2, g: 1, h: 1, move: 'RE', robots: { R: [3, 0] } },
  { number: 10, type: 'expand', id: 3, parent: 2, g: 1, h: 1, move: 'RE', robots: { R: [3, 0] } },
  { number: 11, type: 'prune', parent: 3, move: 'RW', reason: 'reversal' },
  { number: 12, type: 'generate', id: 4, parent: 3, g: 2, h: 0, move: 'RS', robots: { R: [3, 3] } },
  { number: 13, type: 'solution', id: 4, parent: 3, g: 2, h: 0, move: 'RS', robots: { R: [3, 3] }, moves: ['RE', 'RS'] },
]);

function run() {
  const trace = /** @type {any} */ ({
    events: EVENTS, total: EVENTS.length, kept: EVENTS.length,
    puzzle: { width: 4, height: 4, robots: [[0, 0], [0, 3]] },
    counts: { iteration: 2, generate: 5, expand: 3, prune: 2, layer: 1, solution: 1 }, prunes: { depth: 1, reversal: 1 },
  });
  return new Run('iddfs:memo=off', trace);
}

test('going back is the same as never having been further', () => {
  const wandering = run();
  for (const at of [14, 3, 9, 0, 12, 11, 14, 5]) {
    wandering.goTo(at);
    const fresh = run();
    fresh.goTo(at);
    for (const key of /** @type {const} */ (['at', 'states', 'visits', 'counts', 'prunes', 'iteration', 'iterationNodes', 'lastHits', 'frontier', 'waiting', 'deepest', 'configurations'])) {
      assert.deepEqual(wandering[key], fresh[key], `${key} at ${at}`);
    }
  }
  wandering.goTo(1e9);
  assert.equal(wandering.at, EVENTS.length);
});

test('at the end, the counts are those of the header', () => {
  const one = run();
  one.goTo(one.length);
  assert.deepEqual(one.counts, one.trace.counts);
  assert.deepEqual(one.prunes, one.trace.prunes);
  assert.deepEqual(one.path(one.node), ['RE', 'RS']);
  assert.deepEqual(one.node?.robots, [[3, 3], [0, 3]]);
  assert.equal(one.visits[3 * 4 + 3], 1);
  assert.equal(one.visits[3], 2);
  assert.equal(one.nodesMade, 5);
  assert.equal(one.atNodes(3), 8);
});

test('a move that is not made is about the node it would leave', () => {
  const one = run();
  one.goTo(12);
  assert.equal(one.node?.id, 3);
  assert.equal(one.states.get(3), 'expanded');
});

test('jumps lead to the next of a kind and back', () => {
  const one = run();
  assert.equal(one.find(JUMPS.prune), 5);
  one.goTo(5);
  assert.equal(one.find(JUMPS.prune), 12);
  assert.equal(one.find(JUMPS.solution), 14);
  one.goTo(14);
  assert.equal(one.find(JUMPS.prune), null);
  assert.equal(one.find(JUMPS.iteration, -1), 7);
});

test('questions are about what comes, and are answered by what comes', () => {
  const one = run();
  const at = nextQuestion(one);
  assert.equal(at, 2);
  assert.equal(one.at, 0, 'looking ahead changes nothing');
  let asked = 0;
  const score = new Score();
  for (let step = 0; step < one.length; step += 1) {
    one.goTo(step);
    const question = questionAt(one);
    if (!question) continue;
    asked += 1;
    assert.ok(question.options.includes(question.answer) && question.options.length > 1);
    const next = one.events[step];
    if (question.kind === 'robot') assert.equal(question.answer, next.move?.[0]);
    else if (question.kind === 'move') assert.equal(question.answer, next.type === 'prune' ? next.reason : 'made');
    else assert.equal(question.answer, next.type === 'prune' ? next.reason : next.type);
    score.count(question, question.options[0]);
  }
  assert.ok(asked >= 5, `${asked}`);
  assert.equal(score.asked, asked);
});

test('every event of an algorithm has a line of its pseudocode', () => {
  for (const event of EVENTS) assert.ok(lineOf(algorithmOf('iddfs'), event) >= 0, event.type);
  for (const solver of ['iddfs', 'naive', 'bfs', 'dfs', 'graph-v1', 'stateless', 'setup-bfs', 'flagship']) {
    const { lines, at } = algorithmOf(solver);
    for (const [type, line] of Object.entries(at)) assert.ok(line < lines.length, `${solver} ${type}`);
  }
});
