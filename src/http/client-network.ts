import { isIP, isIPv4 } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** As some proxies write an address. */
const WITH_PORT = /^(?:\[(.*)\]|([\d.]+))(?::\d+)?$/;

/** An address of IPv4; of IPv6 the network of 64 bits around it, all of which one customer of a provider has. */
export function clientNetwork({ ip, socket }: FastifyRequest): string {
  // Behind a proxy that is trusted, a header says it, and may say anything.
  // Nothing, where the caller has gone already.
  const named = (ip ?? '').replace(WITH_PORT, '$1$2');
  const [address = ''] = (isIP(named) === 0 ? (socket.remoteAddress ?? '') : named).split('%');
  const mapped = /^::ffff:(.+)$/i.exec(address)?.[1] ?? '';
  if (isIPv4(mapped)) return mapped;
  return isIP(address) === 6 ? `${firstGroups(address)}::/64` : address;
}

function firstGroups(address: string): string {
  // A URL has one way to write an address: without zeros in front, without dots, and shortened at one place.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = head === '' ? [] : head.split(':');
  const behind = tail ? tail.split(':') : [];
  const zeros = Array(8 - groups.length - behind.length).fill('0');
  return [...groups, ...zeros, ...behind].slice(0, 4).join(':');
}
