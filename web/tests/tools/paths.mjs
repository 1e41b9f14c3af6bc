import { fileURLToPath } from 'node:url';

/** The repository and the page's folder. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
export const WEB = fileURLToPath(new URL('../..', import.meta.url));
