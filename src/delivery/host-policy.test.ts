import type { LookupAddress } from 'node:dns';
import { describe, expect, it } from 'vitest';
import { HostPolicy, isPublic, PrivateAddress } from './host-policy.js';

const ASK = 'the operator can allow it with ACCOUNT_SYNC_WEBHOOK_PRIVATE_HOSTS';
const PRIVATE = `must not have a private address; ${ASK}`;
const LOCALHOST = `must not have the host localhost; ${ASK}`;
const HTTPS = 'must begin with https://';
const FORM = 'must be a URL such as https://example.com/events';

describe('the URL of a webhook', () => {
  it.each([
    ['https://example.com/events', undefined],
    ['https://example.com:8443/events?tenant=acme', undefined],
    ['https://93.184.215.14/', undefined],
    ['https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/', undefined],
    ['http://example.com/', HTTPS],
    ['ftp://example.com/', FORM],
    ['file:///etc/passwd', FORM],
    ['gopher://example.com/', FORM],
    ['example.com', FORM],
    ['', FORM],
    ['https://', FORM],
    // Credentials, which also hide the host: this one is that of 127.0.0.1.
    ['https://user:secret@example.com/', 'must not contain a user name or password'],
    ['https://example.com@127.0.0.1/', 'must not contain a user name or password'],
    ['https://example.com/#part', 'must not contain a fragment'],
    [`https://example.com/${'a'.repeat(2_000)}`, 'must not be longer than 2000 characters'],
    // This machine, by its names.
    ['https://localhost/', LOCALHOST],
    ['https://LOCALHOST./', LOCALHOST],
    ['https://service.localhost/', LOCALHOST],
    // IPv4 in all forms that URLs allow.
    ['https://127.0.0.1/', PRIVATE],
    ['https://127.1/', PRIVATE],
    ['https://2130706433/', PRIVATE],
    ['https://0x7f000001/', PRIVATE],
    ['https://0177.0.0.1/', PRIVATE],
    ['https://127.0.0.1./', PRIVATE],
    ['https://①②⑦.⓪.⓪.①/', PRIVATE],
    ['https://0.0.0.0/', PRIVATE],
    ['https://0/', PRIVATE],
    ['https://10.1.2.3/', PRIVATE],
    ['https://172.16.0.1/', PRIVATE],
    ['https://172.31.255.255/', PRIVATE],
    ['https://192.168.1.1/', PRIVATE],
    ['https://100.64.0.1/', PRIVATE],
    ['https://255.255.255.255/', PRIVATE],
    ['https://224.0.0.1/', PRIVATE],
    // The metadata services of clouds.
    ['https://169.254.169.254/latest/meta-data/', PRIVATE],
    ['https://[fd00:ec2::254]/latest/meta-data/', PRIVATE],
    ['https://100.100.100.200/latest/meta-data/', PRIVATE],
    ['https://192.0.0.192/opc/v2/', PRIVATE],
    // IPv6, also with an IPv4 address in it.
    ['https://[::1]/', PRIVATE],
    ['https://[::]/', PRIVATE],
    ['https://[0:0:0:0:0:0:0:1]/', PRIVATE],
    ['https://[::ffff:127.0.0.1]/', PRIVATE],
    ['https://[::ffff:7f00:1]/', PRIVATE],
    ['https://[::127.0.0.1]/', PRIVATE],
    ['https://[64:ff9b::7f00:1]/', PRIVATE],
    ['https://[64:ff9b:1::a00:1]/', PRIVATE],
    ['https://[2002:7f00:1::]/', PRIVATE],
    ['https://[2001:0:7f00:1::]/', PRIVATE],
    ['https://[fe80::1]/', PRIVATE],
    ['https://[fc00::1]/', PRIVATE],
    ['https://[ff02::1]/', PRIVATE],
    ['https://[2001:db8::1]/', PRIVATE],
  ])('%s: %s', (url, problem) => {
    expect(new HostPolicy().problemOf(url)).toBe(problem);
  });

  it.each([
    ['http://127.0.0.1:9000/', undefined],
    ['http://10.1.2.3/', undefined],
    ['http://[fd00::5]/', undefined],
    ['http://crm.internal/', undefined],
    ['http://CRM.internal./', undefined],
    ['http://localhost:9000/', undefined],
    ['https://10.2.0.1/', PRIVATE],
    ['http://other.internal/', HTTPS],
    ['http://10.1.2.3@example.com/', 'must not contain a user name or password'],
  ])('may be private if the operator allows it: %s: %s', (url, problem) => {
    const hosts = ['127.0.0.1', '10.1.0.0/16', 'fd00::/8', 'crm.internal', 'localhost'];
    expect(new HostPolicy(hosts).problemOf(url)).toBe(problem);
  });
});

describe('the addresses of a name', () => {
  const resolve = (policy: HostPolicy, name: string, all = true) =>
    new Promise((done) => {
      policy.lookup(name, { all }, (error, address) => done(error ?? address));
    });
  const policyFor = (answers: readonly LookupAddress[][], hosts: readonly string[] = []) => {
    let call = 0;
    return new HostPolicy(hosts, async () => {
      const addresses = answers[Math.min(call, answers.length - 1)] ?? [];
      call += 1;
      return addresses;
    });
  };
  const open = { address: '93.184.215.14', family: 4 };

  it('are used as they were checked', async () => {
    const other = { address: '2606:2800:21f::1', family: 6 };
    expect(await resolve(policyFor([[open, other]]), 'example.com')).toEqual([open, other]);
    expect(await resolve(policyFor([[open, other]]), 'example.com', false)).toBe('93.184.215.14');
  });

  it.each([
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '::1',
    '::ffff:127.0.0.1',
    '64:ff9b::a9fe:a9fe',
    'fe80::1',
    'fd12::1',
  ])('are refused if one is private: %s', async (address) => {
    const addresses = [open, { address, family: address.includes(':') ? 6 : 4 }];
    const found = await resolve(policyFor([addresses]), 'rebound.example');
    expect(found).toEqual(new PrivateAddress('rebound.example resolves to a private address'));
  });

  it('are checked again for every connection, so that a name cannot be rebound', async () => {
    const policy = policyFor([[open], [{ address: '127.0.0.1', family: 4 }]]);
    expect(await resolve(policy, 'rebound.example')).toEqual([open]);
    expect(await resolve(policy, 'rebound.example')).toBeInstanceOf(PrivateAddress);
  });

  it('may be private for names and networks that the operator allows', async () => {
    const inside = [{ address: '10.1.2.3', family: 4 }];
    expect(await resolve(policyFor([inside], ['crm.internal']), 'crm.internal')).toEqual(inside);
    expect(await resolve(policyFor([inside], ['10.1.0.0/16']), 'any.example')).toEqual(inside);
    expect(await resolve(policyFor([inside], ['10.2.0.0/16']), 'any.example')).toBeInstanceOf(PrivateAddress);
  });

  it('are refused if there are none', async () => {
    expect(await resolve(policyFor([[]]), 'empty.example')).toBeInstanceOf(PrivateAddress);
  });
});

it('an address is public if it belongs to the internet', () => {
  expect(['8.8.8.8', '1.1.1.1', '172.32.0.1', '2600::1'].map(isPublic)).toEqual([true, true, true, true]);
  expect(isPublic('not an address')).toBe(false);
});
