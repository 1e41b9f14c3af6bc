// Lines that an example of a Rust crate prints.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import readline from 'node:readline';
import { ROOT } from './paths.mjs';

/** @param {string} crate @param {string} name @param {number} count its argument */
export async function* exampleLines(crate, name, count) {
  const cargo = spawn('cargo', ['run', '--quiet', '--package', crate, '--example', name, '--', String(count)], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => cargo.once('exit', resolve));
  yield* readline.createInterface({ input: cargo.stdout });
  assert.equal(await ended, 0);
}
