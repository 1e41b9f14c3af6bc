// Makes the static site work offline. `./site.sh` writes the version and the list of files, whose names
// change with their content.

/** @type {any} */
const worker = self;

const VERSION = 'VERSION';
/** Relative to this script. @type {string[]} */
const FILES = ['FILES'];

const PREFIX = 'ricochet-';
const NAME = `${PREFIX}${VERSION}`;
/** Names that stay the same with another content. @param {string} file */
const isFixed = (file) => file === './' || file === 'manifest.webmanifest';

/** Puts one file into the cache: from an earlier version, or from the host. @param {Cache} cache @param {string} file */
async function keep(cache, file) {
  const known = isFixed(file) ? undefined : await caches.match(file);
  const response = known ?? (await fetch(file, { cache: isFixed(file) ? 'reload' : 'default' }));
  if (!response.ok) throw new Error(`${file}: ${response.status}`);
  await cache.put(file, response);
}

/** Keeps the previous version for pages that are still open. */
async function forgetOld() {
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== NAME);
  await Promise.all(names.slice(0, -1).map((name) => caches.delete(name)));
}

/** @param {Request} request */
async function answer(request) {
  const cache = await caches.open(NAME);
  if (request.mode === 'navigate') return (await cache.match('./')) ?? fetch(request);
  // The static site has no server.
  if (request.url.startsWith(new URL('api/', worker.location.href).href)) return new Response(null, { status: 404 });
  return (await cache.match(request)) ?? (await caches.match(request)) ?? fetch(request);
}

worker.addEventListener('install', (/** @type {any} */ event) => {
  event.waitUntil(caches.open(NAME).then((cache) => Promise.all(FILES.map((file) => keep(cache, file)))));
});

worker.addEventListener('activate', (/** @type {any} */ event) => {
  event.waitUntil(forgetOld().then(() => worker.clients.claim()));
});

// The page asks for the change when its reader does.
worker.addEventListener('message', (/** @type {any} */ event) => {
  if (event.data === 'take over') void worker.skipWaiting();
});

worker.addEventListener('fetch', (/** @type {any} */ event) => {
  const { request } = event;
  if (new URL(request.url).origin === worker.location.origin) event.respondWith(answer(request));
});
