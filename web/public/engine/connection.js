// Chooses who answers: the engine in this page if it was delivered with one, otherwise the server.
// Shows a banner while the server does not respond.

/** @import {AnswerOf, AskOptions, Engine, Question, RequestOf} from '../../types/page.d.ts' */
/** @import {Health} from './http.js' */
/** @import {Manifest} from './manifest.js' */
import { byId } from '../ui/dom.js';
import { t } from '../words/page.js';
import { delivered, deliveredAnswer, keepAnswer } from './delivered.js';
import { EngineError } from './errors.js';
import { HttpEngine } from './http.js';
import { engineFile, loadEngine, needsPictures, readManifest } from './manifest.js';

/** Where the engine's files are. */
const FOLDER = 'wasm';
/** What only a server can do, since it stores what players send. */
const SERVER_ONLY = new Set(['attempts', 'results']);

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
    /** Loads what draws the pictures that the engine does not. @type {(() => Promise<Engine>) | null} */
    this.loadPictures = null;
    /** @type {Promise<Engine> | undefined} */
    this.pictures = undefined;
    byId('banner-retry').addEventListener('click', () => this.http.retryNow());
    window.addEventListener('online', () => this.http.retryNow());
  }

  /**
   * @template {Question} Q
   * @param {Q} question @param {RequestOf<Q>} fields @param {AskOptions} [options]
   * @returns {Promise<AnswerOf<Q>>}
   */
  async ask(question, fields, options = {}) {
    const answer = (await deliveredAnswer(question, fields)) ?? (await this.#ask(question, fields, options));
    keepAnswer(question, fields, answer);
    return answer;
  }

  /**
   * @template {Question} Q
   * @param {Q} question @param {RequestOf<Q>} fields @param {AskOptions} options
   * @returns {Promise<AnswerOf<Q>>}
   */
  async #ask(question, fields, options) {
    const engine = await this.engine;
    if (needsPictures(question, fields)) {
      this.pictures ??= this.loadPictures?.();
      return ((await this.pictures) ?? engine).ask(question, fields, options);
    }
    if (!SERVER_ONLY.has(question)) return engine.ask(question, fields, options);
    if (!this.hasServer) throw new EngineError('unsupported', t('needsServer'));
    return this.http.ask(question, fields, options);
  }

  /** @returns {Promise<Engine>} */
  async #choose() {
    // `?engine=server` makes the server answer, for comparison.
    const wanted = new URLSearchParams(location.search).get('engine');
    if (wanted === 'server') return this.http;
    const manifest = delivered.engine ?? (await readManifest(FOLDER));
    this.hasServer = manifest.server !== false;
    document.body.dataset.server = this.hasServer ? 'yes' : 'no';
    if (manifest.offline) keepLater(manifest.offline, !this.hasServer);
    const file = engineFile(manifest);
    const module = await loadEngine(folder(), file);
    if (module) {
      this.loadPictures = () => this.#pictureEngine(manifest);
      return workerEngine(module);
    }
    return this.hasServer ? this.http : failingEngine(t('noEngine'));
  }

  /** @param {Manifest} manifest @returns {Promise<Engine>} */
  async #pictureEngine({ pictures }) {
    const module = await loadEngine(folder(), pictures);
    if (module) return workerEngine(module);
    return this.hasServer ? this.http : failingEngine(t('needsServer'));
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

/** What the files of the engine are relative to. */
const folder = () => (delivered.engine ? '.' : FOLDER);

/** Keeps the page for times without a network, once it has loaded. @param {string} script the service worker @param {boolean} asks whether the reader is asked before a newer version */
function keepLater(script, asks) {
  const keep = () => void import('../app/offline.js').then(({ keepOffline }) => keepOffline(script, { asks }));
  if (document.readyState === 'complete') keep();
  else window.addEventListener('load', keep, { once: true });
}

/** The engine in workers, fetched only if there is one. @param {WebAssembly.Module} module @returns {Promise<Engine>} */
async function workerEngine(module) {
  const { WorkerEngine } = await import('./worker.js');
  return new WorkerEngine(module);
}

/** An engine that can only say why there is none. @param {string} message @returns {Engine} */
const failingEngine = (message) => ({ ask: () => Promise.reject(new EngineError('unsupported', message)) });
