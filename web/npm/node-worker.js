// Runs the worker of the page in a thread of Node.

import { parentPort } from 'node:worker_threads';

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
Object.assign(globalThis, {
  self: {
    /** @param {string} type @param {(event: {data: any}) => void} listener */
    addEventListener: (type, listener) => port.on(type, (data) => listener({ data })),
    /** @param {any} message */
    postMessage: (message) => port.postMessage(message),
  },
});
await import('./engine/worker-script.js');
