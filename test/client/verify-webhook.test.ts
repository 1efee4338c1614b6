import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { InvalidWebhookError, verifyWebhook } from '../../client/dist/index.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const NOW = 1_614_265_330_000;
const EVENT = { type: 'webhook.test', timestamp: '2021-02-25T15:02:10.000Z', cursor: null, data: {} };
const BODY = JSON.stringify({ type: 'events', timestamp: EVENT.timestamp, data: [EVENT, 'é 漢'] });

/** Headers by the library of the specification. */
function signed(body = BODY, { secret = SECRET, at = NOW, id = 'msg_1' } = {}): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(at / 1_000),
    'webhook-signature': new Webhook(secret).sign(id, new Date(at), body),
  };
}

const problemOf = (...args: Parameters<typeof verifyWebhook>) =>
  verifyWebhook(...args).then(
    () => 'none',
    (error: Error) => {
      expect(error).toBeInstanceOf(InvalidWebhookError);
      return error.message;
    },
  );

const UNSIGNED = 'No signature is valid: compare the secret with that of the webhook.';

describe('verifyWebhook', () => {
  beforeEach(() => void vi.useFakeTimers({ now: NOW, toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());

  it('returns the message', async () => {
    const message = { id: 'msg_1', timestamp: EVENT.timestamp, data: [EVENT, 'é 漢'] };
    expect(await verifyWebhook(SECRET, signed(), BODY)).toEqual(message);
    expect(await verifyWebhook(SECRET, signed(), new TextEncoder().encode(BODY))).toEqual(message);
    expect(await verifyWebhook(SECRET, new Headers(signed()), BODY)).toEqual(message);
    expect(await verifyWebhook(SECRET.slice('whsec_'.length), signed(), BODY)).toEqual(message);
  });

  it('accepts the test vector of the specification', async () => {
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    const { id } = await verifyWebhook(SECRET, headers, '{"test": 2432232314}');
    expect(id).toBe('msg_p5jXN8AQM9LWM0D4loKWxJek');
  });

  it('accepts one of several signatures', async () => {
    const { 'webhook-signature': valid, ...headers } = signed();
    const other = signed(BODY, { secret: 'whsec_AAAA' })['webhook-signature'];
    const several = { ...headers, 'webhook-signature': `v2,abc v1,!!! ${other} ${valid} v1a,xyz` };
    expect((await verifyWebhook(SECRET, several, BODY)).id).toBe('msg_1');
  });

  it.each<[string, Record<string, string>, string, string]>([
    ['another body', signed(), `${BODY} `, UNSIGNED],
    ['another secret', signed(BODY, { secret: 'whsec_AAAA' }), BODY, UNSIGNED],
    ['another id', { ...signed(), 'webhook-id': 'msg_2' }, BODY, UNSIGNED],
    ['another time', { ...signed(), 'webhook-timestamp': String(NOW / 1_000 - 1) }, BODY, UNSIGNED],
    ['no signature', { ...signed(), 'webhook-signature': '' }, BODY, UNSIGNED],
    ['a signature of another kind', { ...signed(), 'webhook-signature': 'v2,AAAA' }, BODY, UNSIGNED],
    [
      'a time that is none',
      { ...signed(), 'webhook-timestamp': 'now' },
      BODY,
      'webhook-timestamp is not a time.',
    ],
    [
      'an old message',
      signed(BODY, { at: NOW - 301_000 }),
      BODY,
      'The message is too old: compare the clocks of both machines.',
    ],
    [
      'a message of the future',
      signed(BODY, { at: NOW + 301_000 }),
      BODY,
      'The message is of the future: compare the clocks of both machines.',
    ],
    ['no headers', {}, BODY, 'The header webhook-id is missing.'],
  ])('rejects %s', async (_what, headers, body, problem) => {
    expect(await problemOf(SECRET, headers, body)).toBe(problem);
  });

  it('rejects a secret that is none as an error of the program', async () => {
    const problem = 'The secret is not one of a webhook: it begins with whsec_.';
    await expect(verifyWebhook('whsec_', signed(), BODY)).rejects.toThrow(new TypeError(problem));
    await expect(verifyWebhook('not base64!', signed(), BODY)).rejects.toThrow(new TypeError(problem));
  });
});
