import type { JsonObject } from '../../domain/json.js';
import type { Sender } from './schema.js';

/** A record, and why it is rejected, if it is. */
export interface DemoRecord {
  readonly record: JsonObject;
  readonly rejection?: RejectionKind;
}

/** One request and its time. */
export interface Step {
  readonly at: number;
  readonly by: Sender;
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly body?: string;
  readonly contentType?: string;
  /** The expected status of the response. */
  readonly status: number;
  readonly records: readonly DemoRecord[];
  /** The number of entries that it adds to the rejection log. */
  readonly rejections: number;
}

type Call = Pick<Step, 'at' | 'by' | 'method' | 'url' | 'status'>;

/** A request to `/api/v2` that sends no accounts. */
export function call(parts: Call, body?: object): Step {
  const sent = body && { body: JSON.stringify(body), contentType: 'application/json' };
  return { ...parts, ...sent, records: [], rejections: 0 };
}

/** Sends accounts as a single record, a batch or an import. A batch with an invalid record is rejected as a whole. */
export function sync(at: number, by: Sender, records: readonly DemoRecord[], isImport = false): Step {
  const rejections = records.filter(({ rejection }) => rejection !== undefined).length;
  const common = { at, by, method: 'POST', records, rejections } as const;
  const sent = records.map(({ record }) => record);
  if (isImport) {
    const body = sent.map((record) => JSON.stringify(record)).join('\n');
    const contentType = 'application/x-ndjson';
    return { ...common, url: '/api/v2/accounts/import', body, contentType, status: 200 };
  }
  const isSingle = sent.length === 1;
  const url = isSingle ? '/api/v1_1/account' : '/api/v1_1/accounts';
  const body = JSON.stringify(isSingle ? sent[0] : sent);
  return { ...common, url, body, contentType: 'application/json', status: rejections > 0 ? 400 : 200 };
}

/** Typical errors of integrations: each function makes a rejected record about an account. */
export const REJECTED_RECORDS = {
  textForInteger: ({ account_id }) => ({ account_id, licenses: 'twelve' }),
  fractionForInteger: ({ account_id }) => ({ account_id, licenses: 12.5 }),
  impossibleDate: ({ account_id }) => ({ account_id, custom_Renewal_On: '2027-02-30' }),
  dateInAnotherForm: ({ account_id }) => ({ account_id, custom_Renewal_On: '31/12/2027' }),
  wordForTime: ({ account_id }) => ({ account_id, custom_Last_Login_At: 'Invalid Date' }),
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
  readOnlyField: ({ account_id }) => ({ account_id, updated_at: '2026-01-01T00:00:00Z' }),
  readOnlyAttribute: ({ account_id }) => ({ account_id, custom_Legacy_Id: 'L-10001' }),
  twoErrors: ({ account_id }) => ({ account_id, licenses: '', custom_Renewal_On: 'soon' }),
} as const satisfies Record<string, (account: AccountState) => JsonObject>;

export type RejectionKind = keyof typeof REJECTED_RECORDS;
export const REJECTION_KINDS = Object.keys(REJECTED_RECORDS) as readonly RejectionKind[];

/** The current state of an account, as the record that would create it. */
export type AccountState = JsonObject & { readonly account_id: string };
