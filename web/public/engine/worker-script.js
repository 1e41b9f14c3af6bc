// Runs in a worker: gets the compiled engine once, then one request after the other.

import { WasmEngine } from './wasm.js';

/** @type {WasmEngine | null} */
let engine = null;

self.addEventListener('message', ({ data }) => {
  if (data.module) {
    /** Set by the page to cancel. @type {Int32Array | null} */
    const flag = data.flag ? new Int32Array(data.flag) : null;
    engine = new WasmEngine(data.module, { memoryMib: data.memoryMib, cancelled: () => flag !== null && Atomics.load(flag, 0) !== 0 });
    return;
  }
  engine?.ask(data.request, (message) => self.postMessage(message));
});
