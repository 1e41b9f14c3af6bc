// The numbers of the chapters are those of the sources and of our records, and what their figures compute.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { ABLATION, BRUTE_FORCE, HIT_RATES, HIT_RATES_TOTAL, REPORT_ROUNDS, SLIDES_ROWS } from '../../public/read/numbers.js';
import { ROOT } from '../tools/paths.mjs';

/** @param {string} file */
const json = (file) => JSON.parse(fs.readFileSync(path.join(ROOT, file), 'utf8'));

/** The rows of a table in `records/`, by the names of its columns. @param {string} file @returns {Record<string, string>[]} */
function csv(file) {
  const [head, ...rows] = fs.readFileSync(path.join(ROOT, 'records', file), 'utf8').trim().split('\n').map((line) => [...line.matchAll(/"([^"]*)"|([^,]+)|(?<=,)(?=,|$)/g)].map((part) => part[1] ?? part[2] ?? ''));
  return rows.map((row) => Object.fromEntries(head.map((name, at) => [name, row[at]])));
}

/** Percent with two digits, as the chapters have them. @param {string} share */
const percent = (share) => Math.round(Number(share) * 1e4) / 100;

test('the slides: iterations, positions without pruning, seconds', () => {
  const slides = json('corpus/reference/slides.json');
  assert.deepEqual(SLIDES_ROWS, slides.iddfs_depth_table.map((/** @type {any} */ row) => [row.depth, row.nodes, row.inner, row.hits]));
  assert.deepEqual(BRUTE_FORCE, Object.values(slides.brute_force_nodes_by_depth));
  const counted = csv('2026-11-16-lab-slides/tables/brute-force.csv');
  assert.deepEqual(BRUTE_FORCE, counted.map(({ positions }) => Number(positions)));
  const claims = slides.slide_claims;
  assert.deepEqual(Object.values(ABLATION).map((one) => one.slides), [claims.memo_only_seconds, claims.sorted_key_seconds, claims.with_bound_seconds]);
  const rows = csv('2026-11-16-lab-slides/tables/ablation.csv');
  for (const [solver, { seconds, nodes }] of Object.entries(ABLATION)) {
    const row = rows.find((one) => one.solver === solver);
    assert.ok(row, solver);
    assert.equal(nodes, Number(row.nodes));
    assert.equal(seconds, Math.round(Number(row.time) / 1e5) / 10);
  }
});

test('the thesis: hit rates by length and in all', () => {
  const thesis = json('corpus/reference/thesis.json');
  const rows = csv('2026-11-16-lab-thesis-160000/tables/hit-rate-by-moves.csv');
  assert.deepEqual(HIT_RATES.graph.published, thesis.hitrate_percent.graph);
  assert.deepEqual(HIT_RATES.claims.published, thesis.hitrate_percent.stateless);
  assert.deepEqual(HIT_RATES.positions, rows.map(({ positions }) => Number(positions)));
  for (const [ours, solver] of /** @type {const} */ ([[HIT_RATES.graph.ours, 'graph-v2'], [HIT_RATES.claims.ours, 'stateless:published=on'], [HIT_RATES.played.ours, 'stateless']])) {
    assert.deepEqual(ours, rows.map((row) => percent(row[solver])), solver);
  }
  const total = csv('2026-11-16-lab-thesis-160000/tables/hit-rate-total.csv');
  const right = (/** @type {string} */ solver, /** @type {string} */ column) => percent(total.find((row) => row.solver === solver)?.[column] ?? '');
  assert.deepEqual(HIT_RATES_TOTAL, {
    graph: { published: thesis.total_hitrate_percent.graph, ours: right('graph-v2', 'hit rate') },
    claims: { published: thesis.total_hitrate_percent.stateless, ours: right('stateless:published=on', 'claims right') },
    played: { ours: right('stateless', 'hit rate') },
  });
});

test('the report: rounds solved', () => {
  const report = json('corpus/reference/ai-in-games.json');
  const sets = [1, 2, 3].map((n) => csv(`2026-11-16-lab-ai-in-games/tables/set-${n}.csv`));
  assert.equal(REPORT_ROUNDS.length, report.parameter_sets[0].results.length);
  for (const [at, { solver, published, ours }] of REPORT_ROUNDS.entries()) {
    assert.deepEqual(published, report.parameter_sets.map((/** @type {any} */ set) => set.results[at].solved), solver);
    assert.deepEqual(ours, sets.map((rows) => Number(rows.find((row) => row.algorithm === solver)?.solved)), solver);
  }
});
