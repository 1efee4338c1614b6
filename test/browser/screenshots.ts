import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { browserForTests } from './visitor.js';

/** `npm run screenshots`: the pictures of the README, from the demo tenant. It is not part of the browser tests. */
const directory = process.env.SCREENSHOTS ?? '';
const browser = browserForTests();

it.each([
  { name: 'overview', path: '', heading: 'Overview' },
  { name: 'accounts', path: '/accounts', heading: 'Accounts' },
  { name: 'rejections', path: '/rejections', heading: 'Rejections' },
])('$name', async ({ name, path, heading }) => {
  await mkdir(directory, { recursive: true });
  const visitor = await browser.visit();
  const { page } = visitor;
  await page.setViewportSize({ width: 1280, height: 800 });
  await visitor.signIn(path);
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
  // Not `networkidle`: the overview asks for news all the time.
  await expect.poll(() => page.locator('.mantine-Skeleton-root, [aria-busy=true]').count()).toBe(0);
  await page.screenshot({ path: join(directory, `${name}.png`), animations: 'disabled' });
});
