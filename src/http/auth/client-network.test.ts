import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { clientNetwork } from './sign-in-throttle.js';

const networkOf = (ip: string | undefined, remoteAddress?: string) =>
  clientNetwork({ ip, socket: { remoteAddress } } as FastifyRequest);

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:DB8:0:1:2:3:4:5', '2001:db8:0:1::/64'],
  ['2001:db8:0:1:ffff::9', '2001:db8:0:1::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['203.0.113.7:50123', '203.0.113.7'],
  ['[2001:db8::1]:50123', '2001:db8:0:0::/64'],
  ['[2001:db8::1]', '2001:db8:0:0::/64'],
  ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
])('the network of %s is %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network);
});

it('is the network of the connection if a proxy header holds no address', () => {
  expect(networkOf('<script>', '203.0.113.7')).toBe('203.0.113.7');
  expect(networkOf('', undefined)).toBe('');
});

it('is empty if the client has disconnected', () => {
  expect(networkOf(undefined, undefined)).toBe('');
});
