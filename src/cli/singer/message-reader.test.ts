import { describe, expect, it } from 'vitest';
import { KnownFields } from '../import/known-fields.js';
import { MessageReader } from './message-reader.js';
import { parseStreamMappings } from './stream-mappings.js';

const SCHEMA =
  '{"type":"SCHEMA","stream":"Account","schema":{"properties":{"Id":{"type":"string"},"Name":{"type":["null","string"]}}},"key_properties":["Id"]}';
const record = (id: string, more: object = {}, stream = 'Account') =>
  JSON.stringify({ type: 'RECORD', stream, record: { Id: id, ...more } });
const state = (value: unknown) => JSON.stringify({ type: 'STATE', value });

/** Reads pieces of input, each with its lines. */
async function read(mapping: object, ...pieces: (readonly string[])[]) {
  const told = { plans: [] as string[], ignored: [] as string[], states: [] as [number, string][] };
  const reader = new MessageReader({
    mappings: parseStreamMappings(JSON.stringify({ streams: mapping })) ?? new Map(),
    known: new KnownFields(undefined),
    states: { add: (position, value) => told.states.push([position, value]) },
    onPlan: ({ schema }) => told.plans.push(schema.stream),
    onIgnored: (stream) => told.ignored.push(stream),
  });
  async function* lines() {
    let line = 0;
    for (const piece of pieces) {
      yield piece.map((text) => {
        line += 1;
        return { line, text };
      });
    }
  }
  const items: unknown[] = [];
  let problem: string | undefined;
  try {
    for await (const batch of reader.read(lines())) items.push(batch.map(({ record }) => record));
  } catch (error) {
    problem = (error as Error).message;
  }
  return { ...told, items, problem, reader };
}

it('records become items, and states have their position among them', async () => {
  const { items, states, problem } = await read(
    { Account: {} },
    [state('start'), SCHEMA, record('a', { Name: 'A' }), state(1)],
    [record('b'), record('c'), state({ at: 3 })],
  );
  expect(items).toEqual([[{ account_id: 'a', name: 'A' }], [{ account_id: 'b' }, { account_id: 'c' }]]);
  expect(states).toEqual([
    [0, '"start"'],
    [1, '1'],
    [3, '{"at":3}'],
  ]);
  expect(problem).toBeUndefined();
});

it('streams that are not mapped are ignored, and named once', async () => {
  const contacts = SCHEMA.replace('Account', 'Contact');
  const { items, ignored, plans, reader } = await read({ Account: {}, Seats: {} }, [
    contacts,
    record('x', {}, 'Contact'),
    SCHEMA,
    record('a'),
    contacts,
    SCHEMA,
  ]);
  expect({ items, ignored, plans, absent: reader.absentStreams }).toEqual({
    items: [[{ account_id: 'a' }]],
    ignored: ['Contact'],
    plans: ['Account'],
    absent: ['Seats'],
  });
});

it('another SCHEMA of a stream is a new plan', async () => {
  const changed = SCHEMA.replace('"Name"', '"Colour"');
  const { items, plans, problem } = await read({ Account: {} }, [SCHEMA, record('a'), changed, record('b')]);
  expect({ items, plans }).toEqual({ items: [[{ account_id: 'a' }]], plans: ['Account', 'Account'] });
  expect(problem).toMatch(/^Line 3:\nStream Account: Some properties are unknown\./);
});

it('records of accounts that are deleted at the source are counted, unless the mapping keeps that', async () => {
  const deleted = { _sdc_deleted_at: '2026-11-18T10:00:00Z' };
  const lines = [SCHEMA, record('a', deleted), record('b', { _sdc_deleted_at: null }), state(1)];
  const { items, states, reader } = await read({ Account: {} }, lines);
  expect({ items, states, deleted: reader.deleted, ids: reader.deletedIds }).toEqual({
    items: [[{ account_id: 'b' }]],
    states: [[1, '1']],
    deleted: 1,
    ids: ['a'],
  });
  const schema = SCHEMA.replace('"properties":{', '"properties":{"_sdc_deleted_at":{},');
  const kept = await read({ Account: { _sdc_deleted_at: 'custom_Gone' } }, [schema, record('a', deleted)]);
  expect([kept.items, kept.reader.deleted]).toEqual([
    [[{ account_id: 'a', custom_Gone: '2026-11-18T10:00:00Z' }]],
    0,
  ]);
});

it('an input without messages is a mistake', async () => {
  expect(await read({ Account: {} })).toMatchObject({
    items: [],
    problem: 'The tap has sent nothing. Look for the reason in what it prints.',
  });
});

describe('before a line with a mistake everything is read, and nothing after it', () => {
  it.each([
    [
      'a record before its SCHEMA',
      record('x', {}, 'Seats'),
      'Line 3: A record of the stream Seats comes before its SCHEMA message.',
    ],
    [
      'a torn line',
      '{"type":"REC',
      'Line 3: This is not a Singer message but {"type":"REC. A tap writes one JSON object per line.',
    ],
  ])('%s', async (_what, line, message) => {
    const { items, states, problem } = await read({ Account: {} }, [
      SCHEMA,
      record('a'),
      line,
      record('b'),
      state(2),
    ]);
    expect({ items, states, problem }).toEqual({
      items: [[{ account_id: 'a' }]],
      states: [],
      problem: message,
    });
  });
});
