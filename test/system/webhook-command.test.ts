import { AccountSync } from '@account-sync/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, databases } from '../support/databases.js';
import { run, runJson, Service, type Settings } from '../support/service.js';
import { answer, WebhookReceiver } from '../support/webhook-receiver.js';

const SHORT_TIME = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/g;
const ADDRESS = 'https://example.com/events';

describe.each(databases)('account-sync webhook, with a server on %s', (_name, createDatabase) => {
  let database: Database;
  let service: Service;
  let client: AccountSync;
  let caller: Settings;
  beforeAll(async () => {
    database = await createDatabase();
    service = await Service.start({
      ...database.settings,
      ACCOUNT_SYNC_WEBHOOK_PRIVATE_HOSTS: '127.0.0.1',
    });
    client = new AccountSync({ url: service.url, key: service.key });
    caller = { ACCOUNT_SYNC_URL: service.url, ACCOUNT_SYNC_KEY: service.key };
  });
  afterAll(async () => {
    await service.stop();
    await database.remove();
  });

  const webhook = (...args: string[]) => run(['webhook', ...args], caller);
  const json = (...args: string[]) => runJson(caller, 'webhook', ...args);
  /** As long as a time, so that columns still align. */
  const TIME = 'TIME...................';
  /** The output of a command that succeeds, without times. */
  const output = async (...args: string[]) => {
    const { status, stdout, stderr } = await webhook(...args);
    expect([status, stderr]).toEqual([0, '']);
    return stdout.replace(SHORT_TIME, TIME);
  };
  const create = async (address: string, ...args: string[]): Promise<{ id: string; secret: string }> =>
    json('create', address, ...args);
  const lines = (...all: string[]) => all.map((line) => `${line}\n`).join('');

  it('creates, lists, shows, changes and removes webhooks', async () => {
    expect(await output('list')).toBe(
      'No webhooks yet. Create one with: account-sync webhook create https://example.com/events\n',
    );
    expect(await json('list')).toEqual([]);
    const created = await output('create', ADDRESS);
    const [, first = ''] = /^Created the webhook (wh_[0-9a-f]{12})\./.exec(created) ?? [];
    const [, secret = ''] = /^Secret {2}(whsec_\S{43}=)$/m.exec(created) ?? [];
    expect(created).toBe(
      lines(
        `Created the webhook ${first}. It gets events from now on.`,
        '',
        `Secret  ${secret}`,
        '',
        'It is not shown again: store it where the receiver reads it.',
      ),
    );
    const { id } = await create(
      'https://crm.example.com/',
      ...['--description', 'Back to the CRM', '--event', 'account.created', 'account.updated'],
      ...['--source', 'default', '--field', 'licenses', 'custom_Tier', '--batch-size', '7'],
      ...['--value', 'custom_Tier=gold', 'custom_Tier=silver', 'licenses=5', 'custom_Zip="5"'],
    );
    expect(await output('list')).toBe(
      lines(
        'WEBHOOK          STATE   FAILURES  DELIVERED  ADDRESS                     DESCRIPTION',
        `${first}  active  0         –          https://example.com/events`,
        `${id}  active  0         –          https://crm.example.com/    Back to the CRM`,
      ),
    );
    const { cursor } = await client.webhooks.get(id);
    const end = [`Cursor       ${cursor} (has got everything)`, 'Delivered    –'];
    expect(await output('show', first)).toBe(
      lines(
        `Webhook      ${first} (active)`,
        `Address      ${ADDRESS}`,
        'Events       all',
        'Batch size   100',
        ...end,
      ),
    );
    expect(await output('show', id)).toBe(
      lines(
        `Webhook      ${id} (active)`,
        'Address      https://crm.example.com/',
        'Description  Back to the CRM',
        'Events       account.created, account.updated',
        'Sources      default',
        'Fields       licenses, custom_Tier',
        'Value        custom_Tier "gold" or "silver"',
        'Value        licenses 5',
        'Value        custom_Zip "5"',
        'Batch size   7',
        ...end,
      ),
    );
    // What is not given stays, also the other parts of the filter.
    expect(await json('set', id, '--field', 'name')).toMatchObject({
      filter: {
        sources: ['default'],
        fields: ['name'],
        values: { custom_Tier: ['gold', 'silver'], licenses: [5], custom_Zip: ['5'] },
      },
      batch_size: 7,
      description: 'Back to the CRM',
    });
    expect(await json('set', id, '--all', '--field', 'licenses', '--batch-size', '100')).toMatchObject({
      filter: { sources: [], fields: ['licenses'], values: {} },
      batch_size: 100,
    });
    expect(await output('set', id, '--all', '--address', ADDRESS, '--description', '')).toBe(
      lines(
        `Webhook      ${id} (active)`,
        `Address      ${ADDRESS}`,
        'Events       all',
        'Batch size   100',
        ...end,
      ),
    );
    expect(await output('remove', id)).toBe(`Removed the webhook ${id}.\n`);
    expect(await json('remove', first)).toEqual({ id: first, removed: true });
    expect(await json('list')).toEqual([]);
  });

  it('pauses, resumes and replays', async () => {
    const receiver = await WebhookReceiver.start();
    const { id } = await create(receiver.url, '--event', 'account.created');
    expect(await output('pause', id)).toBe(
      `Paused ${id}. Continue with: account-sync webhook resume ${id}\n`,
    );
    const { cursor } = await client.webhooks.get(id);
    await client.upsert({ account_id: 'while-paused' });
    expect(await output('show', id)).toContain(`Webhook      ${id} (paused)\n`);
    expect(await output('resume', id)).toBe(`Resumed ${id}. It continues after ${cursor}.\n`);
    await expect.poll(() => receiver.accounts).toEqual(['while-paused']);
    expect(await output('replay', id, '--after', cursor)).toBe(
      `${id} gets everything after ${cursor} again.\n`,
    );
    await expect.poll(() => receiver.accounts).toEqual(['while-paused', 'while-paused']);
    const replayed = await json('replay', id, '--since', '2026-01-31T12:00:00Z');
    expect(replayed).toMatchObject({ id, cursor: '0~0' });
    await expect.poll(() => receiver.accounts).toHaveLength(3);
    await json('remove', id);
  });

  it('sends a test event, and lists deliveries with the beginning of the answer', async () => {
    const receiver = await WebhookReceiver.start();
    const { id } = await create(receiver.url);
    expect(await output('deliveries', id)).toBe('No deliveries.\n');
    receiver.next.push(
      answer(202, {}, 'thanks'),
      answer(500, {}, `broken\u001b[31m ${'x'.repeat(100)}\nmore`),
    );
    const taken = await webhook('test', id);
    const [, ms = '', first = ''] = /after (\d+) ms\.\nMessage {2}(\S+)$/m.exec(taken.stdout) ?? [];
    expect(taken).toEqual({
      status: 0,
      stdout: lines(`Taken: it answered 202 after ${ms} ms.`, `Message  ${first}`, 'Answer   thanks'),
      stderr: '',
    });
    const failed = await webhook('test', id);
    const [, second = ''] = /^Message {2}(\S+)$/m.exec(failed.stdout) ?? [];
    expect(failed).toEqual({
      status: 1,
      stdout: lines(
        'Not taken. It answered 500.',
        `Message  ${second}`,
        `Answer   broken\\u001b[31m ${'x'.repeat(100)}`,
        'more',
      ),
      stderr: '',
    });
    const [newest, oldest] = await json('deliveries', id);
    const width = Math.max(2, ...[newest, oldest].map((one) => String(one.took_ms).length));
    const row = (message: string, status: number, took: number, result: string, text: string) =>
      `${TIME}  ${message}  1         1       1        ${status}     ${String(took).padEnd(width)}  ${result}  ${text}`;
    const head = `AT                       MESSAGE                MESSAGES  EVENTS  ATTEMPT  STATUS  ${'MS'.padEnd(width)}  RESULT`;
    const beginning = `broken\\u001b[31m ${'x'.repeat(48)}…`;
    expect(await output('deliveries', id)).toBe(
      lines(
        `${head}            ANSWER`,
        row(second, 500, newest.took_ms, 'It answered 500.', beginning),
        row(first, 202, oldest.took_ms, 'taken           ', 'thanks'),
      ),
    );
    expect((await output('deliveries', id, '--limit', '1')).split('\n').slice(1)).toEqual([
      expect.stringContaining(second),
      '',
    ]);
    expect(await json('deliveries', id, '--failed')).toEqual([newest]);
    await json('remove', id);
  });

  it('shows a webhook that fails, how often and when it is tried again', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.reply = answer(503, { 'retry-after': '3600' });
    const { id } = await create(receiver.url);
    await client.upsert({ account_id: 'not-taken' });
    await expect.poll(async () => (await client.webhooks.get(id)).failures).toBe(1);
    const { cursor } = await client.webhooks.get(id);
    expect(await output('show', id)).toBe(
      lines(
        `Webhook      ${id} (failing)`,
        `Address      ${receiver.url}`,
        'Events       all',
        'Batch size   100',
        `Cursor       ${cursor}`,
        'Delivered    –',
        `Failing      since ${TIME}, once; next attempt ${TIME}`,
        'Last error   It answered 503.',
      ),
    );
    expect(await output('list')).toBe(
      lines(
        `WEBHOOK          STATE    FAILURES  DELIVERED  ${'ADDRESS'.padEnd(receiver.url.length)}  DESCRIPTION`,
        `${id}  failing  1         –          ${receiver.url}`,
      ),
    );
    receiver.reply = answer(410);
    await output('resume', id);
    await expect.poll(async () => (await client.webhooks.get(id)).state).toBe('disabled');
    const { reason } = await client.webhooks.get(id);
    expect(await output('show', id)).toContain(
      lines(`Webhook      ${id} (disabled)`, `Reason       ${reason}`),
    );
    await json('remove', id);
  });

  it('replaces the secret', async () => {
    const { id, secret } = await create(ADDRESS);
    const rotated = await output('rotate', id);
    const [, newSecret = ''] = /^Secret {2}(whsec_\S{43}=)$/m.exec(rotated) ?? [];
    expect(newSecret).not.toBe(secret);
    expect(rotated).toBe(
      lines(
        `${id} has a new secret. The old one is valid until ${TIME}.`,
        '',
        `Secret  ${newSecret}`,
        '',
        'It is not shown again: store it where the receiver reads it.',
      ),
    );
    expect(await output('show', id)).toContain(`Old secret   valid until ${TIME}\n`);
    await json('remove', id);
  });
});
