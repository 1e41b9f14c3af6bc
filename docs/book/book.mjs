// The two steps around mdBook:
//
//   node docs/book/book.mjs prepare SUMMARY SRC    copies the chapters, with links that work in the book
//   node docs/book/book.mjs check OUT              fails if a link of the built book leads nowhere
//
// The Markdown is written for readers of the repository. In the book, links to other chapters stay, links
// to other files of the repository lead to its website, and a paragraph that is only a link to the playable
// page becomes a live board.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const REPOSITORY = /^repository = "(.*)"/m.exec(fs.readFileSync(path.join(ROOT, 'Cargo.toml'), 'utf8'))?.[1] ?? '';
const [owner, name] = REPOSITORY.split('/').slice(-2);
const SITE = `https://${owner}.github.io/${name}/`;
const IMAGE = /\.(png|gif|svg|jpg)$/;

/** Calls `change` for the text outside fenced code. @param {string} text @param {(part: string) => string} change */
function outsideCode(text, change) {
  return text.split(/^(```[\s\S]*?^```$)/m).map((part, place) => (place % 2 ? part : change(part))).join('');
}

/** @param {string} summary @param {string} out */
function prepare(summary, out) {
  const from = path.relative(ROOT, path.dirname(summary));
  const list = fs.readFileSync(summary, 'utf8').replace(/\]\(([^)]+)\)/g, (_, file) => `](${path.posix.join(from, file)})`);
  const chapters = new Set([...list.matchAll(/\]\(([^)]+)\)/g)].map(([, file]) => file));
  const write = (/** @type {string} */ file, /** @type {string | Buffer} */ text) => {
    fs.mkdirSync(path.dirname(path.join(out, file)), { recursive: true });
    fs.writeFileSync(path.join(out, file), text);
  };

  for (const chapter of chapters) {
    const folder = path.posix.dirname(chapter);
    /** The address of a link in the book. @param {string} address */
    const inBook = (address) => {
      if (address.startsWith(SITE)) return path.posix.relative(folder, address.slice(SITE.length)) || '.';
      let file = address;
      if (address.startsWith(`${REPOSITORY}/blob/main/`)) {
        file = path.posix.relative(folder, address.slice(`${REPOSITORY}/blob/main/`.length));
      } else if (/^([a-z]+:|#|$)/.test(address)) {
        return address;
      }
      const [where, fragment] = file.split('#');
      let target = path.posix.join(folder, where).replace(/\/$/, '');
      if (chapters.has(`${target}/README.md`)) target += '/README.md';
      if (IMAGE.test(target)) write(target, fs.readFileSync(path.join(ROOT, target)));
      else if (!chapters.has(target)) {
        const kind = fs.statSync(path.join(ROOT, target)).isDirectory() ? 'tree' : 'blob';
        return `${REPOSITORY}/${kind}/main/${target}`;
      }
      // mdBook writes README.md as index.html, but does not change links to it in other folders.
      return path.posix.relative(folder, target.replace(/README\.md$/, 'index.html')) + (fragment ? `#${fragment}` : '');
    };
    const text = outsideCode(fs.readFileSync(path.join(ROOT, chapter), 'utf8'), (part) =>
      part
        .replace(/\]\(([^()\s]+)\)/g, (_, address) => `](${inBook(address)})`)
        .replace(/(<img src=")([^"]+)"/g, (_, start, address) => `${start}${inBook(address)}"`)
        .replace(/^\[([^\]]+)\]\(([^()\s]*play\/#[^()\s]+)\)$/gm, '<iframe class="live" loading="lazy" title="$1" src="$2"></iframe>\n\n[$1]($2)'),
    );
    write(chapter, text);
  }
  write('SUMMARY.md', list);
}

/** @param {string} folder @returns {string[]} */
const pages = (folder) =>
  fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html') && !file.startsWith('play/') && file !== '404.html');

/** @param {string} out */
function check(out) {
  /** @type {Map<string, Set<string>>} */
  const anchors = new Map();
  const idsOf = (/** @type {string} */ file) => {
    const known = anchors.get(file);
    if (known) return known;
    const ids = new Set([...fs.readFileSync(file, 'utf8').matchAll(/\s(?:id|name)="([^"]+)"/g)].map(([, id]) => id));
    anchors.set(file, ids);
    return ids;
  };
  const broken = [];
  let links = 0;
  for (const page of pages(out)) {
    const html = fs.readFileSync(path.join(out, page), 'utf8').replace(/<script[\s\S]*?<\/script>|<!--[\s\S]*?-->/g, '');
    for (const [, quoted] of html.matchAll(/\s(?:href|src)="([^"]*)"/g)) {
      const address = quoted.replaceAll('&amp;', '&');
      if (/^[a-z]+:/.test(address)) continue;
      links += 1;
      const [where, fragment = ''] = address.split('#');
      let file = where ? path.join(out, path.dirname(page), decodeURIComponent(where.split('?')[0])) : path.join(out, page);
      if (fs.existsSync(file) && fs.statSync(file).isDirectory()) file = path.join(file, 'index.html');
      const isPlay = path.relative(out, file).startsWith('play');
      if (!fs.existsSync(file)) broken.push(`${page}: ${address}`);
      else if (fragment && !isPlay && !idsOf(file).has(decodeURIComponent(fragment))) broken.push(`${page}: ${address} (no such section)`);
    }
  }
  if (broken.length > 0 || links < 100) throw new Error(`${links} links, of which are broken:\n${broken.join('\n')}`);
  console.log(`${links} links lead somewhere`);
}

const [step, ...rest] = process.argv.slice(2);
if (step === 'prepare' && rest.length === 2) prepare(rest[0], rest[1]);
else if (step === 'check' && rest.length === 1) check(rest[0]);
else throw new Error('usage: book.mjs prepare SUMMARY SRC | check OUT');
