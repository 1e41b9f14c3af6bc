// Starts the program's own server for the tests.
import { spawn } from 'node:child_process';
import path from 'node:path';
import readline from 'node:readline';
import fs from 'node:fs';
import os from 'node:os';
import { ROOT } from './paths.mjs';

/** @typedef {{url: string, stop: () => Promise<void>}} Server */

/**
 * `RICOCHET_SERVER` names a server that runs already; otherwise the debug build is started on a free
 * port with a data directory of its own.
 * @returns {Promise<Server>}
 */
export async function startServer() {
  const running = process.env.RICOCHET_SERVER;
  if (running) return { url: running, stop: async () => {} };
  const program = process.env.RICOCHET ?? path.join(ROOT, 'target', 'debug', 'ricochet');
  const data = fs.mkdtempSync(path.join(os.tmpdir(), 'ricochet-page-'));
  const env = { ...process.env, XDG_DATA_HOME: data };
  const child = spawn(program, ['serve', '--port', '0'], { stdio: ['ignore', 'pipe', 'pipe'], env });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const said = /** @type {string[]} */ ([]);
  const url = await new Promise((resolve, reject) => {
    const look = (/** @type {string} */ line) => {
      said.push(line);
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(line);
      if (found) resolve(found[0]);
    };
    readline.createInterface({ input: child.stdout }).on('line', look);
    readline.createInterface({ input: child.stderr }).on('line', look);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${said.join('\n')}`)));
  });
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      fs.rmSync(data, { recursive: true, force: true });
    },
  };
}

/** Asks the server a question, beside the page. @param {Server} server @param {string} question @param {object} fields */
export async function askServer(server, question, fields) {
  const response = await fetch(`${server.url}/api/v1/${question}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  });
  return response.json();
}
