import { describe, expect, it } from 'vitest';
import { CommandFailed } from '../terminal/command-line.js';
import { readMessage } from './messages.js';

const read = (text: string) => readMessage({ line: 12, text });

describe('a message', () => {
  it.each([
    [
      'SCHEMA of a tap with bookmarks',
      '{"type": "SCHEMA", "stream": "Account", "schema": {"type": "object", "properties": {"Id": {"type": "string"}, "SystemModstamp": {"anyOf": [{"type": "string", "format": "date-time"}, {"type": ["string", "null"]}]}}}, "key_properties": ["Id"], "bookmark_properties": ["SystemModstamp"]}',
      { type: 'SCHEMA', stream: 'Account', properties: ['Id', 'SystemModstamp'], keyProperties: ['Id'] },
    ],
    [
      'SCHEMA without a key or properties',
      '{"type":"SCHEMA","stream":"events","schema":{"type":"object"},"key_properties":null}',
      { type: 'SCHEMA', stream: 'events', properties: [], keyProperties: [] },
    ],
    [
      'RECORD with a version and a time',
      '{"type": "RECORD", "stream": "public-accounts", "record": {"id": 7, "seats": "12.50"}, "version": 1763460000000, "time_extracted": "2026-11-18T10:00:00.000000Z"}',
      { type: 'RECORD', stream: 'public-accounts', record: { id: 7, seats: '12.50' } },
    ],
    [
      'STATE, digit for digit',
      '{"type":"STATE","value":{"bookmarks":{"public-accounts":{"xmin":null,"lsn":18446744073709551615}}}}',
      { type: 'STATE', value: '{"bookmarks":{"public-accounts":{"xmin":null,"lsn":18446744073709551615}}}' },
    ],
    [
      'ACTIVATE_VERSION',
      '{"stream": "public-accounts", "version": 1763460000000, "type": "ACTIVATE_VERSION"}',
      { type: 'ACTIVATE_VERSION' },
    ],
    [
      'type in lower case',
      '{"type":"record","stream":"a","record":{}}',
      { type: 'RECORD', stream: 'a', record: {} },
    ],
  ])('%s', (_what, text, message) => {
    expect(read(text)).toEqual(message);
  });
});

describe('the command ends at', () => {
  it.each([
    [
      'INFO Starting sync',
      'This is not a Singer message but INFO Starting sync. A tap writes one JSON object per line.',
    ],
    ['[1]', 'This is not a Singer message but [1]. A tap writes one JSON object per line.'],
    [
      `{"type":"RECORD","stream":"a","record":{"name":"${'x'.repeat(80)}`,
      `This is not a Singer message but {"type":"RECORD","stream":"a","record":{"name":"${'x'.repeat(11)}…. A tap writes one JSON object per line.`,
    ],
    ['{"type":"SCHEMA","stream":"a"}', 'The SCHEMA message has no object "schema".'],
    ['{"type":"SCHEMA","schema":{}}', 'The SCHEMA message names no "stream".'],
    ['{"type":"RECORD","stream":"a","record":[]}', 'The RECORD message has no object "record".'],
    ['{"type":"RECORD","record":{}}', 'The RECORD message names no "stream".'],
    ['{"type":"STATE"}', 'The STATE message has no "value".'],
    [
      '{"type":"BATCH","stream":"a","encoding":{"format":"jsonl","compression":"gzip"},"manifest":["file:///tmp/a.gz"]}',
      'The tap sends BATCH messages, which only name files. Remove batch_config from its configuration, so that it sends records.',
    ],
    [
      '{"type":"UPSERT","stream":"a"}',
      'The message type "UPSERT" is unknown. It may hold records, so nothing after it is read.',
    ],
    ['{}', 'The message type null is unknown. It may hold records, so nothing after it is read.'],
  ])('%s', (text, problem) => {
    expect(() => read(text)).toThrow(new CommandFailed(`Line 12: ${problem}`));
  });
});
