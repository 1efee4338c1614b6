import { isBuiltIn } from '../../domain/tenant.js';
import { changeBy, DAY_MS, firstRecord, SYSTEMS, type System, timeOf } from './account-fields.js';
import { type Company, makeCompanies } from './companies.js';
import { activityAt, HOUR_MS, MINUTE_MS, Random, requestTimes } from './random.js';
import { badRecord, brokenRequests, rejectionBurst } from './rejected-requests.js';
import {
  BLOCKED,
  type DemoKey,
  declarationBody,
  FIRST_ATTRIBUTES,
  KEYS,
  LATER_ATTRIBUTES,
  type Sender,
  SOURCES,
} from './schema.js';
import {
  type AccountState,
  call,
  type DemoRecord,
  REJECTION_KINDS,
  type RejectionKind,
  type Step,
  sync,
} from './step.js';

const SEED = 20_210_531;
const IMPORT_RECORDS = 1_000;
/** The share of accounts that are created after the first import. */
const LATE_SHARE = 0.03;
const DELETED_SHARE = 0.0025;
/** The first accounts are never deleted, because they show the special hierarchies. */
const NEVER_DELETED = 30;
/** Rejections are kept for a week by default, so earlier ones would be removed. */
const REJECTIONS_MS = 7 * DAY_MS - HOUR_MS;

/** All requests about accounts from the first import until now. Deterministic, except for the end time. */
export class TwoWeekScenario {
  readonly #random = new Random(SEED);
  readonly #start: number;
  readonly #end: number;
  readonly #late: Company[];
  readonly #live: AccountState[] = [];
  readonly #steps: Step[] = [];
  #rejections = 0;
  /** The times of the remaining deletions. */
  readonly #deletions: number[];

  /** `accounts` is their number at the end. */
  constructor(accounts: number, start: number, end: number) {
    const deleted = Math.max(1, Math.round(accounts * DELETED_SHARE));
    this.#late = makeCompanies(accounts + deleted, this.#random);
    this.#start = start;
    this.#end = end;
    this.#deletions = Array.from({ length: deleted }, (_, i) => end - ((i + 0.5) / deleted) * 6 * DAY_MS);
  }

