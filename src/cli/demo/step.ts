import type { JsonObject } from '../../domain/json.js';
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

/** What goes wrong in integrations: each makes a record about an account that is refused. */
export const REFUSALS = {
  textForInteger: ({ account_id }) => ({ account_id, licenses: 'twelve' }),
  fractionForInteger: ({ account_id }) => ({ account_id, licenses: 12.5 }),
  impossibleDate: ({ account_id }) => ({ account_id, custom_Renewal_On: '2027-02-30' }),
  dateInAnotherForm: ({ account_id }) => ({ account_id, custom_Renewal_On: '31/12/2027' }),
  wordForMoment: ({ account_id }) => ({ account_id, custom_Last_Login_At: 'Invalid Date' }),
  unknownTier: ({ account_id, name }) => ({ account_id, name: name ?? null, custom_Tier: 'Platinum' }),
  unknownHealth: ({ account_id }) => ({ account_id, custom_Health: 'red' }),
  decimalWithCommas: ({ account_id }) => ({ account_id, custom_ARR: '12,000.00' }),
  wordForBoolean: ({ account_id }) => ({ account_id, custom_Is_Reference: 'yes' }),
  numberForText: ({ account_id }) => ({ account_id, custom_Owner: 4_711 }),
  numberForName: ({ account_id }) => ({ account_id, name: 20_260 }),
  nameTooLong: ({ account_id, name }) => ({ account_id, name: String(name).padEnd(240, ' and Partners') }),
  blockedSuffix: ({ name }) => ({ account_id: 'sandbox-7.test', name: name ?? null, licenses: 1 }),
  blockedPlaceholder: ({ name }) => ({ account_id: 'null', name: name ?? null }),
  ownParent: ({ account_id }) => ({ account_id, parent_account_id: account_id }),
  noId: ({ name, licenses }) => ({ name: name ?? null, licenses: licenses ?? null }),
  kept: ({ account_id }) => ({ account_id, updated_at: '2026-01-01T00:00:00Z' }),
  readOnly: ({ account_id }) => ({ account_id, custom_Legacy_Id: 'L-10001' }),
  twoAtOnce: ({ account_id }) => ({ account_id, licenses: '', custom_Renewal_On: 'soon' }),
} as const satisfies Record<string, (account: AccountState) => JsonObject>;

export type RefusalKind = keyof typeof REFUSALS;
export const REFUSAL_KINDS = Object.keys(REFUSALS) as readonly RefusalKind[];

/** An account as a record that would make it. */
export type AccountState = JsonObject & { readonly account_id: string };
