// Runs as soon as the document has arrived, while the modules are still on their way: asks the server for
// what the fragment names, which the document could not hold. `delivered.js` takes the answer.
(() => {
  const delivered = JSON.parse(document.getElementById('delivered')?.textContent || '{}');
  const { version, engine = {}, answers = [] } = delivered ?? {};
  // Without a server nobody answers, and an engine in the page does not tell a server.
  if (!version || ((engine.simd || engine.portable) && !location.search.includes('engine=server'))) return;
  const fragment = new URLSearchParams(location.hash.slice(1).replaceAll('+', '%2B'));
  const date = /^daily-(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))$/.exec(fragment.get('as') ?? '')?.[1];
  const line = ['play', 'analyse', 'edit', 'watch'].map((mode) => fragment.get(mode)).find(Boolean);
  if (!date && !line) return;
  const [question, fields] = date ? ['daily', { date }] : ['read', { text: line }];
  const asked = JSON.stringify(fields);
  if (answers.some((/** @type {{question: string, fields: object}} */ one) => one.question === question && JSON.stringify(one.fields) === asked)) return;
  try {
    const kept = JSON.parse(sessionStorage.getItem('ricochet.answer') ?? 'null');
    if (kept?.version === version && kept.question === question && kept.asked === asked) return;
  } catch {
    // No storage.
  }
  const address = new URL(`${document.documentElement.dataset.root ?? ''}api/v1/${question}`, location.href);
  const answer = fetch(address, { method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json' }, body: asked })
    .then((response) => (response.ok ? response.json() : null))
    .catch(() => null);
  window.early = { question, asked, answer };
})();
