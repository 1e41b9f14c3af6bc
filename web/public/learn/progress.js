// What this device remembers of the first run and the lessons.

/** @import {Lesson} from './course.js' */
import { load, save } from '../ui/storage.js';

/** Where a visitor is with the first run: it is offered once. @typedef {'new' | 'offered' | 'started' | 'done'} FirstRunState */

/** @returns {FirstRunState} */
export const firstRunState = () => load('first-run', 'new');

/** @param {FirstRunState} state */
export const saveFirstRun = (state) => save('first-run', state);

/** @typedef {'open' | 'solved' | 'learned'} LessonState */

/** By lesson: 'learned' if it was solved in the fewest moves, without a look at the solution.
 * @returns {Record<string, LessonState>} */
const loadLessons = () => load('lessons', {});

/** @param {Lesson} lesson @returns {LessonState} */
export const stateOf = ({ id }) => loadLessons()[id] ?? 'open';

/** Keeps the better of what was and what is. @param {Lesson} lesson @param {LessonState} state */
export function saveLesson({ id }, state) {
  const lessons = loadLessons();
  if (lessons[id] === 'learned' || lessons[id] === state) return;
  save('lessons', { ...lessons, [id]: state });
}

/** @param {readonly Lesson[]} lessons */
export const countLearned = (lessons) => lessons.filter((lesson) => stateOf(lesson) === 'learned').length;
