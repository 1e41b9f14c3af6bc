// The engine for browsers and bundlers, in Web Workers.

import { engineFile, fetchModule } from './engine/manifest.js';
import { startWith } from './start.js';

export { EngineError } from './engine/errors.js';

// Bundlers look for addresses in exactly this form.
const FILES = {
  simd: new URL('./wasm/ricochet.wasm', import.meta.url).href,
  portable: new URL('./wasm/ricochet-portable.wasm', import.meta.url).href,
  pictures: new URL('./wasm/ricochet-pictures.wasm', import.meta.url).href,
};

/** @param {import('./index.d.ts').EngineOptions} [options] */
export async function startEngine(options = {}) {
  const files = { ...FILES, ...options.files };
  const file = engineFile(files);
  if (!file) throw new Error('this browser has no WebAssembly or no workers');
  return startWith(await fetchModule(file), () => fetchModule(files.pictures), options);
}
