import type { Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { keyFor, ownTenant, request, send } from './own-tenant.js';
import { browserForTests, WIDTHS } from './visitor.js';

const browser = browserForTests();
const HOUR_MS = 3_600_000;
/** Longer than the poll interval of the page. */
const SOON = { timeout: 30_000 };

interface Counts {
  readonly start: string;
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly refused: number;
}

const figure = (page: Page, label: string) =>
  page
    .locator('dl > div', { has: page.locator('dt', { hasText: label }) })
    .locator('dd')
    .first()
    .textContent();

const sectionOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

async function countsSince(from: number): Promise<{ accounts: number; data: readonly Counts[] }> {
  const path = `/api/v2/stats?unit=hour&from=${new Date(from).toISOString()}`;
  return (await request(inject('consoleKeys').all, 'GET', path)).body;
}

const total = (all: readonly Counts[], name: 'created' | 'updated' | 'deleted' | 'refused') =>
  all.reduce((sum, counts) => sum + counts[name], 0);

/** The numbers of a table, newest first, without the time column. */
async function numbersIn(page: Page, name: string): Promise<number[][]> {
  const rows = await page.getByRole('table', { name, exact: true }).locator('tbody tr').all();
  return Promise.all(
    rows.map(async (row) =>
      (await row.locator('td').allTextContents()).map((text) => Number(text.replace(',', ''))),
    ),
  );
}

describe.each(WIDTHS)('the overview, %o', ({ onPhone }) => {
  it('shows the counts of the last day that the API returns', async () => {
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    await visitor.signIn();
    await page.getByRole('img', { name: /^Syncs by hour in the last 24 hours: [\d,]+ created/ }).waitFor();
    await page
      .getByRole('img', { name: /^Rejections by hour in the last 24 hours: [\d,]+ rejected/ })
      .waitFor();
    await expect
      .poll(async () => {
        const { accounts, data } = await countsSince(
          Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 23 * HOUR_MS,
        );
        const shown = await Promise.all(
          ['Accounts', 'Created', 'Updated', 'Deleted', 'Rejected'].map((label) => figure(page, label)),
        );
        const counted = (['created', 'updated', 'deleted', 'refused'] as const).map((name) =>
          total(data, name),
        );
        return [accounts, ...counted].map((count) => count.toLocaleString('en-GB')).join() === shown.join();
      }, SOON)
      .toBe(true);
    await page
      .getByText(/^(up from|down from|no change)/)
      .first()
      .waitFor();
    await page.getByText(/Ready · (SQLite|PostgreSQL) · version \d/).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    expect(await sectionOf(page, 'Latest changes').getByRole('listitem').count()).toBe(20);
    expect(await sectionOf(page, 'Latest rejections').getByRole('listitem').count()).toBe(8);
    const isWider = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
    expect(await page.evaluate(isWider)).toBe(false);
    await visitor.inspect('overview');
    const streamEnds = page.waitForEvent('requestfailed', (request) =>
      request.url().includes('/api/v2/changes?after='),
    );
    await sectionOf(page, 'Latest rejections').getByRole('link', { name: 'All rejections' }).click();
    await page.getByRole('heading', { level: 1, name: 'Rejections' }).waitFor();
    await streamEnds;
    await visitor.leave();
  });
});

describe('the period', () => {
  it('is stored in the URL, and changes figures and charts', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/?period=week');
    await page.getByRole('img', { name: /^Syncs by day in the last 7 days/ }).waitFor();
    const inWeek = await figure(page, 'Updated');
    await visitor.inspect('overview-week');
    await page.getByText('Day', { exact: true }).click();
    await page.getByRole('img', { name: /^Syncs by hour in the last 24 hours/ }).waitFor();
    expect(page.url()).toContain('?period=day');
    expect(await figure(page, 'Updated')).not.toBe(inWeek);
    await page.getByText('Hour', { exact: true }).click();
    await sectionOf(page, 'Syncs')
      .getByText(/the last hour/)
      .or(page.getByRole('img', { name: /^Syncs by minute/ }))
      .first()
      .waitFor();
    expect(page.url()).toContain('?period=hour');
    await page.reload();
    expect(await page.getByRole('radio', { name: 'Hour' }).isChecked()).toBe(true);
    await visitor.inspect('overview-hour');
    await visitor.leave();
  });

  it.each([
    { timeZone: 'Asia/Kolkata', offsetMinutes: 330 },
    { timeZone: 'Pacific/Honolulu', offsetMinutes: -600 },
  ])('uses days of the local time zone: $timeZone', async ({ timeZone, offsetMinutes }) => {
    const visitor = await browser.visit({ timeZone });
    const { page } = visitor;
    await visitor.signIn('/?period=week');
    await sectionOf(page, 'Syncs').getByRole('button', { name: 'Show as table' }).click();
    const offsetMs = offsetMinutes * 60_000;
    const dayOf = (at: number) => Math.floor((at + offsetMs) / (24 * HOUR_MS));
    await expect
      .poll(async () => {
        const today = dayOf(Date.now());
        const { data } = await countsSince((today - 6) * 24 * HOUR_MS - offsetMs);
        const days = Array.from({ length: 7 }, (_, i) =>
          data.filter(({ start }) => dayOf(Date.parse(start)) === today - i),
        );
        const expected = days.map((day) => [
          total(day, 'created'),
          total(day, 'updated'),
          total(day, 'deleted'),
        ]);
        return JSON.stringify(await numbersIn(page, 'Syncs')) === JSON.stringify(expected);
      }, SOON)
      .toBe(true);
    await visitor.inspect('overview-table');
    await visitor.leave();
  });
});

