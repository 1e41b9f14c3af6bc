import type { Progress, Questions } from './api.d.ts';

export type * from './api.d.ts';

/** The name of a question, such as `solve`, `hint`, `generate` or `draw`. */
export type Question = keyof Questions;
export type RequestOf<Q extends Question> = Questions[Q]['request'];
export type AnswerOf<Q extends Question> = Questions[Q]['answer'];

export interface AskOptions {
  /** Cancels the question; its promise is rejected with an `AbortError`. */
  signal?: AbortSignal;
  /** Called during a long search. */
  onProgress?: (progress: Progress) => void;
}

export interface Engine {
  /** Answers a question. Rejects with an {@link EngineError} if a puzzle or a request is wrong. */
  ask<Q extends Question>(question: Q, fields: RequestOf<Q>, options?: AskOptions): Promise<AnswerOf<Q>>;
  /** Ends the workers and cancels what they were asked. */
  close(): void;
}

export interface EngineOptions {
  /** The most memory that a search may hold. Default: 512 in Node, 64 per GiB of the device's memory in browsers. */
  memoryMib?: number;
  /** Where the files of this package's folder `wasm` are, if they are not in their place. */
  files?: { simd?: string; portable?: string; pictures?: string };
}

/** Starts the engine: up to four Web Workers, or worker threads in Node. */
export function startEngine(options?: EngineOptions): Promise<Engine>;

/** Why a question has no answer. */
export class EngineError extends Error {
  /** `unreadable`, `invalid`, `bad-request`, `unsupported`, `too-large` or `internal`. */
  kind: string;
  /** Names the mistake for programs. */
  code: string;
  /** The values that the message contains. */
  values: Record<string, unknown>;
  /** Everything that is wrong with a puzzle. */
  problems: { code: string; message: string; line?: number | null; column?: number | null; cell?: [number, number] | null }[];
}
