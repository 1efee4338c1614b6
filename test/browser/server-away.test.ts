import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { freshDirectory, Service } from '../support/service.js';
import { browserForTests } from './visitor.js';

const browser = browserForTests();

const KEY = 'a-key-of-a-server-that-dies-and-returns';
/** Less than a page waits before it asks again by itself. */
const AT_ONCE_MS = 8_000;

const away = (page: Page) => page.getByRole('alert').filter({ hasText: 'No answer since' });

async function send(url: string, account_id: string): Promise<void> {
  const response = await fetch(`${url}/api/v1_1/account`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ account_id }),
  });
  expect(response.status).toBe(200);
}

/** Lets the time of the page go on in small steps, so that what comes from the network finds its timers. */
async function timePasses(page: Page, ms: number, isOver: () => Promise<boolean>): Promise<void> {
  for (let passed = 0; passed < ms && !(await isOver()); passed += 100) await page.clock.runFor(100);
}

it('says at once that a server has died, since when, and on every page; and goes on when it is back', async () => {
  const settings = { ACCOUNT_SYNC_DATA_DIR: await freshDirectory(), ACCOUNT_SYNC_API_KEY: KEY };
  let service = await Service.start(settings);
  onTestFinished(() => service.stopAndRemove());
  const { url } = service;
  await send(url, 'before.example');
  const visitor = await browser.visit({ url, timeZone: 'UTC' });
  const { page } = visitor;
  const openedAt = Date.now();
  await page.clock.install();
  await visitor.signIn('', KEY);
  const other = await page.context().newPage();
  await other.goto(`${url}/console/attributes`);
  await other.getByRole('heading', { level: 1, name: 'Attributes' }).waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByText(/^Ready · SQLite/).waitFor();
  await page.getByRole('link', { name: 'before.example' }).waitFor();

  await page.clock.pauseAt(Date.now() + 1_000);
  const diedAt = await page.evaluate<number>('Date.now()');
  await service.stop('SIGKILL');
  await timePasses(page, AT_ONCE_MS, async () => (await away(page).count()) === 1);
  expect(await away(page).count(), 'by the stream that broke, before the next poll').toBe(1);
  const [, since] = /No answer since (.+?\d\d:\d\d:\d\d)/.exec((await away(page).textContent()) ?? '') ?? [];
  expect(Date.parse(`${since} UTC`)).toBeGreaterThan(openedAt - 1_000);
  expect(Date.parse(`${since} UTC`)).toBeLessThanOrEqual(diedAt);
  await page.getByText('What is shown on this page is as of then.').waitFor();
  await page.getByText(/^No answer · SQLite/).waitFor();
  await page.getByText('Reconnecting', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'before.example' }).waitFor();
  await timePasses(page, 20_000, async () => (await away(other).count()) === 1);
  expect(await away(other).count(), 'on a page that shows nothing live').toBe(1);
  await page.clock.resume();
  expect(visitor.takeProblems().every((problem) => problem.includes('net::ERR_'))).toBe(true);

  service = await Service.start({ ...settings, ACCOUNT_SYNC_PORT: new URL(url).port });
  await send(url, 'after.example');
  await page.getByRole('link', { name: 'after.example' }).waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByText(/^Ready · SQLite/).waitFor();
  await expect.poll(async () => [await away(page).count(), await away(other).count()]).toEqual([0, 0]);
  expect(visitor.takeProblems().every((problem) => problem.includes('net::ERR_'))).toBe(true);
  await visitor.leave();
});
