// Several processes behind a proxy, with the very configuration of docs/serve: a room that is opened
// through the proxy lives on the process that its name says, and all visitors are routed there.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { freePort, startRestartable } from '../tools/restartable-server.mjs';
import { ROOT } from '../tools/paths.mjs';
import { waitForAnnouncement, usePlayers } from '../tools/players.mjs';
import { bid, linkOf, roundBegins } from '../tools/rooms.mjs';

/** @import {RestartableServer} from '../tools/restartable-server.mjs' */

// Debian puts it where only root looks.
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` };
const skip = spawnSync('nginx', ['-v'], { env }).error ? 'nginx is not there' : false;

const people = usePlayers({ ownServer: true });
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ricochet-proxy-'));
/** @type {Record<string, RestartableServer>} */
const processes = {};
/** @type {import('node:child_process').ChildProcess | null} */
let nginx = null;
let proxy = '';

before(async () => {
  if (skip) return;
  const ports = [await freePort(), await freePort()];
  for (const [i, prefix] of ['a', 'b'].entries()) {
    processes[prefix] = await startRestartable(ports[i], ['--room-prefix', prefix, '--room-peer', `127.0.0.1:${ports[1 - i]}`, '--behind-proxy']);
  }
  const port = await freePort();
  const config = fs
    .readFileSync(path.join(ROOT, 'docs', 'serve', 'nginx.conf'), 'utf8')
    .replaceAll('8021', String(ports[0]))
    .replaceAll('8022', String(ports[1]))
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('/run/nginx.pid', path.join(folder, 'nginx.pid'))
    // Not as root, and nothing outside of the folder.
    .replace('http {', ['http {', ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`), `access_log ${folder}/access.log;`].join('\n'));
  const file = path.join(folder, 'nginx.conf');
  fs.writeFileSync(file, config);
  nginx = spawn('nginx', ['-p', folder, '-c', file, '-e', `${folder}/error.log`, '-g', 'daemon off;'], { env, stdio: 'ignore' });
  proxy = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${proxy}/healthz`).catch(() => null))?.ok) {
    if (nginx.exitCode !== null) throw new Error(fs.readFileSync(`${folder}/error.log`, 'utf8'));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
});
after(async () => {
  const ended = nginx && new Promise((resolve) => nginx?.once('exit', resolve));
  nginx?.kill('SIGTERM');
  await ended;
  for (const one of Object.values(processes)) await one.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});
afterEach(() => people.closeAll());

/** @param {string} base @param {string} name @param {object} [body] */
async function call(base, name, body) {
  const response = await fetch(`${base}/api/v1/${name}`, body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  return { status: response.status, told: await response.json() };
}

/** Opens a room through the proxy. @param {string} localAddress @returns {Promise<{room: string}>} */
function openFrom(localAddress) {
  return new Promise((resolve, reject) => {
    const request = http.request(`${proxy}/api/v1/rooms`, { method: 'POST', localAddress, headers: { 'content-type': 'application/json' } }, (response) => {
      let text = '';
      response.on('data', (part) => (text += part));
      response.on('end', () => resolve(JSON.parse(text)));
    });
    request.on('error', reject);
    request.end(JSON.stringify({ options: { private: true } }));
  });
}

test('a room that is opened through the proxy lives on the process of its name, and stays there', { skip }, async () => {
  const counts = { a: 0, b: 0 };
  for (let i = 1; i <= 16; i += 1) {
    // Clients of many addresses: the proxy spreads them, so both processes open rooms.
    const told = await openFrom(`127.0.0.${i}`);
    const prefix = /** @type {'a' | 'b'} */ (told.room[0]);
    counts[prefix] += 1;
    assert.equal((await call(processes[prefix].url, `rooms/${told.room}`)).status, 200);
    assert.equal((await call(processes[prefix === 'a' ? 'b' : 'a'].url, `rooms/${told.room}`)).status, 404);
    for (let again = 0; again < 3; again += 1) assert.equal((await call(proxy, `rooms/${told.room}`)).status, 200);
    const { status, told: seat } = await call(proxy, `rooms/${told.room}/seats`, { name: 'Ada' });
    assert.equal(status, 201);
    assert.equal((await call(proxy, `rooms/${told.room}/seats`, { name: 'Ben' })).told.player, seat.player + 1, 'the same room');
  }
  assert.ok(counts.a && counts.b, JSON.stringify(counts));
});

test('two browsers play through the proxy in a room of either process, both lobbies list it, and it outlives its process', { skip }, async () => {
  const GONE = ['WebSocket connection', 'Failed to load resource'];
  for (const prefix of ['a', 'b']) {
    const { told } = await call(processes[prefix].url, 'rooms', { options: { sand_ms: 30_000 } });
    const guests = [];
    for (const name of ['Ada', 'Ben']) {
      const page = await people.openPage(`${proxy}${told.link}`, { mayComplain: GONE });
      await page.locator('#join-name').fill(name);
      await page.getByRole('button', { name: 'Take a seat' }).click();
      await page.locator('.seat[data-you="yes"]', { hasText: name }).waitFor();
      guests.push(page);
    }
    const [ada, ben] = guests;
    assert.ok((await linkOf(ada)).startsWith(proxy), 'the invitation names the proxy');
    await ada.getByRole('button', { name: 'Start the game' }).click();
    for (const page of guests) await roundBegins(page, 1);
    await bid(ada, 9);
    await waitForAnnouncement(ben, /Ada bids 9/);
    for (const base of [processes.a.url, processes.b.url, proxy]) {
      const { rooms } = (await call(base, 'rooms')).told;
      assert.ok(rooms.some((/** @type {any} */ { room }) => room === told.room), `${base} lists ${told.room}`);
    }
    // The other process does not notice; the page waits, and is in its room again.
    await processes[prefix].kill();
    await ada.locator('.lost', { hasText: 'Connection lost' }).waitFor();
    assert.equal((await call(processes[prefix === 'a' ? 'b' : 'a'].url, 'rooms')).status, 200);
    await processes[prefix].start();
    for (const page of guests) await page.locator('.strip[data-connection="open"]').waitFor();
    await bid(ben, 8);
    await waitForAnnouncement(ada, /Ben bids 8/);
  }
});
