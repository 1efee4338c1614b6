import type { JsonObject } from '../../domain/json.js';
import type { RefusalKind } from './refusals.js';
import type { Sender } from './schema.js';

/** A record, and why it is refused, if it is. */
export interface DemoRecord {
  readonly record: JsonObject;
  readonly refusal?: RefusalKind;
}

/** One request, at its moment. */
export interface Step {
  readonly at: number;
  readonly by: Sender;
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly body?: string;
  readonly contentType?: string;
  /** Of the answer. */
  readonly status: number;
  readonly records: readonly DemoRecord[];
  /** How many entries it adds to the list of what was refused. */
  readonly refused: number;
}

type Call = Pick<Step, 'at' | 'by' | 'method' | 'url' | 'status'>;

/** A request to `/api/v2` about something else than accounts. */
export function call(parts: Call, body?: object): Step {
  const sent = body && { body: JSON.stringify(body), contentType: 'application/json' };
  return { ...parts, ...sent, records: [], refused: 0 };
}

/** Accounts by the operation that fits how many they are: one, a batch, an import. A batch is stored whole or not at all. */
export function sync(at: number, by: Sender, records: readonly DemoRecord[], isImport = false): Step {
  const refused = records.filter(({ refusal }) => refusal !== undefined).length;
  const common = { at, by, method: 'POST', records, refused } as const;
  const sent = records.map(({ record }) => record);
  if (isImport) {
    const body = sent.map((record) => JSON.stringify(record)).join('\n');
    const contentType = 'application/x-ndjson';
    return { ...common, url: '/api/v2/accounts/import', body, contentType, status: 200 };
  }
  const isSingle = sent.length === 1;
  const url = isSingle ? '/api/v1_1/account' : '/api/v1_1/accounts';
  const body = JSON.stringify(isSingle ? sent[0] : sent);
  return { ...common, url, body, contentType: 'application/json', status: refused > 0 ? 400 : 200 };
}
