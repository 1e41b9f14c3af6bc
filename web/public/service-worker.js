// Makes the page work offline. `ricochet serve` and `./site.sh` write the version and the list of
// files, whose names change with their content.

/** @type {any} */
const worker = self;

const VERSION = 'VERSION';
/** Relative to this script. @type {string[]} */
const FILES = ['FILES'];
/** A server has the newest page; a site of files alone is taken from the cache until its reader agrees to a newer one. */
const HAS_SERVER = false;

const PREFIX = 'ricochet-';
const NAME = `${PREFIX}${VERSION}`;
/** Names that stay the same with another content. @param {string} file */
const isFixed = (file) => ['./', 'embed.html', 'manifest.webmanifest'].includes(file);
/** The page's own folder. */
const ROOT = new URL('./', worker.location.href).href;

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

/** The page without a network. @param {string} path */
async function page(path) {
  const [, kind, name] = /^(p|daily)\/([^/]+)$/.exec(path) ?? [];
  if (kind) return Response.redirect(`${ROOT}${kind === 'p' ? `#play=${name}` : `#play&as=daily-${name}`}`);
  return (await caches.open(NAME)).match('./');
}

/** @param {Request} request @param {string} path */
async function answer(request, path) {
  if (request.mode === 'navigate') {
    if (HAS_SERVER) return fetch(request).catch(async (error) => (await page(path)) ?? Promise.reject(error));
    // Not `caches.match`: the cache of the version before would answer first.
    const cache = await caches.open(NAME);
    return (await cache.match(path === 'embed.html' ? path : './')) ?? fetch(request);
  }
  // The static site has no server.
  if (!HAS_SERVER && path.startsWith('api/')) return new Response(null, { status: 404 });
  const cache = await caches.open(NAME);
  return (await cache.match(request)) ?? (await caches.match(request)) ?? fetch(request);
}

/** What a server answers anew each time. @param {string} path */
const isLive = (path) => HAS_SERVER && !/^($|p\/[^/]*$|daily\/[^/]*$|assets\/|icon\.svg$|manifest\.webmanifest$)/.test(path);

worker.addEventListener('install', (/** @type {any} */ event) => {
  const kept = caches.open(NAME).then((cache) => Promise.all(FILES.map((file) => keep(cache, file))));
  // The files of the previous version stay in their cache, so pages that are open go on.
  event.waitUntil(kept.then(() => HAS_SERVER && worker.skipWaiting()));
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
  if (!request.url.startsWith(ROOT)) return;
  const path = request.url.slice(ROOT.length).split(/[?#]/)[0];
  if (!isLive(path)) event.respondWith(answer(request, path));
});
