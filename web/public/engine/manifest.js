// What was delivered with the page: the engine as WebAssembly, a server, or both.

/**
 * `engine.json`, next to the engine's files. A server without them sends `{}`.
 * @typedef {object} Manifest
 * @property {string} [simd] the engine for browsers with 128-bit vectors
 * @property {string} [portable] the engine for all browsers
 * @property {string} [pictures] draws what the engines leave to it: PNG, GIF, PDF and captions
 * @property {boolean} [server] false if no server answers questions or stores results
 * @property {string} [offline] the service worker that makes the page work offline
 */

/** The smallest module with a vector instruction. */
const VECTORS = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);

/** @param {string} folder @returns {Promise<Manifest>} */
export async function readManifest(folder) {
  try {
    const response = await fetch(`${folder}/engine.json`);
    return response.ok ? await response.json() : {};
  } catch {
    return {};
  }
}

/** The file of the engine for this browser, if there is one. @param {Manifest} manifest */
export function engineFile({ simd, portable }) {
  if (typeof WebAssembly !== 'object' || typeof Worker !== 'function') return undefined;
  return simd && WebAssembly.validate(VECTORS) ? simd : portable;
}

/**
 * The compiled engine, or null if it cannot be loaded.
 * @param {string} folder @param {string} [file] @returns {Promise<WebAssembly.Module | null>}
 */
export async function loadEngine(folder, file) {
  if (!file) return null;
  try {
    return await fetchModule(`${folder}/${file}`);
  } catch (error) {
    console.warn(error);
    return null;
  }
}

/** Fetches and compiles an engine. @param {string | URL} address */
export async function fetchModule(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status} ${response.statusText}`);
  // Not every file server knows the type of such files.
  const known = response.headers.get('content-type')?.startsWith('application/wasm');
  return known ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

/** Pictures that the engines leave to a larger one, as they do captions. */
const HEAVY_PICTURES = new Set(['png', 'gif', 'pdf']);

/** Whether only the engine that draws can answer. @param {string} question @param {object} fields */
export function needsPictures(question, fields) {
  const { kind, caption } = /** @type {{kind?: string, caption?: string | null}} */ (fields);
  return question === 'draw' && (HEAVY_PICTURES.has(kind ?? '') || typeof caption === 'string');
}
