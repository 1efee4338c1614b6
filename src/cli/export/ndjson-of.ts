import type { ExportedRecord } from './exported-record.js';

export async function* ndjsonOf(records: AsyncIterable<ExportedRecord>): AsyncGenerator<string> {
  for await (const record of records) yield `${JSON.stringify(record)}\n`;
}
