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
