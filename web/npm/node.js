// The engine for Node, in worker threads.

import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { startWith } from './start.js';

export { EngineError } from './engine/errors.js';

/** @param {import('./index.d.ts').EngineOptions} [options] */
export async function startEngine({ memoryMib = 512, files = {} } = {}) {
  const load = async (/** @type {string | URL} */ file) => WebAssembly.compile(await readFile(file));
  const inPackage = (/** @type {string} */ name) => new URL(`./wasm/${name}`, import.meta.url);
  // Every Node that this package supports has 128-bit vectors.
  const module = await load(files.simd ?? inPackage('ricochet.wasm'));
  return startWith(module, () => load(files.pictures ?? inPackage('ricochet-pictures.wasm')), {
    memoryMib,
    startWorker,
    sharesMemory: true,
  });
}

/** A thread with the interface of a Web Worker. It keeps the process alive only while it answers. */
function startWorker() {
  const thread = new Worker(new URL('./node-worker.js', import.meta.url));
  thread.unref();
  return {
    /** @param {'message' | 'error'} type @param {(event: any) => void} listener */
    addEventListener(type, listener) {
      thread.on(type, (value) => {
        if (type === 'error') {
          listener({ message: value.message, preventDefault() {} });
          return;
        }
        if (!value.startsWith('{"progress"')) thread.unref();
        listener({ data: value });
      });
    },
    /** @param {any} message */
    postMessage(message) {
      if (message.request) thread.ref();
      thread.postMessage(message);
    },
    terminate() {
      void thread.terminate();
    },
  };
}
