import type { AddressInfo } from 'node:net';
import type { TlsFiles } from '../config.js';
import { VERSION } from '../version.js';
import type { Welcome } from './first-start.js';

/** What a server says on standard output once it listens. */
export function banner(url: string, location: string, { bearer, notes }: Welcome): string {
  const curl =
    `curl -X POST ${url}/api/v1_1/account -H "Authorization: Bearer ${bearer}" ` +
    `-H "Content-Type: application/json" -d '{"account_id":"acme","name":"Acme Inc."}'`;
  const [first = '', ...others] = notes;
  return [
    `account-sync ${VERSION}`,
    '',
    `  Address  ${url}`,
    `  Store    ${location}`,
    `  Console  ${url}/console`,
    `  Docs     ${url}/docs`,
    `  API key  ${first}`,
    ...others.map((note) => `           ${note}`),
    ...(bearer === undefined ? [] : ['', 'Send the first account:', '', curl]),
    '',
    '',
  ].join('\n');
}

export function urlOf(
  { address, port }: Pick<AddressInfo, 'address' | 'port'>,
  tls: TlsFiles | undefined,
): string {
  const reachable = ['0.0.0.0', '::'].includes(address) ? '127.0.0.1' : address;
  const protocol = tls === undefined ? 'http' : 'https';
  return `${protocol}://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
