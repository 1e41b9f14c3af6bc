// A server that can be killed and restarted with its data, at the same address.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { ROOT } from './paths.mjs';

/** @typedef {import('./server.mjs').Server & {kill: () => Promise<void>, terminate: () => Promise<void>, start: () => Promise<void>}} RestartableServer */

/** A free port. @returns {Promise<number>} */
export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = /** @type {net.AddressInfo} */ (probe.address());
      probe.close(() => resolve(address.port));
    });
  });
}

/** @param {number} [wanted] the port; any free one otherwise @param {string[]} [more] options of the server @returns {Promise<RestartableServer>} */
export async function startRestartable(wanted, more = []) {
  const program = process.env.RICOCHET ?? path.join(ROOT, 'target', 'debug', 'ricochet');
  const data = fs.mkdtempSync(path.join(os.tmpdir(), 'ricochet-rooms-'));
  const port = wanted ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  /** @type {import('node:child_process').ChildProcess | null} */
  let child = null;
  /** @param {NodeJS.Signals} signal */
  const end = async (signal) => {
    const ended = child && new Promise((resolve) => child?.once('exit', resolve));
    child?.kill(signal);
    await ended;
    child = null;
  };
  const start = async () => {
    child = spawn(program, ['serve', '--port', String(port), ...more], { stdio: 'ignore', env: { ...process.env, XDG_DATA_HOME: data } });
    for (;;) {
      if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
      const answers = await fetch(`${url}/api/v1/solvers`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }).catch(() => null);
      if (answers) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  await start();
  return {
    url,
    start,
    kill: () => end('SIGKILL'),
    /** As systemd ends it before an upgrade. */
    terminate: () => end('SIGTERM'),
    stop: async () => {
      await end('SIGTERM');
      fs.rmSync(data, { recursive: true, force: true });
    },
  };
}
