import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { httpError } from '../errors.js';
import { SignInThrottle } from './sign-in-throttle.js';

const requestFrom = (ip: string) =>
  ({ ip, socket: {}, log: { warn: () => {} } }) as unknown as FastifyRequest;
const fail = (throttle: SignInThrottle, ip: string) =>
  throttle.attempt(requestFrom(ip), { keyId: 'k' }, () => Promise.reject(httpError('unauthenticated')));

it('keeps the 10,000 addresses that failed last', async () => {
  const throttle = new SignInThrottle(() => 0);
  const address = (i: number) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`;
  const first = '203.0.113.7';
  for (let i = 0; i < 10; i += 1)
    await expect(fail(throttle, first)).rejects.toMatchObject({ code: 'unauthenticated' });
  for (let i = 0; i < 9_999; i += 1) await fail(throttle, address(i)).catch(() => {});
  await expect(fail(throttle, first)).rejects.toThrow('Try again in 60 seconds.');
  await fail(throttle, address(9_999)).catch(() => {});
  await expect(fail(throttle, first)).rejects.toMatchObject({ code: 'unauthenticated' });
});
