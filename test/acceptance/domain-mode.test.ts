import { domainToASCII } from 'node:url';
import { describe, it } from 'vitest';
import { expectRejected, expectStored } from './expectations.js';
import { blocked, missingId, notADomain, ownParent } from './messages.js';
import { operations } from './operations.js';
import { freshDomain, freshId } from './requests.js';
import { target } from './target.js';

const key = target.keys.domains;

describe.each(operations)('in domain mode, the account_id of $name', (operation) => {
  it.each([
    ['a domain', () => freshDomain()],
    ['a domain under a suffix of two labels', () => freshDomain('co.uk')],
    ['a subdomain', () => `shop.eu.${freshDomain()}`],
    ['a domain that begins with a digit', () => `1${freshDomain()}`],
    ['a label of 63 characters', () => `${freshId('d').padEnd(63, 'x')}.com`],
    ['an international domain in ASCII', () => domainToASCII(`bücher-${freshDomain('de')}`)],
  ])('may be %s', async (_what, build) => {
    await expectStored(operation, { account_id: build() }, 'created', key);
  });

  it.each([
    ['in lower case', (domain: string) => domain.toUpperCase(), (domain: string) => domain],
    ['trimmed', (domain: string) => ` ${domain}\n`, (domain: string) => domain],
    [
      'in ASCII',
      (domain: string) => `Bücher-${domain}`,
      (domain: string) => domainToASCII(`bücher-${domain}`),
    ],
    [
      'in ASCII, composed',
      (domain: string) => `bu\u0308-${domain}`,
      (domain: string) => domainToASCII(`bü-${domain}`),
    ],
  ])('is stored %s', async (_how, sent, stored) => {
    const domain = freshDomain('de');
    await expectStored(operation, { account_id: sent(domain) }, 'created', key);
    await expectStored(operation, { account_id: stored(domain) }, 'unchanged', key);
    await expectStored(operation, { account_id: sent(domain) }, 'unchanged', key);
  });

  it.each([
    'acme',
    'localhost',
    'com',
    'co.uk',
    'acme.unknownsuffix',
    'acme.local',
    'https://acme.com',
    '//acme.com',
    'acme.com:443',
    'acme.com/',
    'acme.com/path',
    'acme.com?query',
    'acme.com#part',
    'someone@acme.com',
    'user:secret@acme.com',
    'acme.com.',
    '.acme.com',
    'acme..com',
    'my_acme.com',
    '_dmarc.acme.com',
    '-acme.com',
    'acme-.com',
    '*.acme.com',
    'two words.com',
    'acme,com',
    "acme'.com",
    '192.168.0.1',
    '8.8.8.8',
    '::1',
    '[::1]',
    '2001:db8::1',
    `${'x'.repeat(64)}.com`,
  ])('must be a domain, not %s', async (account_id) => {
    await expectRejected(operation, { account_id }, { account_id: [notADomain] }, key);
  });

  it('must be a domain, not an integer', async () => {
    await expectRejected(operation, { account_id: 42 }, { account_id: [notADomain] }, key);
  });

  it.each([{ account_id: '' }, { account_id: null }, { name: 'Acme' }])(
    'is reported only as missing in %j',
    async (record) => {
      await expectRejected(operation, record, { account_id: [missingId] }, key);
    },
  );

  it.each(['blocked.com', 'BLOCKED.com', 'www.blocked.com', 'a.b.blocked.com'])(
    'may not be the blocked domain %s',
    async (account_id) => {
      await expectRejected(operation, { account_id }, { account_id: [blocked] }, key);
    },
  );

  it('is reported first as no domain, then as blocked', async () => {
    await expectRejected(operation, { account_id: 'null' }, { account_id: [notADomain, blocked] }, key);
  });

  it('may have a parent that is no domain', async () => {
    const record = { account_id: freshDomain(), parent_account_id: freshId('no domain') };
    await expectStored(operation, record, 'created', key);
  });

  it.each([
    ['in the same letters', (domain: string) => [domain, domain]],
    ['in its ASCII form', (domain: string) => [domain, domainToASCII(domain)]],
  ])('may not be its own parent %s', async (_how, build) => {
    const [account_id, parent_account_id] = build(`bücher-${freshDomain('de')}`);
    await expectRejected(
      operation,
      { account_id, parent_account_id },
      { parent_account_id: [ownParent] },
      key,
    );
  });
});

describe.each(operations)('outside domain mode, the account_id of $name', (operation) => {
  it('need not be a domain', async () => {
    await expectStored(operation, { account_id: `https://${freshId('a_b')}/` }, 'created');
  });

  it('keeps an international domain unchanged', async () => {
    const domain = `bücher-${freshDomain('de')}`;
    await expectStored(operation, { account_id: domain }, 'created');
    await expectStored(operation, { account_id: domainToASCII(domain) }, 'created');
  });
});
