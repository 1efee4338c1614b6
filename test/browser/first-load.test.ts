import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { browserForTests } from './visitor.js';

const browser = browserForTests();

const MAX_BYTES = 250_000;

describe('the first load', () => {
  it('of the overview transfers at most 250 kB', async () => {
    const visitor = await browser.visit();
    const sizes = new Map<string, Promise<number>>();
    visitor.page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      // gzip is the least efficient compression that browsers use here.
      if (pathname.startsWith('/console')) {
        sizes.set(
          pathname,
          response.body().then((body) => gzipSync(body).length),
        );
      }
    });
    await visitor.signIn();
    await visitor.page.getByRole('heading', { name: 'Syncs' }).waitFor();
    const total = (await Promise.all(sizes.values())).reduce((sum, size) => sum + size, 0);
    expect(sizes.size).toBeGreaterThan(3);
    expect(total).toBeLessThan(MAX_BYTES);
    await visitor.leave();
  });
});

const ASSETS = fileURLToPath(new URL('../../dist/console/assets/', import.meta.url));
const ALL_STYLES = new URL('../../console/node_modules/@mantine/core/styles.css', import.meta.url);

const namesIn = (text: string) => new Set(text.match(/\bm_[0-9a-f]{6,8}\b/g));

const builtFiles = (extension: string) =>
  readdirSync(ASSETS)
    .filter((name) => name.endsWith(extension))
    .map((name) => readFileSync(`${ASSETS}${name}`, 'utf8'))
    .join('\n');

describe('the styles of the component library', () => {
  it('that the console contains are those of all components that it uses, see mantine.css', () => {
    const used = namesIn(builtFiles('.js'));
    const all = namesIn(readFileSync(ALL_STYLES, 'utf8'));
    const contained = namesIn(builtFiles('.css'));
    expect(contained.size).toBeGreaterThan(100);
    expect([...used].filter((name) => all.has(name) && !contained.has(name))).toEqual([]);
  });
});
