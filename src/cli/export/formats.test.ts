import { expect, it } from 'vitest';
import { formatOf, isCompressed } from './export-file.js';

it.each([
  ['accounts.csv', 'csv', false],
  ['accounts.csv.gz', 'csv', true],
  ['accounts.ndjson', 'ndjson', false],
  ['accounts.jsonl', 'ndjson', false],
  ['ACCOUNTS.JSONL.GZ', 'ndjson', true],
  ['accounts.ndjson.bak', 'csv', false],
  ['gz', 'csv', false],
  ['', 'csv', false],
])('a file named %j contains %s, compressed: %s', (name, format, compressed) => {
  expect([formatOf(name), isCompressed(name)]).toEqual([format, compressed]);
});
