import { AccountSync, RefusedError, UnauthenticatedError } from '@account-sync/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshDirectory, Service } from '../support/service.js';

let service: Service;
let client: AccountSync;
beforeAll(async () => {
  service = await Service.start({ ACCOUNT_SYNC_DATA_DIR: await freshDirectory() });
  client = new AccountSync({ url: service.url, key: service.key });
});
afterAll(() => service.stopAndRemove());

it('an account is created, updated, and unchanged', async () => {
  const requestId = expect.stringMatching(/^[0-9a-f-]{36}$/);
  const acme = { account_id: 'Acme', name: 'Acme Inc.', licenses: 25 };
  expect(await client.upsert(acme)).toEqual({ result: 'created', requestId, kept: [] });
  const updated = await client.upsert({ account_id: 'acme', licenses: 30 });
  expect(updated).toEqual({ result: 'updated', requestId, kept: [] });
  expect(await client.upsert({ account_id: ' ACME ' })).toEqual({ result: 'unchanged', requestId, kept: [] });
});

it('a rejected record is reported with every reason', async () => {
  const record = { account_id: 'acme', licenses: 'many', custom_Is_Valid: 'yes' };
  const failure = await client.upsert(record).catch((error: unknown) => error);
  const licenses = 'Account acme, licenses has invalid integer value.';
  const isValid = 'Account acme, custom_Is_Valid has invalid boolean value.';
  expect(failure).toBeInstanceOf(RefusedError);
  const { message, status, messages, errors, record: sent, requestId } = failure as RefusedError;
  expect({ status, messages, errors, sent }).toEqual({
    status: 400,
    messages: [licenses, isValid],
    errors: { licenses: [licenses], custom_Is_Valid: [isValid] },
    sent: record,
  });
  expect(message).toBe(
    `POST ${service.url}/api/v1_1/account returned 400: ${licenses} ${isValid} (request ${requestId})`,
  );
});

it('an unknown key has its own error class', async () => {
  const unknownClient = new AccountSync({ url: service.url, key: 'acs_unknown' });
  const failure = await unknownClient.upsert({ account_id: 'acme' }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(UnauthenticatedError);
  expect(failure).toMatchObject({ status: 401, messages: ['Unauthenticated.'], errors: {} });
  expect((failure as Error).message).toContain('Check the key, and that it belongs to this host.');
});

it('a record may have a type of its own, as long as it has an account_id', async () => {
  interface Customer {
    account_id: string;
    tier: number;
  }
  const customer: Customer = { account_id: 'typed', tier: 3 };
  expect(await client.upsert(customer)).toMatchObject({ result: 'created' });
  // @ts-expect-error: a record without an account_id is a compile error.
  await expect(client.upsert({ tier: 3 })).rejects.toBeInstanceOf(RefusedError);
});

it('the address may have a trailing slash', async () => {
  const slashed = new AccountSync({ url: `${service.url}/`, key: service.key });
  expect(await slashed.upsert({ account_id: 'acme' })).toMatchObject({ result: 'unchanged' });
});
