export { start } from './analyse.js';
