// The engine for browsers, in Node.
import fs from 'node:fs';
import path from 'node:path';
import { WasmEngine } from '../../public/engine/wasm.js';
import { ROOT, PAGE } from './paths.mjs';

/** @import {EngineOptions} from '../../public/engine/wasm.js' */

const folder = path.join(PAGE, 'wasm');

/** The files that were built, by kind. @returns {Record<string, string>} */
export function builtFiles() {
  const list = path.join(folder, 'engine.json');
  return fs.existsSync(list) ? JSON.parse(fs.readFileSync(list, 'utf8')) : {};
}

/** An engine that answers at once. @param {string} file a name of web/wasm/ @param {EngineOptions} [options] */
export function loadEngine(file, options) {
  const engine = new WasmEngine(new WebAssembly.Module(fs.readFileSync(path.join(folder, file))), options);
  /**
   * The answer as the page gets it: errors are answers with the key `error`.
   * @param {string} question @param {object} fields @param {(progress: any) => void} [onProgress]
   */
  return (question, fields, onProgress = () => {}) => {
    /** @type {any[]} */
    const messages = [];
    engine.ask(JSON.stringify({ ...fields, ask: question }), (message) => messages.push(JSON.parse(message)));
    const last = messages.pop();
    for (const { progress } of messages) onProgress(progress);
    return 'answer' in last ? last.answer : last;
  };
}

/** The lines of a corpus with what is known about them. @param {string} name */
export function corpus(name) {
  const text = fs.readFileSync(path.join(ROOT, 'corpus', `${name}.jsonl`), 'utf8');
  return text.trim().split('\n').map((line) => ({ line, ...JSON.parse(line) }));
}
