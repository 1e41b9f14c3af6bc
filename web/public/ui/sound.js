// Short synthesized sounds; off by default.

import { settings } from './settings.js';

/** @type {AudioContext | null} */
let context = null;

/** Pitch in hertz and length in seconds of each tone. @type {Record<string, [number, number][]>} */
const TONES = {
  slide: [[220, 0.06]],
  bump: [[110, 0.08]],
  solved: [[523, 0.1], [659, 0.1], [784, 0.18]],
  wrong: [[196, 0.16]],
  bid: [[392, 0.08]],
  tick: [[660, 0.05]],
  sand: [[523, 0.12], [392, 0.12], [523, 0.3]],
};

/** @param {'slide' | 'bump' | 'solved' | 'wrong' | 'bid' | 'tick' | 'sand'} name */
export function playSound(name) {
  // Until the page is touched, browsers hold sounds back, and then play them all at once.
  if (!settings.sound || navigator.userActivation?.hasBeenActive === false) return;
  context ??= new AudioContext();
  // A phone that was locked has put it to sleep.
  if (context.state !== 'running') void context.resume();
  let at = context.currentTime;
  for (const [pitch, length] of TONES[name]) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = pitch;
    tone.type = 'triangle';
    volume.gain.setValueAtTime(0.12, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + length);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + length);
    at += length * 0.9;
  }
}
