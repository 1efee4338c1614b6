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

const wrong = () => Promise.reject(httpError('sign_in_failed'));
const ip = (i: number) => `10.0.${i >> 8}.${i & 255}`;

it('limits the failures of one e-mail address from any number of networks, and no other address', async () => {
  let now = 0;
  const throttle = new SignInThrottle(() => now);
  const guess = (i: number, email = 'kim@example.com') =>
    throttle.attempt(requestFrom(ip(i)), { email }, wrong).catch(({ code }) => code);
  for (let i = 0; i < 20; i += 1) expect(await guess(i)).toBe('sign_in_failed');
  for (let i = 20; i < 500; i += 1) expect(await guess(i)).toBe('user_throttled');
  expect(await guess(500, 'lee@example.com')).toBe('sign_in_failed');
  expect(await throttle.attempt(requestFrom(ip(501)), { keyId: 'k' }, async () => 'a key')).toBe('a key');
  now += 60_000;
  expect([await guess(502), await guess(503)]).toEqual(['sign_in_failed', 'user_throttled']);
});

it('does not let attempts for a throttled e-mail address delay others of the same network', async () => {
  const throttle = new SignInThrottle(() => 0);
  const attempt = (i: number, email: string, authorize: () => Promise<unknown>) =>
    throttle.attempt(requestFrom(ip(i)), { email }, authorize).catch(({ code }) => code);
  for (let i = 0; i < 20; i += 1) await attempt(i, 'kim@example.com', wrong);
  for (let i = 0; i < 50; i += 1) expect(await attempt(99, 'kim@example.com', wrong)).toBe('user_throttled');
  expect(await attempt(99, 'lee@example.com', async () => 'signed in')).toBe('signed in');
});

it('counts neither successes nor failures of the service', async () => {
  const throttle = new SignInThrottle(() => 0);
  const attempt = (authorize: () => Promise<unknown>) =>
    throttle.attempt(requestFrom('10.0.0.1'), { email: 'kim@example.com' }, authorize);
  for (let i = 0; i < 50; i += 1) expect(await attempt(async () => i)).toBe(i);
  for (let i = 0; i < 50; i += 1)
    await expect(attempt(() => Promise.reject(httpError('sign_in_busy')))).rejects.toMatchObject({
      code: 'sign_in_busy',
    });
  await expect(attempt(wrong)).rejects.toMatchObject({ code: 'sign_in_failed' });
});
