import { describe, expect, it } from 'vitest';
import { generateKey } from './api-key.js';
import { redact } from './redact.js';

const { key } = generateKey((bytes) => new Uint8Array(bytes).fill(7));

describe('a field is redacted by its name', () => {
  it.each([
    ...['password', 'Passwort', 'custom_Passphrase', 'pwd', 'db_pwd', 'userPwd'],
    ...['secret', 'clientSecret', 'credentials', 'Authorization', 'authorisation', 'bearer', 'cookie'],
    ...['key', 'Key', 'custom_Key', 'api_key', 'apikey', 'APIKey', 'api-keys', 'x-api-key', 'API_KEY_2'],
    ...['access_key', 'accessKeyId', 'private key', 'signingKey', 'license_key', 'licenseKey'],
    ...['session_id', 'sessionId', 'sessionid', 'session_ids', 'PHPSESSID'],
    ...['iban', 'credit_card', 'creditCard', 'card_number', 'cardNo', 'cvv', 'CVC2', 'cardCvc'],
    ...['pin', 'custom_PIN', 'pinCode', 'ssn', 'employeeSSN', 'social_security_number'],
    // A count is not secret, but its name looks like that of a token.
    ...['token', 'refreshToken', 'custom_Token_Count'],
  ])('%s', (name) => {
    expect(redact({ [name]: 'x' })).toEqual({ [name]: '[redacted]' });
  });

  it('at any depth and for any value', () => {
    expect(redact([{ a: { password: { old: 1 }, name: 'Acme' } }, 7, null])).toEqual([
      { a: { password: '[redacted]', name: 'Acme' } },
      7,
      null,
    ]);
  });
});

describe('a field is not redacted', () => {
  it.each([
    ...[
      'name',
      'account_id',
      'parent_account_id',
      'licenses',
      'license',
      'custom_License_Count',
      'custom_Tier',
    ],
    ...['custom_Key_Account', 'custom_Key_Account_Manager', 'keyAccount', 'keywords', 'key_contact'],
    ...['monkey', 'MONKEY', 'Turkey', 'hockey'],
    ...['businessName', 'business_name', 'shipping', 'spin', 'pinned', 'opinion'],
    ...['session_idle_minutes', 'sessions', 'custom_Card', 'discard', 'passengers', 'compass'],
  ])('%s', (name) => {
    expect(redact({ [name]: 'x' })).toEqual({ [name]: 'x' });
  });
});

describe('a text is redacted by its content', () => {
  it.each([
    ['an API key of this service', key],
    ['an API key without its checksum', key.slice(0, -6)],
    ['an API key within a text', `it was ${key}.`],
    ['the token of a link', `https://a.example/console/welcome#lnk_${'x-Y_0'.repeat(9).slice(0, 43)}`],
    ['a bearer token', 'Bearer abc'],
    ['a bearer token in lower case', ' bearer abc'],
  ])('%s', (_what, text) => {
    expect(redact({ notes: text, list: [text] })).toEqual({ notes: '[redacted]', list: ['[redacted]'] });
    expect(redact(text)).toBe('[redacted]');
  });

  it.each([
    'acs_',
    'acs_holdings_inc',
    'acs_prod',
    'lnk_',
    'lnk_to_customer',
    'Bearer',
    'Bearers of news',
    'the bearer of this',
  ])('but not %s', (text) => {
    expect(redact({ notes: text })).toEqual({ notes: text });
  });
});
