// How fast the engine for browsers is compared with the same code for this machine, puzzle by puzzle in one
// run; and how large its files are.
//
//   cargo build --release -p ricochet-wasm --example answers
//   node web/tools/measure-engine.mjs [ROUNDS] > rows.csv
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import zlib from 'node:zlib';
import { ROOT, PAGE } from '../tests/tools/paths.mjs';
import { builtFiles, corpus, loadEngine } from '../tests/tools/wasm.mjs';

const rounds = Number(process.argv[2] ?? 3);
const program = process.env.RICOCHET_ANSWERS ?? path.join(ROOT, 'target', 'release', 'examples', 'answers');
const child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] });
const lines = readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]();

/** @param {string} puzzle @returns {Promise<any>} */
async function native(puzzle) {
  child.stdin.write(`${JSON.stringify({ ask: 'solve', puzzle })}\n`);
  return JSON.parse((await lines.next()).value).answer;
}

const engines = Object.entries(builtFiles()).map(([kind, file]) => {
  const ask = loadEngine(file, { memoryMib: 1024 });
  return { kind, ask: async (/** @type {string} */ puzzle) => ask('solve', { puzzle }) };
});
const all = [{ kind: 'native', ask: native }, ...engines];

const sets = {
  random: corpus('official/random').filter((_, number) => number % 5 === 0),
  '12 to 16 moves': corpus('official/by-length').filter(({ optimal }, number) => optimal >= 12 && optimal <= 16 && number % 5 === 0),
};

console.log('set,puzzle,moves,engine,round,micros');
/** @type {Record<string, Record<string, number>>} */
const sums = {};
for (const [set, puzzles] of Object.entries(sets)) {
  sums[set] = Object.fromEntries(all.map(({ kind }) => [kind, 0]));
  for (const { id, line, optimal } of puzzles) {
    /** @type {Record<string, number>} */
    const best = {};
    for (let round = 0; round < rounds; round += 1) {
      for (const { kind, ask } of all) {
        const { micros, length } = await ask(line);
        if (length !== optimal) throw new Error(`${kind} on ${id}: ${length} instead of ${optimal}`);
        best[kind] = Math.min(best[kind] ?? Infinity, micros);
        console.log([set, id, optimal, kind, round, micros].join(','));
      }
    }
    for (const [kind, micros] of Object.entries(best)) sums[set][kind] += micros;
  }
}
child.stdin.end();

for (const [set, times] of Object.entries(sums)) {
  for (const [kind, micros] of Object.entries(times)) {
    console.error(`${set}: ${kind} ${(micros / 1000).toFixed(1)} ms, ${(micros / times.native).toFixed(2)} × native`);
  }
}
for (const [kind, file] of Object.entries(builtFiles())) {
  const bytes = fs.readFileSync(path.join(PAGE, 'wasm', file));
  const packed = zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 11, [zlib.constants.BROTLI_PARAM_LGWIN]: 24 } });
  console.error(`${kind}: ${bytes.length} bytes, ${packed.length} with brotli`);
}
