// The engine as WebAssembly in this thread: a request in, messages out. An instance that has used too
// much memory is replaced. Workers use it, and tests in Node.

/** Bytes of a page of memory, and pages of a mebibyte. */
const PAGE = 1 << 16;
const PAGES_PER_MIB = 16;
/** An instance never gives memory back; one that has grown beyond this is not used again. */
const KEEP_MIB = 64;
/** The initial memory of the module (`--initial-memory` in `wasm.sh`). */
const FIRST_MIB = 4;
/** Below this, no search is worth another try. */
const LEAST_MIB = 8;

/**
 * @typedef {object} EngineOptions
 * @property {number} [memoryMib] what a search may hold
 * @property {number} [maximumMib] what the instance may take in all
 * @property {() => boolean} [cancelled] asked when the engine looks at its clock
 */

export class WasmEngine {
  /** @param {WebAssembly.Module} module @param {EngineOptions} [options] */
  constructor(module, { memoryMib = 256, maximumMib = 2 * memoryMib + 64, cancelled = () => false } = {}) {
    this.module = module;
    this.memoryMib = memoryMib;
    this.maximumMib = maximumMib;
    this.cancelled = cancelled;
    /** @type {Instance | null} */
    this.instance = null;
  }

  /**
   * Answers a request; the last message is the answer or an error.
   * @param {string} request JSON with the key `ask` @param {(message: string) => void} say
   */
  ask(request, say) {
    const seed = crypto.getRandomValues(new Uint32Array(1))[0] % 1_000_000_000;
    for (let limit = this.memoryMib; ; limit /= 2) {
      const instance = (this.instance ??= new Instance(this.module, this.maximumMib, this.cancelled));
      try {
        instance.ask(request, limit, seed, say);
        if (instance.memory.buffer.byteLength > KEEP_MIB * PAGES_PER_MIB * PAGE) this.instance = null;
        return;
      } catch (error) {
        // A trap: the instance is useless. A request that ran out of memory is repeated with a lower
        // limit, so that the answer says that the limit was reached.
        this.instance = null;
        if (instance.short && limit / 2 >= LEAST_MIB) continue;
        const message = instance.short ? 'there is not enough memory' : (instance.panic ?? String(error));
        say(JSON.stringify({ error: { kind: instance.short ? 'too-large' : 'internal', message, problems: [] } }));
        return;
      }
    }
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** One instance with its memory. */
class Instance {
  /** @param {WebAssembly.Module} module @param {number} maximumMib @param {() => boolean} cancelled */
  constructor(module, maximumMib, cancelled) {
    /** @type {(message: string) => void} */
    this.say = () => {};
    /** Whether an allocation failed. */
    this.short = false;
    /** The message of a panic. @type {string | null} */
    this.panic = null;
    this.memory = new WebAssembly.Memory({ initial: FIRST_MIB * PAGES_PER_MIB, maximum: maximumMib * PAGES_PER_MIB });
    const host = {
      say: (/** @type {number} */ at, /** @type {number} */ length) => this.say(this.#text(at, length)),
      // A cancelled search is told that its time is over.
      now: () => (cancelled() ? 1e15 : performance.now()),
      short_of_memory: () => {
        this.short = true;
      },
      panicked: (/** @type {number} */ at, /** @type {number} */ length) => {
        this.panic = this.#text(at, length);
      },
    };
    const { exports } = new WebAssembly.Instance(module, { host, env: { memory: this.memory } });
    this.exports = /** @type {any} */ (exports);
  }

  /** @param {string} request @param {number} memoryMib @param {number} seed @param {(message: string) => void} say */
  ask(request, memoryMib, seed, say) {
    this.say = say;
    const bytes = encoder.encode(request);
    const at = this.exports.alloc(bytes.length);
    if (at === 0) throw new RangeError('no room for the request');
    new Uint8Array(this.memory.buffer, at, bytes.length).set(bytes);
    this.exports.ask(at, bytes.length, memoryMib, seed);
  }

  /** @param {number} at @param {number} length */
  #text(at, length) {
    return decoder.decode(new Uint8Array(this.memory.buffer, at, length));
  }
}
