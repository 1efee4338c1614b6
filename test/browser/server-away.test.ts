import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { freshDirectory, Service } from '../support/service.js';
import { browserForTests } from './visitor.js';

const browser = browserForTests();

const KEY = 'a-key-of-a-server-that-dies-and-returns';

const away = (page: Page) => page.getByRole('alert').filter({ hasText: 'No answer since' });

async function send(url: string, account_id: string): Promise<void> {
  const response = await fetch(`${url}/api/v1_1/account`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ account_id }),
  });
  expect(response.status).toBe(200);
}

/** Whether it is said, while the time of the page goes on a little. */
async function saysSo(page: Page): Promise<number> {
  await page.clock.runFor(500);
  return away(page).count();
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
  // By the stream that breaks: while the clock stands still nothing is asked for by itself.
  const asked = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/v2/status'));
  await service.stop('SIGKILL');
  await asked;
  await expect.poll(() => saysSo(page)).toBe(1);
  const [, since] = /No answer since (.+?\d\d:\d\d:\d\d)/.exec((await away(page).textContent()) ?? '') ?? [];
  expect(Date.parse(`${since} UTC`)).toBeGreaterThan(openedAt - 1_000);
  expect(Date.parse(`${since} UTC`)).toBeLessThanOrEqual(diedAt);
  await page.getByText('What is shown on this page is as of then.').waitFor();
  await page.getByText(/^No answer · SQLite/).waitFor();
  await page.getByText('Reconnecting', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'before.example' }).waitFor();
  // On a page that shows nothing live, by the next time that it asks.
  await expect.poll(() => saysSo(other)).toBe(1);
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
