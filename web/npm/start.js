// Both entry points: the engine in workers, and the one that draws when it is first needed.

import { needsPictures } from './engine/manifest.js';
import { WorkerEngine } from './engine/worker.js';

/**
 * @param {WebAssembly.Module} module @param {() => Promise<WebAssembly.Module>} loadPictures
 * @param {ConstructorParameters<typeof WorkerEngine>[1]} options
 * @returns {import('./index.d.ts').Engine}
 */
export function startWith(module, loadPictures, options) {
  const engine = new WorkerEngine(module, options);
  /** @type {Promise<WorkerEngine> | undefined} */
  let pictures;
  return {
    async ask(question, fields, options) {
      if (!needsPictures(question, fields)) return engine.ask(question, fields, options);
      pictures ??= loadPictures().then((drawing) => new WorkerEngine(drawing, engine));
      return (await pictures).ask(question, fields, options);
    },
    close() {
      engine.close();
      void pictures?.then((drawing) => drawing.close());
    },
  };
}
