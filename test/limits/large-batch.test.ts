import { expect, it } from 'vitest';
import { RunningServer } from '../http/running-server.js';

it('a large batch of unknown fields is validated outside the event loop', async () => {
  const server = await RunningServer.start();
  const key = await server.addTenant('acme', { undeclaredFields: 'reject' });
  // Turns of the event loop between the end of the body and the response.
  let turns = 0;
  let isChecking = false;
  const count = () => {
    turns += 1;
    if (isChecking) setImmediate(count);
  };
  server.app.addHook('preHandler', async () => {
    isChecking = true;
    setImmediate(count);
  });
  server.app.addHook('onSend', async () => {
    isChecking = false;
  });
  const names = Array.from({ length: 60 }, (_, i) => `licences_${i}`);
  const fields = Object.fromEntries(names.map((name) => [name, 1]));
  const batch = Array.from({ length: 4_000 }, (_, i) => ({ account_id: `a-${i}`, ...fields }));
  const { statusCode, body } = await server.post('/api/v1_1/accounts', key, batch);
  expect(statusCode).toBe(400);
  const { success, errors, errors_by_attributes: byAttributes } = JSON.parse(body);
  expect(success).toBe(false);
  expect([errors.length, byAttributes.length]).toEqual([4_000, 4_000]);
  const messages = names.map((name) => `Account a-3999, ${name} is not a known field.`);
  expect(errors[3_999]).toEqual(messages);
  expect(Object.keys(byAttributes[3_999])).toEqual(names);
  expect(turns).toBeGreaterThan(5);
  await server.stop();
});
