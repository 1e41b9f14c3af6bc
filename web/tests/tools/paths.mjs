import { fileURLToPath } from 'node:url';

/** The repository, and the folder with what browsers load. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
export const PAGE = fileURLToPath(new URL('../../public', import.meta.url));
