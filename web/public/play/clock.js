// Clocks: one that counts up, one that counts down.

/** `1:05`, or `1:00:05` from an hour on. @param {number} ms */
export function clockText(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

export class Stopwatch {
  /** @param {number} ms what it begins with @param {() => number} [now] */
  constructor(ms, now = () => performance.now()) {
    this.before = ms;
    this.now = now;
    /** @type {number | null} */
    this.since = null;
  }

  get ms() {
    return this.before + (this.since === null ? 0 : this.now() - this.since);
  }

  start() {
    this.since ??= this.now();
  }

  stop() {
    this.before = this.ms;
    this.since = null;
  }
}

export class Countdown {
  /** @param {number} ms @param {() => number} [now] */
  constructor(ms, now = () => performance.now()) {
    this.now = now;
    this.end = now() + ms;
  }

  get left() {
    return Math.max(0, this.end - this.now());
  }

  /** @param {number} ms more, or less if it is negative */
  add(ms) {
    this.end += ms;
  }
}
