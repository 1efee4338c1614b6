import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { generateSecret } from '../domain/webhook.js';
import { signMessage } from './sign-message.js';

const body = Buffer.from('{"type":"events","data":[{"account_id":"é 漢 \u{1f600}"}]}');

it('signs as the test vector of the specification', () => {
  const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: Buffer.from('{"test": 2432232314}') };
  expect(signMessage(message, ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], 1_614_265_330_999)).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

it('signs as the library of the specification', () => {
  for (let i = 0; i < 50; i += 1) {
    const secret = generateSecret(randomBytes);
    const [id, at] = [`msg_${i}`, Date.now() - i * 1_000];
    const content = Buffer.from(
      JSON.stringify({ account_id: `é 漢 ${randomBytes(i * 20).toString('hex')}` }),
    );
    const headers = signMessage({ id, body: content }, [secret], at);
    const library = new Webhook(secret);
    expect(headers['webhook-signature']).toBe(library.sign(id, new Date(at), content));
    expect(library.verify(content.toString(), headers)).toEqual(JSON.parse(content.toString()));
  }
});

it('signs with both secrets while one replaces the other', () => {
  const [first, second] = [generateSecret(randomBytes), generateSecret(randomBytes)];
  const headers = signMessage({ id: 'msg_1', body }, [second, first], Date.now());
  for (const secret of [first, second]) {
    expect(new Webhook(secret).verify(body.toString(), headers)).toBeDefined();
  }
  expect(() => new Webhook(generateSecret(randomBytes)).verify(body.toString(), headers)).toThrow();
});