  steps(): Step[] {
    this.#firstImport();
    this.#sixthDay();
    const late = this.#late.length;
    const all = requestTimes(this.#start + 2 * HOUR_MS, this.#end - MINUTE_MS, this.#random);
    for (const [i, at] of all.entries()) {
      // Spreads the late accounts evenly; the last ones come with the last request.
      this.#sync(at, this.#late.length - Math.floor(late * (1 - (i + 1) / all.length)));
      if (at > this.#end - REJECTIONS_MS && this.#random.isChance(0.25)) this.#sendRejected(at + 7_000);
      while (at > (this.#deletions.at(-1) ?? Number.POSITIVE_INFINITY)) this.#delete(at + 11_000);
    }
    this.#steps.push(...rejectionBurst(this.#live, this.#end), ...brokenRequests(this.#end));
    return this.#steps.sort((a, b) => a.at - b.at);
  }

  #firstImport(): void {
    const companies = this.#late.splice(0, Math.floor(this.#late.length * (1 - LATE_SHARE)));
    for (let i = 0; i < companies.length; i += IMPORT_RECORDS) {
      const at = this.#start + HOUR_MS + (i / IMPORT_RECORDS) * 20_000;
      const accounts = companies
        .slice(i, i + IMPORT_RECORDS)
        .map((company) => firstRecord(company, at, this.#random));
      const records = accounts.map((record) => ({ record }));
      this.#live.push(...accounts);
      this.#steps.push(sync(at, 'crm', records, true));
    }
  }

  /** The schema changes, and the accounts of a region move to the new one. */
  #sixthDay(): void {
    const at = this.#start + 5 * DAY_MS + 3 * HOUR_MS;
    for (const [i, attribute] of Object.values(LATER_ATTRIBUTES).entries()) {
      const url = `/api/v2/attributes/${attribute.name}`;
      const parts = { at: at + i * MINUTE_MS, by: 'admin', method: 'PUT', url, status: 200 } as const;
      this.#steps.push(call(parts, declarationBody(attribute)));
    }
    const records = this.#live
      .filter(({ custom_Region }) => custom_Region === 'Americas')
      .filter((_, i) => i % 3 === 0)
      .map(({ account_id }) => ({ record: { account_id, custom_Region: 'LATAM' } }));
    this.#steps.push(sync(at + HOUR_MS, 'crm', records, true));
  }

  /** A system sends changes of some accounts, and `arrivals` new accounts. */
  #sync(at: number, arrivals: number): void {
    const arrived = this.#late.splice(0, arrivals).map((company) => {
      const { custom_Legacy_Id: _, ...record } = firstRecord(company, at, this.#random);
      return record as AccountState;
    });
    const size = Math.ceil(activityAt(at) * (0.5 + this.#random.next()) * (this.#live.length / 230));
    const by = arrived.length > 0 ? 'crm' : this.#systemAt(at);
    const records = [...arrived.map((record) => ({ record })), ...this.#changes(by, size, at)];
    this.#live.push(...arrived);
    // In the first days, the old connector still runs next to its successor.
    const isOld = by === 'crm' && at < this.#start + 4 * DAY_MS && this.#random.isChance(0.5);
    this.#steps.push(sync(at, isOld ? 'connector' : by, records, records.length > 200));
  }

  /** Billing runs at night, people use the CRM in working hours, and the product is used all day. */
  #systemAt(at: number): System {
    if (new Date(at).getUTCHours() === 2) return 'billing';
    const roll = this.#random.next();
    if (roll < 0.35 * activityAt(at)) return 'crm';
    return roll > 0.8 ? 'billing' : 'product';
  }

  #changes(by: System, count: number, at: number): DemoRecord[] {
    const indexes = new Set(
      Array.from({ length: count }, () => Math.floor(this.#random.next() ** 3 * this.#live.length)),
    );
    return [...indexes].map((index) => {
      const account = this.#live[index] as AccountState;
      const change = changeBy(by, account, at, this.#random);
      this.#live[index] = { ...account, ...change };
      return { record: { account_id: account.account_id, ...change } };
    });
  }

  /** A single invalid record, a batch that is rejected because of it, or an import that skips it. */
  #sendRejected(at: number): void {
    const by = this.#random.pick(SYSTEMS);
    const roll = this.#random.next();
    const newInvalid = () => badRecord(this.#nextRejection(), this.#random.pickEarly(this.#live));
    if (roll < 0.5) {
      this.#steps.push(sync(at, by, [newInvalid()]));
    } else if (roll < 0.75) {
      const good = Array.from({ length: this.#random.between(2, 6) }, () => {
        const { account_id, name = null } = this.#random.pick(this.#live);
        return { record: { account_id, name } };
      });
      this.#steps.push(sync(at, by, [...good, newInvalid()]));
    } else {
      const invalid = Array.from({ length: this.#random.between(2, 5) }, newInvalid);
      const good = this.#changes(by, this.#random.between(3, 12), at);
      this.#steps.push(sync(at, by, [...good, ...invalid], true));
    }
  }

  /** Round robin, so that every kind occurs. */
  #nextRejection(): RejectionKind {
    this.#rejections += 1;
    return REJECTION_KINDS[this.#rejections % REJECTION_KINDS.length] as RejectionKind;
  }

  #delete(at: number): void {
    this.#deletions.pop();
    const index = this.#random.between(NEVER_DELETED, this.#live.length - 1);
    const [account] = this.#live.splice(index, 1);
    const url = `/api/v2/accounts/${account?.account_id}`;
    this.#steps.push(
      call({ at: at + this.#deletions.length, by: 'admin', method: 'DELETE', url, status: 204 }),
    );
  }
}

/** The requests that set up the tenant, one per minute. */
export function firstDay(start: number): Step[] {
  const settings = { by: 'admin', method: 'PATCH', url: '/api/v2/settings', status: 200 } as const;
  const calls = [
    { ...settings, body: { undeclared_fields: 'reject' } },
    ...FIRST_ATTRIBUTES.map((attribute) => {
      const url = `/api/v2/attributes/${attribute.name}`;
      const status = isBuiltIn(attribute.name) ? 200 : 201;
      return { by: 'admin', method: 'PUT', url, status, body: declarationBody(attribute) } as const;
    }),
    ...Object.entries(SOURCES).map(([name, label]) => {
      const url = `/api/v2/sources/${name}`;
      return { by: 'admin', method: 'PUT', url, status: 201, body: { label } } as const;
    }),
    ...BLOCKED.map((pattern) => {
      const url = '/api/v2/blocked-ids';
      return { by: 'admin', method: 'POST', url, status: 201, body: { pattern } } as const;
    }),
    { ...settings, body: { undeclared_fields: 'keep' } },
  ];
  return calls.map(({ body, ...parts }, i) => call({ ...parts, at: start + (i + 1) * MINUTE_MS }, body));
}

/** The request that creates the key of a sender. */
export function keyStep(sender: Exclude<Sender, 'admin'>, at: number): Step {
  const { days, ...key }: DemoKey = KEYS[sender];
  const expiry = days === undefined ? {} : { expires_at: timeOf(at + days * DAY_MS) };
  const parts = { at, by: 'admin', method: 'POST', url: '/api/v2/keys', status: 201 } as const;
  return call(parts, { ...key, ...expiry });
}
