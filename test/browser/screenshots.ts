import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'vitest';
import { browserForTests } from './visitor.js';

/** `npm run screenshots`: the pictures of the README, from the demo tenant. It is not part of the browser tests. */
const directory = process.env.SCREENSHOTS ?? '';
const browser = browserForTests();

it.each([
  { name: 'overview', path: '', heading: 'Overview' },
  { name: 'accounts', path: '/accounts', heading: 'Accounts' },
  { name: 'rejections', path: '/rejections', heading: 'Rejections' },
])('$name.png', async ({ name, path, heading }) => {
  await mkdir(directory, { recursive: true });
  const visitor = await browser.visit();
  const { page } = visitor;
  await page.setViewportSize({ width: 1280, height: 800 });
  await visitor.signIn(path);
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
  // Charts and tables come with their data.
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: join(directory, `${name}.png`), animations: 'disabled' });
});