describe('a chart', () => {
  it('describes each bar for mouse and keyboard', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn();
    const chart = page.getByRole('slider', { name: /^Syncs by hour/ });
    await page.getByRole('img', { name: /^Syncs by hour/ }).hover({ position: { x: 300, y: 60 } });
    const hovered = await chart.getAttribute('aria-valuetext');
    expect(hovered).toMatch(/^\w+,? \d\d:\d\d: \d+ created, \d+ updated, \d+ deleted$/);
    await page.mouse.move(0, 0);
    await chart.focus();
    await page.getByText('(so far)').waitFor();
    const last = await chart.getAttribute('aria-valuetext');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => page.getByText('(so far)').count()).toBe(0);
    expect(await chart.getAttribute('aria-valuetext')).not.toBe(last);
    await visitor.inspect('overview-tooltip');
    await page.keyboard.press('Home');
    expect(await chart.inputValue()).toBe('0');
    await page.keyboard.press('End');
    await page.getByText('(so far)').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByText('(so far)').count()).toBe(0);
    await visitor.leave();
  });
});

describe('the latest changes', () => {
  it('appear automatically, wait while paused, and link to the account', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    const { all: key } = inject('consoleKeys');
    const id = 'overview-live.example';
    await visitor.signIn('/?period=hour');
    await page.getByText('Live', { exact: true }).waitFor();
    const changes = sectionOf(page, 'Latest changes');
    const own = changes.getByRole('listitem').filter({ hasText: id });
    expect((await send(key, { account_id: id, name: 'Seen immediately', licenses: 1 })).status).toBe(200);
    await own.filter({ hasText: /Created by default, run \d+/ }).waitFor();
    expect((await send(key, { account_id: id, licenses: 2 })).status).toBe(200);
    await own.filter({ hasText: 'Licences: 1 seats to 2 seats' }).waitFor();
    await expect.poll(async () => Number(await figure(page, 'Created')), SOON).toBeGreaterThan(0);
    await changes.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused', { exact: true }).waitFor();
    await request(key, 'DELETE', `/api/v2/accounts/${id}`);
    const resume = changes.getByRole('button', { name: /Resume \(\d+ new changes?\)/ });
    await resume.waitFor();
    expect(await own.filter({ hasText: 'Deleted' }).count()).toBe(0);
    await resume.click();
    await own.filter({ hasText: 'Deleted' }).waitFor();
    const link = own.first().getByRole('link', { name: id });
    expect(await link.getAttribute('href')).toBe(`/console/accounts/${id}`);
    await visitor.leave();
  });

  it('show that the connection is broken, and continue after it is restored', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    const lost = ['**/api/v2/changes?after=*', '**/api/v2/status'];
    for (const request of lost) await page.route(request, (route) => route.abort());
    await visitor.signIn();
    await page.getByText('Reconnecting', { exact: true }).waitFor();
    await page.getByText('The server does not respond.').waitFor();
    expect(visitor.takeProblems().every((problem) => problem.includes('ERR_FAILED'))).toBe(true);
    for (const request of lost) await page.unroute(request);
    await page.getByText('Live', { exact: true }).waitFor(SOON);
    await page.getByText(/Ready · (SQLite|PostgreSQL) · version \d/).waitFor(SOON);
    expect(visitor.takeProblems().every((problem) => problem.includes('ERR_FAILED'))).toBe(true);
    await visitor.leave();
  });
});

describe('a tenant without accounts', () => {
  it('shows how to send the first account, then that account, then thousands more', async () => {
    const { key } = await ownTenant();
    const visitor = await browser.visit({ onPhone: true });
    const { page } = visitor;
    await visitor.signIn('', key);
    await page.getByRole('heading', { name: 'Send your first account' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Try it' }).waitFor();
    await page.getByText('npx account-sync demo').waitFor();
    await visitor.inspect('overview-empty');
    await page.getByRole('button', { name: 'Copy the command' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(
      `curl -X POST ${inject('consoleUrl')}/api/v1_1/account`,
    );
    expect((await send(key, { account_id: 'first.example', name: 'First' })).status).toBe(200);
    await page.getByRole('link', { name: 'first.example' }).waitFor();
    await expect.poll(() => figure(page, 'Accounts')).toBe('1');
    await page
      .getByRole('img', { name: 'Syncs by hour in the last 24 hours: 1 created, 0 updated, 0 deleted.' })
      .waitFor();
    await visitor.inspect('overview-first');
    const many = Array.from({ length: 3_000 }, (_, i) => ({ account_id: `many-${i}.example` }));
    expect((await request(key, 'POST', '/api/v2/accounts/import', many)).status).toBe(200);
    await page.getByRole('link', { name: 'many-2999.example' }).waitFor();
    expect(await sectionOf(page, 'Latest changes').getByRole('listitem').count()).toBe(20);
    await expect.poll(() => figure(page, 'Accounts'), SOON).toBe('3,001');
    await visitor.leave();
  });
});

describe('a key with the scope read only', () => {
  it('sees everything, and is offered nothing that it lacks the scope for', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('', inject('consoleKeys').read);
    await page.getByRole('img', { name: /^Syncs by hour/ }).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'Try it' }).count()).toBe(0);
    await visitor.inspect('overview-read');
    await visitor.leave();
  });

  it('gets no link to Try it if the tenant has no accounts', async () => {
    const key = await keyFor((await ownTenant()).key, 'read');
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('', key);
    await page.getByRole('heading', { name: 'Send your first account' }).waitFor();
    expect(await page.getByRole('link', { name: 'Try it' }).count()).toBe(0);
    await visitor.leave();
  });
});
