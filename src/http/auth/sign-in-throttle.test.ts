import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { httpError } from '../errors.js';
import { SignInThrottle } from './sign-in-throttle.js';

const requestFrom = (ip: string) =>
  ({ ip, socket: {}, log: { warn: () => {} } }) as unknown as FastifyRequest;
const fail = (attempts: SignInThrottle, ip: string) =>
  attempts.watch(requestFrom(ip), 'k', () => Promise.reject(httpError('unauthenticated')));

it('keeps ten thousand addresses in mind, those that failed last', async () => {
  const attempts = new SignInThrottle(() => 0);
  const address = (i: number) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`;
  const first = '203.0.113.7';
  for (let i = 0; i < 10; i += 1)
    await expect(fail(attempts, first)).rejects.toMatchObject({ code: 'unauthenticated' });
  for (let i = 0; i < 9_999; i += 1) await fail(attempts, address(i)).catch(() => {});
  await expect(fail(attempts, first)).rejects.toThrow('Try again in 60 seconds.');
  await fail(attempts, address(9_999)).catch(() => {});
  await expect(fail(attempts, first)).rejects.toMatchObject({ code: 'unauthenticated' });
});
