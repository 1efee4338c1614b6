import { describe, it } from 'vitest';
import { expectStored, expectSuccess, expectUnauthenticated } from './expectations.js';
import { operations } from './operations.js';
import { asJson, freshId, sendWithNodeHttp, withKey } from './requests.js';
import { target } from './target.js';

const { plain, hosted } = target.keys;

describe.each(operations)('tenants that sync $name', (operation) => {
  const sendTo = (host: string, key: string) =>
    sendWithNodeHttp(operation.path, {
      headers: { ...asJson, ...withKey(key), host },
      body: operation.body(`{"account_id":"${freshId()}"}`),
    });

  it('have separate accounts', async () => {
    const record = { account_id: freshId(), name: 'Acme' };
    await expectStored(operation, record, 'created', plain);
    await expectStored(operation, record, 'created', hosted);
    await expectStored(operation, record, 'unchanged', plain);
    await expectStored(operation, { ...record, name: 'Other' }, 'updated', hosted);
    await expectStored(operation, record, 'unchanged', plain);
  });

  it.each(['hosted.test', 'hosted.test:8443', 'HOSTED.Test'])(
    'are reached on the host %s with its own key',
    async (host) => {
      expectSuccess(await sendTo(host, hosted));
    },
  );

  it.each(['hosted.test', 'hosted.test:8443', 'HOSTED.Test'])(
    "are not reached on the host %s with another tenant's key",
    async (host) => {
      expectUnauthenticated(await sendTo(host, plain));
    },
  );

  it.each([
    ['that has a host name', hosted],
    ['that has none', plain],
  ])('are reached on a host without a tenant with the key of a tenant %s', async (_which, key) => {
    expectSuccess(await sendTo('elsewhere.test', key));
  });

  it.each(['sub.hosted.test', 'nothosted.test'])('do not own the host %s by a similar name', async (host) => {
    expectSuccess(await sendTo(host, plain));
  });
});
