// The engine's evaluation of the position on the board: requested when the position changes, cancelled
// when it changes again, and cached.

/** @import {Position, Progress, View} from '../../types/page.d.ts' */
/** @import {App} from '../app/app.js' */
/** @import {Node, Tree} from './tree.js' */
import { isAbort } from '../engine/errors.js';
import { errorText } from '../speech/errors.js';

/** How long the engine may think about one position. */
const MILLISECONDS = 60_000;

/** @typedef {{position: Position | null, progress: Progress | null, done: boolean, error: string | null}} EvaluationState */

/** @type {EvaluationState} */
const NOTHING = { position: null, progress: null, done: false, error: null };

export class Evaluation {
  /** @param {App} app @param {(node: Node, known: EvaluationState) => void} onChange */
  constructor(app, onChange) {
    this.app = app;
    this.onChange = onChange;
    this.on = true;
    /** @type {Map<number, EvaluationState>} */
    this.known = new Map();
    /** @type {AbortController | null} */
    this.asking = null;
  }

  /** Forgets everything: another puzzle. */
  clear() {
    this.stop();
    this.known.clear();
  }

  stop() {
    this.asking?.abort();
    this.asking = null;
  }

  /** @param {Node} node */
  of(node) {
    return this.known.get(node.id) ?? NOTHING;
  }

  /** Asks about a node, unless the answer is known. @param {View} view @param {Tree} tree @param {Node} node */
  async ask(view, tree, node) {
    this.stop();
    if (!this.on || !view.line || this.of(node).done) {
      this.onChange(node, this.of(node));
      return;
    }
    const asking = (this.asking = new AbortController());
    /** @param {Partial<EvaluationState>} news */
    const learn = (news) => {
      if (asking.signal.aborted) return;
      this.known.set(node.id, { ...this.of(node), ...news });
      this.onChange(node, this.of(node));
    };
    learn({ error: null });
    try {
      const position = await this.app.engine.ask(
        'position',
        { puzzle: view.line, moves: tree.moves(node), limits: { ms: MILLISECONDS } },
        {
          signal: asking.signal,
          onProgress: (progress) => {
            learn({ progress, position: progress.position ?? this.of(node).position });
          },
        },
      );
      learn({ position, progress: null, done: true });
    } catch (error) {
      if (!isAbort(error)) learn({ error: errorText(error) });
    }
  }
}
