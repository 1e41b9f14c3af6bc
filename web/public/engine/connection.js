// Who answers: the engine in this page where it was delivered with it, the server otherwise. Says
// when the server does not answer, and when it does again.

/** @import {AnswerOf, AskOptions, Engine, Question, RequestOf} from '../../types/page.d.ts' */
/** @import {Health} from './http.js' */
/** @import {Place} from './manifest.js' */
import { byId } from '../ui/dom.js';
import { t } from '../words/page.js';
import { EngineError } from './errors.js';
import { HttpEngine } from './http.js';
import { engineFile, loadEngine, readPlace } from './manifest.js';

/** Where the engine's files are. */
const FOLDER = 'wasm';
/** What only a server can do: it keeps what players send. */
const KEEPS = new Set(['attempts', 'results']);
/** Pictures that the smaller engine leaves to the larger one. */
/** Pictures that the engines leave to a file of their own; captions are too. */
const HEAVY = new Set(['png', 'gif', 'pdf']);

/**
 * @implements {Engine}
 */
export class Connection {
  /** @param {string} base */
  constructor(base) {
    this.http = new HttpEngine(base, (health) => this.#show(health));
    /** Whether there is a server, as far as is known. */
    this.hasServer = true;
    this.lost = false;
    this.timer = 0;
    /** Called when the server answers again. */
    this.onBack = () => {};
    /** @type {Promise<Engine>} */
    this.engine = this.#choose();
    /** Draws what the engine does not. @type {Engine | null} */
    this.pictures = null;
    byId('banner-retry').addEventListener('click', () => this.http.retryNow());
    window.addEventListener('online', () => this.http.retryNow());
  }

  /**
   * @template {Question} Q
   * @param {Q} question @param {RequestOf<Q>} fields @param {AskOptions} [options]
   * @returns {Promise<AnswerOf<Q>>}
   */
  async ask(question, fields, options = {}) {
    const engine = await this.engine;
    const { kind = '', caption } = /** @type {{kind?: string, caption?: string}} */ (fields);
    if (question === 'draw' && (HEAVY.has(kind) || caption !== undefined)) {
      return (this.pictures ?? engine).ask(question, fields, options);
    }
    if (!KEEPS.has(question)) return engine.ask(question, fields, options);
    if (!this.hasServer) throw new EngineError('unsupported', t('needsServer'));
    return this.http.ask(question, fields, options);
  }

  /** @returns {Promise<Engine>} */
  async #choose() {
    // `?engine=server` is for those who want to compare.
    const wanted = new URLSearchParams(location.search).get('engine');
    if (wanted === 'server') return this.http;
    const place = await readPlace(FOLDER);
    this.hasServer = place.server !== false;
    document.body.dataset.server = this.hasServer ? 'yes' : 'no';
    if (place.offline) void import('../app/offline.js').then(({ keepOffline }) => keepOffline(place.offline ?? ''));
    const file = engineFile(place);
    const module = await loadEngine(FOLDER, file);
    if (module) {
      this.pictures = new Later(() => this.#drawing(place));
      return inWorkers(module);
    }
    return this.hasServer ? this.http : nobody(t('noEngine'));
  }

  /** @param {Place} place @returns {Promise<Engine>} */
  async #drawing({ pictures }) {
    const module = await loadEngine(FOLDER, pictures);
    if (module) return inWorkers(module);
    return this.hasServer ? this.http : nobody(t('needsServer'));
  }

  /** @param {Health} health */
  #show({ state, wait = 0 }) {
    clearInterval(this.timer);
    const banner = byId('banner');
    if (state === 'ok') {
      banner.hidden = true;
      if (this.lost) this.onBack();
      this.lost = false;
      return;
    }
    this.lost = true;
    banner.hidden = false;
    let seconds = Math.ceil(wait / 1000);
    const write = () => {
      byId('banner-text').textContent = t(state, { n: Math.max(0, seconds) });
      seconds -= 1;
    };
    write();
    this.timer = window.setInterval(write, 1000);
  }
}

/** A transport that is made when it is first needed. @implements {Engine} */
class Later {
  /** @param {() => Promise<Engine>} make */
  constructor(make) {
    this.make = make;
    /** @type {Promise<Engine> | null} */
    this.made = null;
  }

  /**
   * @template {Question} Q
   * @param {Q} question @param {RequestOf<Q>} fields @param {AskOptions} [options]
   * @returns {Promise<AnswerOf<Q>>}
   */
  async ask(question, fields, options = {}) {
    this.made ??= this.make();
    return (await this.made).ask(question, fields, options);
  }
}

/** Fetched only where there is an engine. @param {WebAssembly.Module} module @returns {Promise<Engine>} */
async function inWorkers(module) {
  const { WorkerEngine } = await import('./worker.js');
  return new WorkerEngine(module);
}

/** Says why nobody answers. @param {string} message @returns {Engine} */
const nobody = (message) => ({ ask: () => Promise.reject(new EngineError('unsupported', message)) });
