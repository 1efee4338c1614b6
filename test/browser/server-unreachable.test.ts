import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { freshDirectory, Service } from '../support/service.js';
import { browserForTests } from './visitor.js';

const browser = browserForTests();

const KEY = 'a-key-of-a-server-that-stops-and-restarts';

const unreachable = (page: Page) =>
  page.getByRole('alert').filter({ hasText: 'No response from the server since' });

async function send(url: string, account_id: string): Promise<void> {
  const response = await fetch(`${url}/api/v1_1/account`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ account_id }),
  });
  expect(response.status).toBe(200);
}

/** Advances the clock of the page a little, then counts the alerts. */
async function alertCount(page: Page): Promise<number> {
  await page.clock.runFor(500);
  return unreachable(page).count();
}

it('shows on every page since when a stopped server does not respond, and continues after its restart', async () => {
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
  const stoppedAt = await page.evaluate<number>('Date.now()');
  // The broken stream triggers the status request: while the clock is paused, nothing is polled.
  const statusFailed = page.waitForEvent('requestfailed', (request) =>
    request.url().endsWith('/api/v2/status'),
  );
  await service.stop('SIGKILL');
  await statusFailed;
  await expect.poll(() => alertCount(page)).toBe(1);
  const [, since] =
    /No response from the server since (.+?\d\d:\d\d:\d\d)/.exec(
      (await unreachable(page).textContent()) ?? '',
    ) ?? [];
  expect(Date.parse(`${since} UTC`)).toBeGreaterThan(openedAt - 1_000);
  expect(Date.parse(`${since} UTC`)).toBeLessThanOrEqual(stoppedAt);
  await page.getByText('This page shows the data of that time.').waitFor();
  await page.getByText(/^No response · SQLite/).waitFor();
  await page.getByText('Reconnecting', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'before.example' }).waitFor();
  // A page without a stream notices it at its next poll.
  await expect.poll(() => alertCount(other)).toBe(1);
  await page.clock.resume();
  expect(visitor.takeProblems().every((problem) => problem.includes('net::ERR_'))).toBe(true);

  service = await Service.start({ ...settings, ACCOUNT_SYNC_PORT: new URL(url).port });
  await send(url, 'after.example');
  await page.getByRole('link', { name: 'after.example' }).waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByText(/^Ready · SQLite/).waitFor();
  await expect
    .poll(async () => [await unreachable(page).count(), await unreachable(other).count()])
    .toEqual([0, 0]);
  expect(visitor.takeProblems().every((problem) => problem.includes('net::ERR_'))).toBe(true);
  await visitor.leave();
});
