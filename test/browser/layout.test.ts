import { expect, it } from 'vitest';
import { table } from './accounts-page.js';
import { ownTenant, request } from './own-tenant.js';
import { browserForTests } from './visitor.js';

const browser = browserForTests();

/** Runs in the page. Width of the content that is cut off, in pixels. */
const HIDDEN = (element: { scrollWidth: number; clientWidth: number }) =>
  element.scrollWidth - element.clientWidth;

it('does not cover a command with its copy button, on a phone', async () => {
  const visitor = await browser.visit({ onPhone: true });
  const { page } = visitor;
  await visitor.signIn('/settings');
  const command = await page.getByRole('region', { name: 'the command' }).boundingBox();
  const button = await page.getByRole('button', { name: 'Copy the command' }).boundingBox();
  expect((command?.x ?? 0) + (command?.width ?? 0)).toBeLessThanOrEqual(button?.x ?? 0);
  await visitor.leave();
});

it.each([
  ['the default columns', ''],
  [
    'both times',
    '?column=account_id&column=parent_account_id&column=custom_Health&column=.created&column=.updated',
  ],
])(
  'does not cut off the last change of accounts on a screen of 1280 pixels, with %s',
  async (_columns, search) => {
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn(`/accounts${search}`);
    await page.getByText(/^1–50 of /).waitFor();
    expect(await table(page).locator('xpath=..').evaluate(HIDDEN), 'of the table').toBe(0);
    const cells = await table(page).locator('tbody td:last-child').all();
    const hidden = await Promise.all(cells.map((cell) => cell.evaluate(HIDDEN)));
    expect(hidden).toEqual(Array.from({ length: 50 }, () => 0));
    await visitor.leave();
  },
);

it('keeps the time filter inside its panel, on a phone', async () => {
  const visitor = await browser.visit({ onPhone: true });
  const { page } = visitor;
  await visitor.signIn('/rejections');
  const choices = await page.getByRole('radiogroup', { name: 'Time' }).boundingBox();
  const bars = await page.getByRole('group', { name: 'Rejections over time' }).boundingBox();
  expect((choices?.x ?? 0) + (choices?.width ?? 0)).toBeLessThanOrEqual((bars?.x ?? 0) + (bars?.width ?? 0));
  await visitor.leave();
});

it('does not cut off the labels of the paging buttons, on a phone', async () => {
  const visitor = await browser.visit({ onPhone: true });
  const { page } = visitor;
  await visitor.signIn('/accounts');
  for (const name of ['Previous', 'Next']) {
    const label = page.getByRole('button', { name }).locator('.mantine-Button-label');
    expect(await label.evaluate(HIDDEN), name).toBe(0);
  }
  await visitor.leave();
});

it('keeps a long URL and the form of a webhook inside the screen, on a phone', async () => {
  const { key } = await ownTenant();
  const url = `https://example.com/${'a'.repeat(300)}`;
  const { id } = (await request(key, 'POST', '/api/v2/webhooks', { url })).body;
  const visitor = await browser.visit({ onPhone: true });
  const { page } = visitor;
  await visitor.signIn('/webhooks', key);
  await page.getByRole('link', { name: url }).waitFor();
  expect(await page.locator('body').evaluate(HIDDEN), 'of the list').toBe(0);
  await visitor.open(`/webhooks/${id}`);
  await page.getByRole('heading', { level: 1, name: url }).waitFor();
  expect(await page.locator('body').evaluate(HIDDEN), 'of the page').toBe(0);
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Show optional settings' }).click();
  await page.getByRole('button', { name: 'Add a field' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'One of the values' }).waitFor();
  expect(await dialog.evaluate(HIDDEN), 'of the form').toBe(0);
  await visitor.leave();
});

it('does not cut off the runs on a screen of 1280 pixels, with a long duration', async () => {
  const { key } = await ownTenant();
  await request(key, 'PUT', '/api/v2/sources/first', { label: 'Console' });
  const run = (await request(key, 'POST', '/api/v2/runs', {})).body;
  const started = new Date(Date.now() - 400 * 86_400_000).toISOString();
  const visitor = await browser.visit();
  const { page } = visitor;
  await page.route('**/api/v2/runs?**', async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    const data = body.data.map((one: object) => ({
      ...one,
      started_at: started,
      archived: 1234,
      kept: 56_789,
    }));
    return route.fulfill({ response, json: { ...body, data } });
  });
  await visitor.signIn('/runs', key);
  const runs = page.getByRole('table', { name: 'Runs' });
  await runs.getByRole('link', { name: run.id }).waitFor();
  expect(await page.locator('body').evaluate(HIDDEN)).toBe(0);
  expect(await runs.locator('xpath=..').evaluate(HIDDEN), 'of the table').toBe(0);
  const source = await runs.getByText('Console', { exact: true }).boundingBox();
  expect(source?.width, 'of the source').toBeGreaterThan(100);
  await visitor.inspect('runs-long');
  await visitor.leave();
});
