// The serious violations that axe-core finds.
import fs from 'node:fs';
import { createRequire } from 'node:module';

/** @import {Page} from 'playwright-core' */

const AXE = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** @param {Page} page */
export async function seriousViolations(page) {
  // Evaluated from outside: the page's own policy forbids scripts that are not its files.
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    // @ts-expect-error axe is what the script above defines
    const { violations } = await globalThis.axe.run();
    return violations
      .filter((/** @type {any} */ one) => ['serious', 'critical'].includes(one.impact))
      .map((/** @type {any} */ one) => `${one.id}: ${one.nodes.map((/** @type {any} */ node) => `${node.target} ${node.failureSummary}`).join('; ')}`);
  });
}
