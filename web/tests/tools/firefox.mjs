// A real Firefox over WebDriver BiDi, which it speaks itself: no driver is needed.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';

/** Node has a WebSocket of its own only from version 22 on. */
const { ws: Socket } = createRequire(import.meta.url)('playwright-core/lib/utilsBundle');

/** Debian's Firefox, or the one that FIREFOX names; null if there is none. */
export const FIREFOX = [process.env.FIREFOX, '/usr/bin/firefox-esr', '/usr/bin/firefox'].find((one) => one && fs.existsSync(one)) ?? null;

/** @typedef {{open: (url: string) => Promise<void>, run: (code: string) => Promise<any>, until: (code: string) => Promise<void>, keys: (keys: string[]) => Promise<void>, tap: (selector: string) => Promise<void>, complaints: string[], stop: () => Promise<void>}} Firefox */

/** @param {{width: number, height: number}} size @returns {Promise<Firefox>} */
export async function startFirefox({ width, height }) {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'ricochet-firefox-'));
  const flags = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0', '--window-size', `${width},${height}`];
  const child = spawn(/** @type {string} */ (FIREFOX), flags, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, HOME: profile } });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const url = await new Promise((resolve, reject) => {
    readline.createInterface({ input: child.stderr }).on('line', (line) => {
      const found = /WebDriver BiDi listening on (ws:\S+)/.exec(line);
      if (found) resolve(`${found[1]}/session`);
    });
    child.once('exit', (code) => reject(new Error(`Firefox ended with ${code}`)));
  });
  const socket = new Socket(url);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error('no connection to Firefox'));
  });
  let sent = 0;
  /** @type {Map<number, (message: any) => void>} */
  const waiting = new Map();
  /** @type {string[]} */
  const complaints = [];
  socket.onmessage = (/** @type {{data: unknown}} */ { data }) => {
    const message = JSON.parse(String(data));
    waiting.get(message.id)?.(message);
    if (message.method !== 'log.entryAdded' || !['error', 'warn'].includes(message.params.level)) return;
    // Leaving a page aborts the fetch of an engine, if one was built; the page warns and goes on without it.
    if (message.params.stackTrace?.callFrames[0]?.functionName === 'loadEngine') return;
    complaints.push(message.params.text);
  };
  const send = (/** @type {string} */ method, /** @type {object} */ params) =>
    new Promise((resolve, reject) => {
      sent += 1;
      waiting.set(sent, (message) => (message.type === 'error' ? reject(new Error(`${method}: ${message.message}`)) : resolve(message.result)));
      socket.send(JSON.stringify({ id: sent, method, params }));
    });
  await send('session.new', { capabilities: {} });
  await send('session.subscribe', { events: ['log.entryAdded'] });
  const { contexts } = await send('browsingContext.getTree', {});
  const { context } = contexts[0];
  await send('browsingContext.setViewport', { context, viewport: { width, height } });
  const run = async (/** @type {string} */ code) => {
    const { result, exceptionDetails } = await send('script.evaluate', { expression: `(async () => JSON.stringify((await (${code})) ?? null))()`, target: { context }, awaitPromise: true });
    if (exceptionDetails) throw new Error(`${code}: ${exceptionDetails.text}`);
    return JSON.parse(result.value);
  };
  return {
    complaints,
    run,
    open: async (address) => {
      await send('browsingContext.navigate', { context, url: address, wait: 'complete' });
    },
    until: async (code) => {
      const end = Date.now() + 30_000;
      while (!(await run(code))) {
        if (Date.now() > end) throw new Error(`in vain: ${code}\n${await run('document.body.innerText')}`);
        await new Promise((resolve) => setTimeout(resolve, 60));
      }
    },
    keys: async (keys) => {
      const actions = keys.flatMap((value) => [{ type: 'keyDown', value }, { type: 'keyUp', value }]);
      await send('input.performActions', { context, actions: [{ type: 'key', id: 'keyboard', actions }] });
    },
    tap: async (selector) => {
      const { x, y } = await run(`(() => { const element = document.querySelector(${JSON.stringify(selector)}); element.scrollIntoView({ block: 'nearest', behavior: 'instant' }); const { left, top, width, height } = element.getBoundingClientRect(); return { x: Math.round(left + width / 2), y: Math.round(top + height / 2) }; })()`);
      const actions = [{ type: 'pointerMove', x, y }, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }];
      await send('input.performActions', { context, actions: [{ type: 'pointer', id: 'finger', parameters: { pointerType: 'touch' }, actions }] });
    },
    stop: async () => {
      socket.close();
      child.kill();
      await ended;
      fs.rmSync(profile, { recursive: true, force: true });
    },
  };
}
