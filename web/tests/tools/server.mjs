// Starts what delivers the page for the tests: the program's own server, or a plain file server.
import { spawn } from 'node:child_process';
import path from 'node:path';
import readline from 'node:readline';
import fs from 'node:fs';
import os from 'node:os';
import { serveFolder } from './file-server.mjs';
import { ROOT } from './paths.mjs';
import { builtFiles, loadEngine } from './wasm.mjs';

/**
 * @typedef {object} Server
 * @property {string} url
 * @property {() => Promise<void>} stop
 * @property {(question: string, fields: object) => any} [ask] where no server answers
 */

/** `RICOCHET_SITE` names a folder of `./site.sh`: the page is then tested without a server. */
export const SITE = process.env.RICOCHET_SITE;

/** For tests of what only a server does. */
export const needsServer = { skip: SITE ? 'there is no server' : false };

/**
 * `RICOCHET_SERVER` names a server that runs already; otherwise the debug build is started on a free
 * port with a data directory of its own.
 * @returns {Promise<Server>}
 */
export async function startServer() {
  if (SITE) return startSite(SITE);
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

/** The static site in a folder of a host that knows nothing but files. @param {string} folder @returns {Promise<Server>} */
async function startSite(folder) {
  const { simd, portable } = builtFiles();
  return { ...(await serveFolder(folder, '/some/where')), ask: loadEngine(simd ?? portable) };
}

/** Asks the server a question, independently of the page. @param {Server} server @param {string} question @param {object} fields */
export async function askServer(server, question, fields) {
  if (server.ask) return server.ask(question, fields);
  const response = await fetch(`${server.url}/api/v1/${question}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  });
  return response.json();
}
