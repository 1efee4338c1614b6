import { describe, expect, it } from 'vitest';
import { TYPE_NAMES } from '../../../../dist/domain/attribute-types.js';
import * as messages from '../../../../dist/domain/messages.js';
import { ArraySplitter } from '../../../../dist/formats/array-splitter.js';
import { JsonBounds } from '../../../../dist/http/body/json-limits.js';
import { parseJsonBody } from '../../../../dist/http/body/parse-json.js';
import { refusals } from '../../../../dist/http/errors.js';
import { kindOf } from './group-refusals';
import { howToFix } from './how-to-fix';

const ID = 'acme, inc.';

const { tooLong, mustBeString, invalidValue, readOnly, unknownField, ...sentences } = messages;

/** Those that take something: a new one is not among the sentences, which `satisfies` notices. */
const fieldMessages: readonly string[] = [
  ...Object.values(sentences satisfies Record<string, string>),
  ...['account_id', 'parent_account_id', 'name'].map((field) => tooLong(field, 191)),
  ...['parent_account_id', 'name'].map(mustBeString),
  ...TYPE_NAMES.map((type) => invalidValue(ID, 'custom_X', type)),
  readOnly(ID, 'created_at'),
  unknownField(ID, 'custom_x', undefined),
  unknownField(ID, 'custom_x', 'custom_X'),
];

const {
  // Answered before it is known whose request it is, or by operations that store no records.
  noHost: _noHost,
  badVersion: _badVersion,
  badHost: _badHost,
  badTransferEncoding: _badTransferEncoding,
  tooManyHeaders: _tooManyHeaders,
  tooManySignIns: _tooManySignIns,
  badPath: _badPath,
  notFound: _notFound,
  wrongMethod: _wrongMethod,
  noSuch: _noSuch,
  conflict: _conflict,
  badBody: _badBody,
  noScope,
  encoded,
  invalid,
  ...others
} = refusals;

const messageOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('Nothing was refused.');
};

const splitting = (text: string) =>
  messageOf(() => {
    const splitter = new ArraySplitter(1_000);
    return [...splitter.push(Buffer.from(text)), ...splitter.end()];
  });

const requestMessages: readonly string[] = [
  ...Object.values(others).map((refusal) => refusal(3).message),
  noScope('sync').message,
  encoded('gzip').message,
  invalid([]).message,
  ...(['body', 'record'] as const).flatMap((what) => [
    messageOf(() => parseJsonBody(Buffer.from([0xff]), what)),
    messageOf(() => parseJsonBody(Buffer.from('{"a":x}'), what)),
    messageOf(() => parseJsonBody(Buffer.from('{'), what)),
    messageOf(() => parseJsonBody(Buffer.from('{"__proto__":1}'), what)),
    ...['['.repeat(33), `{${'"a":1,'.repeat(1_001)}}`, `[${'{},'.repeat(200_000)}`, ','.repeat(100_001)].map(
      (text) => messageOf(() => new JsonBounds(0, what).push(Buffer.from(text))),
    ),
  ]),
  ...['[{}', '[{} {}]', '[{}] x', '[{},,{}]'].map(splitting),
];

describe('how to fix what was refused', () => {
  it.each([...fieldMessages, ...requestMessages])('is told for: %s', (message) => {
    expect(howToFix(kindOf(message, ID))).toBeDefined();
  });

  it('is told by what is said of the field, not by what the field is called', () => {
    const advice = howToFix(kindOf(readOnly(ID, 'is not a known field'), ID));
    expect(advice?.change).toBe('Leave the field out of what you send. What is stored stays.');
  });

  it('is not made up for messages that nobody knows', () => {
    expect(howToFix('The moon is in the wrong phase')).toBeUndefined();
  });
});
