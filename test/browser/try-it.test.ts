import { describe, expect, inject, it } from 'vitest';
import { request } from './own-tenant.js';
import { browserForTests, type Visitor, WIDTHS } from './visitor.js';

const browser = browserForTests();

const write = ({ page }: Visitor, value: unknown) =>
  page
    .getByRole('textbox', { name: 'Records' })
    .fill(typeof value === 'string' ? value : JSON.stringify(value, null, 2));

const stored = async (id: string) => {
  const { status, body } = await request(
    inject('consoleKeys').all,
    'GET',
    `/api/v2/accounts/${encodeURIComponent(id)}`,
  );
  return status === 404 ? undefined : body;
};

describe.each(WIDTHS)('Try it, %o', ({ onPhone }) => {
  it('validates records without storing them, then sends them, and shows each result', async () => {
    const visitor = await browser.visit({ onPhone });
    const { page } = visitor;
    const id = `try-${onPhone}.example`;
    await visitor.signIn('/try');
    await write(visitor, [
      { account_id: id, name: "Try it's", licenses: 3 },
      { account_id: id, licenses: 'many' },
    ]);
    await page.getByText('2 records').waitFor();
    await page.getByRole('button', { name: 'Validate' }).click();
    await page.getByText('1 would be created, 1 would be rejected.').waitFor();
    await page.getByText(`Account ${id}, licenses has invalid integer value.`).waitFor();
    expect(await stored(id)).toBeUndefined();
    await visitor.inspect('try-it');

    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('1 created, 1 rejected.').waitFor();
    expect(await stored(id)).toMatchObject({ account_id: id, name: "Try it's", fields: { licenses: 3 } });
    await page.getByRole('list', { name: 'Results' }).getByRole('link', { name: id }).click();
    await page.getByRole('heading', { level: 1, name: "Try it's" }).waitFor();
    await visitor.leave();
  });
});

describe('Try it', () => {
  it('shows the request as a command and as a program, and the raw response', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    await visitor.signIn('/try');
    await write(visitor, { account_id: 'try-code.example', licenses: 'x' });
    await page.getByRole('textbox', { name: 'Records' }).press('Control+Enter');
    await page.getByText('1 would be rejected.').waitFor();
    await page.getByRole('tab', { name: 'Raw' }).click();
    await expect
      .poll(() => page.getByRole('region', { name: 'the response' }).textContent())
      .toContain('"dry_run":true');
    await page.getByRole('tab', { name: 'curl' }).click();
    await page.getByRole('button', { name: 'Copy the command' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      [
        `curl -sS -X POST '${visitor.url}/api/v2/accounts/import?dry_run=true'`,
        '-H "Authorization: Bearer $ACCOUNT_SYNC_KEY"',
        "-H 'Content-Type: application/json'",
        '--data-binary \'[{\n  "account_id": "try-code.example",\n  "licenses": "x"\n}]\'',
      ].join(' \\\n  '),
    );
    await page.getByRole('tab', { name: 'JavaScript' }).click();
    await page.getByText("from '@account-sync/client'").waitFor();
    await visitor.inspect('try-it-code');
    await visitor.leave();
  });

  it('shows where the JSON is invalid, and sends nothing then', async () => {
    const visitor = await browser.visit();
    await visitor.signIn('/try');
    await write(visitor, '{\n  "account_id": acme\n}');
    await visitor.page.getByText('(line 2, column 17)').waitFor();
    expect(await visitor.page.getByRole('button', { name: 'Validate' }).isDisabled()).toBe(true);
    expect(await visitor.page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
    await visitor.inspect('try-it-wrong');
    await visitor.leave();
  });

  it('marks the response as outdated when the records change, and hides it while they are invalid', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    const outdated = page.getByText(
      'The records have changed since then. This response is for the previous version.',
    );
    const results = page.getByRole('list', { name: 'Results' });
    await visitor.signIn('/try');
    await write(visitor, { account_id: 'try-old.example', licenses: 1 });
    await page.getByRole('button', { name: 'Validate' }).click();
    await page.getByText('1 would be created.').waitFor();
    expect(await outdated.count()).toBe(0);

    await write(visitor, { account_id: 'try-old.example', licenses: 'many' });
    await outdated.waitFor();
    await visitor.inspect('try-it-outdated');
    await write(visitor, '{"account_id": "try-old.example",');
    await page.getByText('No response: the records are not valid JSON').waitFor();
    expect([await results.count(), await outdated.count()]).toEqual([0, 0]);
    await visitor.inspect('try-it-broken');
    await page.getByRole('tab', { name: 'Raw' }).click();
    await page.getByText('No response: the records are not valid JSON').waitFor();
    expect(await page.getByRole('region', { name: 'the response' }).count()).toBe(0);

    await write(visitor, { account_id: 'try-old.example', licenses: 1 });
    await page.getByRole('region', { name: 'the response' }).waitFor();
    expect(await outdated.count()).toBe(0);
    await page.getByRole('tab', { name: 'Response' }).click();
    await write(visitor, { account_id: 'try-old.example', licenses: 'many' });
    await page.getByRole('button', { name: 'Validate' }).click();
    await page.getByText('1 would be rejected.').waitFor();
    expect(await outdated.count()).toBe(0);
    await visitor.leave();
  });

  it('is not available to a key with the scope read only', async () => {
    const visitor = await browser.visit();
    await visitor.signIn('/try', inject('consoleKeys').read);
    await visitor.page.getByText('This page does not exist').waitFor();
    expect(await visitor.page.getByRole('link', { name: 'Try it' }).count()).toBe(0);
    await visitor.leave();
  });
});
