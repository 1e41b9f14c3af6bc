// What the modules hand to each other. Only a checker reads this file; the browser never does.

/** Column and row, from 0 in the north-west. */
export type Cell = [number, number];
export type Direction = 'N' | 'E' | 'S' | 'W';
/** A robot's letter and a direction: "RN". */
export type Move = string;
export type Shape = 'circle' | 'triangle' | 'square' | 'hexagon' | 'vortex';
export type Diagonal = [number, number, '/' | '\\', string];
export interface Target { cell: Cell; robot: string | null; shape: Shape }
export interface Problem { message: string; code?: string; with?: Record<string, unknown>; line?: number | null; column?: number | null; cell?: Cell | null }

/** Everything a page needs to draw and play a puzzle. */
export interface View {
  line: string | null;
  id: string | null;
  optimal: number | null;
  layout: string | null;
  width: number;
  height: number;
  /** Per cell, row by row: N=1, E=2, S=4, W=8. */
  walls: number[];
  diagonals: Diagonal[];
  targets: Target[];
  /** The target that is printed where the goal is; views of the engine have it. */
  printed?: Target | null;
  robots: Cell[];
  goal: { robot: string | null; cell: Cell };
  rules: { must_ricochet: boolean };
  problems: Problem[];
}

export type StoppedBy = { kind: 'rim' | 'wall' | 'robot' | 'nothing'; robot?: number | string };

/** One slide, as the page's own rules see it. */
export interface Slide {
  robot: number;
  direction: Direction;
  from: Cell;
  to: Cell;
  /** All cells entered, in order; without the first. */
  path: Cell[];
  stoppedBy: { kind: 'rim' | 'wall' | 'robot' | 'nothing'; robot?: number };
}

/** What moves make of a view. */
export interface Line {
  steps: Slide[];
  robots: Cell[];
  solved: boolean;
  /** The first move that is none, if there is one: later moves are not played. */
  failed: { number: number; move: Move } | null;
}

export type ModeName = 'play' | 'analyse' | 'edit' | 'room';
export interface Route {
  mode: ModeName;
  /** A puzzle in one-line notation; empty for none. */
  line: string;
  moves: Move[];
  /** What else the mode keeps in the address. */
  more: Record<string, string>;
}

export interface Limits { ms?: number; nodes?: number; memory_mib?: number; moves?: number }
export type Outcome = 'solved' | 'unsolvable' | 'limit' | 'failed';
export interface Progress { depth?: number; lower_bound?: number | null; nodes?: number; ms?: number; [more: string]: unknown }
export interface Solved {
  outcome: Outcome;
  length: number | null;
  lower_bound: number | null;
  moves: Move[];
  optimal?: boolean;
  nodes?: number;
  [more: string]: unknown;
}
export interface PositionMove {
  move: Move;
  to: Cell;
  stopped_by: StoppedBy;
  outcome: Outcome;
  distance: number | null;
  lower_bound: number | null;
  best: boolean;
}
export interface Position { outcome: Outcome; distance: number | null; lower_bound: number | null; moves: PositionMove[]; limit?: string }

export interface AskOptions {
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
  /** Nobody waits for it: where the server is busy or gone, it is given up at once and nothing is said. */
  idle?: boolean;
}
/** Carries one question to an engine and its answer back. */
export interface Transport {
  ask(question: string, fields: object, options: AskOptions): Promise<any>;
}

/** A key and what it does; the help lists all of them. */
export interface Binding {
  /** As KeyboardEvent.key says it, letters in lower case. */
  key: string;
  shift?: boolean;
  /** What it does, in the reader's language. */
  does: string;
  run: () => void;
  /** The word of the command box that does the same. */
  word?: string;
  /** Left out of the help: another way to do the same. */
  quiet?: boolean;
}

/** What a mode offers to the page around it. */
export interface Mode {
  /** Shows what the address says; called again when the address changes from outside. */
  open(route: Route): void | Promise<void>;
  /** Cancels questions and clocks; the panel is emptied afterwards. */
  close(): void;
  keys(): Binding[];
  /** A word of the command box that is no move: true if it was understood. */
  command?(word: string): boolean;
  /** Whether leaving for something else would lose work; asked before `open` of another. */
  /** What to say where an arrow is pressed and no robot is selected. */
  unselected?(): string | null;
  guard?(): string | null;
}

/** An arrow on the board; a mark if it ends where it begins. */
export interface Arrow {
  from: Cell;
  to: Cell;
  /** Cells between, where the way is not straight. */
  path?: Cell[];
  /** A robot's letter, or one of the drawing colours '1' to '4'. */
  color: string;
  label?: string;
  best?: boolean;
}
export interface Overlay {
  /** Per cell, row by row; null where there is nothing to say. */
  values: (number | null)[];
  /** What is written in a cell; the value itself if it is missing. */
  labels?: (string | null)[];
}

export interface BoardEvents {
  /** The player wants a robot to slide. */
  move: { robot: number; direction: Direction };
  select: { robot: number | null };
  /** Input 'edit': a cell was clicked or tapped, near an edge or in its middle. */
  cell: { cell: Cell; edge: Direction | null; button: number };
  /** Input 'edit': a robot was dragged to a cell. */
  drop: { robot: number; cell: Cell };
  /** The pointer rests on a cell, or left the board. */
  hover: { cell: Cell | null };
  /** The wheel was turned over the board. */
  step: { by: 1 | -1 };
  /** Right-drag: an arrow, or a mark if both cells are the same. */
  draw: { from: Cell; to: Cell; color: string };
  /** A cell of the grid got the focus. */
  focus: { cell: Cell };
}

declare global {
  interface Window {
    /** Shows a theme, from `ui/theme.js`; 'auto' is the one that the system prefers. */
    showTheme(theme: string): void;
  }
}
