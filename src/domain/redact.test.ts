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
    // A count tells no secret; but nobody can tell it from a token by its name.
    ...['token', 'refreshToken', 'custom_Token_Count'],
  ])('%s', (name) => {
    expect(redact({ [name]: 'x' })).toEqual({ [name]: '[redacted]' });
  });

  it('at any depth, whatever it holds', () => {
    expect(redact([{ a: { password: { old: 1 }, name: 'Acme' } }, 7, null])).toEqual([
      { a: { password: '[redacted]', name: 'Acme' } },
      7,
      null,
    ]);
  });
});

describe('a field is left alone', () => {
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

describe('a text is redacted by what it is', () => {
  it.each([
    ['a key of ours', key],
    ['one without its checksum', key.slice(0, -6)],
    ['one in the middle of a text', `it was ${key}.`],
    ['a bearer token', 'Bearer abc'],
    ['one in any case', ' bearer abc'],
  ])('%s', (_what, text) => {
    expect(redact({ notes: text, list: [text] })).toEqual({ notes: '[redacted]', list: ['[redacted]'] });
    expect(redact(text)).toBe('[redacted]');
  });

  it.each(['acs_', 'acs_holdings_inc', 'acs_prod', 'Bearer', 'Bearers of news', 'the bearer of this'])(
    'but not %s',
    (text) => {
      expect(redact({ notes: text })).toEqual({ notes: text });
    },
  );
});
