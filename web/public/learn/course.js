// The course: twelve groups of five lessons, each group with a technique and an example.

/** @import {Move} from '../../types/page.d.ts' */
import { GROUPS } from './lessons.js';

/** A puzzle, and one of its shortest solutions. @typedef {{line: string, moves: Move[]}} Exercise */
/** @typedef {Exercise & {id: string, group: Group, number: number}} Lesson */
/** What a group teaches is a theme of the engine. @typedef {typeof GROUPS[number]['theme']} Theme */
/** @typedef {{theme: Theme, example: Exercise, lessons: Lesson[]}} Group */

/** @param {{line: string, moves: string}} data @returns {Exercise} */
const exercise = ({ line, moves }) => ({ line, moves: moves.split(' ') });

/** @type {readonly Group[]} */
export const COURSE = GROUPS.map(({ theme, example, lessons }) => {
  /** @type {Group} */
  const group = { theme, example: exercise(example), lessons: [] };
  group.lessons = lessons.map((lesson, i) => ({ ...exercise(lesson), id: `${theme}-${i + 1}`, group, number: i + 1 }));
  return group;
});

export const ALL_LESSONS = COURSE.flatMap(({ lessons }) => lessons);

/** @param {string} id */
export const lessonOf = (id) => ALL_LESSONS.find((lesson) => lesson.id === id) ?? null;

/** The first lesson after this one that is not learned; from the beginning if there is none after it.
 * @param {Lesson | null} lesson @param {(lesson: Lesson) => boolean} isLearned */
export function nextOpen(lesson, isLearned) {
  const at = lesson ? ALL_LESSONS.indexOf(lesson) + 1 : 0;
  return [...ALL_LESSONS.slice(at), ...ALL_LESSONS.slice(0, at)].find((one) => one !== lesson && !isLearned(one)) ?? null;
}
