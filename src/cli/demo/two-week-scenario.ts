import { changeBy, DAY_MS, firstRecord, SYSTEMS, type System, timeOf } from './account-fields.js';
import { type Company, makeCompanies } from './companies.js';
import { busyness, HOUR_MS, MINUTE_MS, moments, Random } from './random.js';
import { badRecord, brokenRequests, lastNight } from './rejected-requests.js';
import { BLOCKED, declarationBody, FIRST_ATTRIBUTES, KEYS, LATER_ATTRIBUTES, type Sender } from './schema.js';
import {
  type AccountState,
  call,
  type DemoRecord,
  REFUSAL_KINDS,
  type RefusalKind,
  type Step,
  sync,
} from './step.js';

const SEED = 20_210_531;
const IMPORT_RECORDS = 1_000;
/** Of all accounts: those that come after the first import. */
const LATE_SHARE = 0.03;
const DELETED_SHARE = 0.0025;
/** The first ones stay: they show what a hierarchy can be. */
const NEVER_DELETED = 30;
/** Refusals are kept for a week where nothing else is set. */
const REFUSED_FOR_MS = 7 * DAY_MS - HOUR_MS;

/** What happens to accounts from the first import until now: always the same, but for when it ends. */
export class TwoWeekScenario {
  readonly #random = new Random(SEED);
  readonly #start: number;
  readonly #end: number;
  readonly #late: Company[];
  readonly #live: AccountState[] = [];
  readonly #steps: Step[] = [];
  #refusals = 0;
  /** The moments of deletions that are still to come. */
  readonly #deletions: number[];

  /** `accounts` is how many there are at the end. */
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
    const all = moments(this.#start + 2 * HOUR_MS, this.#end - MINUTE_MS, this.#random);
    for (const [i, at] of all.entries()) {
      // The last of the late ones come with the last request.
      this.#sync(at, this.#late.length - Math.floor(late * (1 - (i + 1) / all.length)));
      if (at > this.#end - REFUSED_FOR_MS && this.#random.isChance(0.25)) this.#refuse(at + 7_000);
      while (at > (this.#deletions.at(-1) ?? Number.POSITIVE_INFINITY)) this.#delete(at + 11_000);
    }
    this.#steps.push(...lastNight(this.#live, this.#end), ...brokenRequests(this.#end));
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

  /** The schema changes, and with it the accounts of a region. */
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

  /** What a system has to say: of some accounts, and of so many new ones. */
  #sync(at: number, arrivals: number): void {
    const arrived = this.#late.splice(0, arrivals).map((company) => {
      const { custom_Legacy_Id: _, ...record } = firstRecord(company, at, this.#random);
      return record as AccountState;
    });
    const size = Math.ceil(busyness(at) * (0.5 + this.#random.next()) * (this.#live.length / 230));
    const by = arrived.length > 0 ? 'crm' : this.#systemAt(at);
    const records = [...arrived.map((record) => ({ record })), ...this.#changes(by, size, at)];
    this.#live.push(...arrived);
    // Its successor was tried out beside it at first.
    const isOld = by === 'crm' && at < this.#start + 4 * DAY_MS && this.#random.isChance(0.5);
    this.#steps.push(sync(at, isOld ? 'connector' : by, records, records.length > 200));
  }

  /** Billing runs at night, the CRM is fed by people, and the product is used all day. */
  #systemAt(at: number): System {
    if (new Date(at).getUTCHours() === 2) return 'billing';
    const lot = this.#random.next();
    if (lot < 0.35 * busyness(at)) return 'crm';
    return lot > 0.8 ? 'billing' : 'product';
  }

  #changes(by: System, count: number, at: number): DemoRecord[] {
    const places = new Set(
      Array.from({ length: count }, () => Math.floor(this.#random.next() ** 3 * this.#live.length)),
    );
    return [...places].map((place) => {
      const account = this.#live[place] as AccountState;
      const change = changeBy(by, account, at, this.#random);
      this.#live[place] = { ...account, ...change };
      return { record: { account_id: account.account_id, ...change } };
    });
  }

  /** One record that is wrong, a batch that is refused for it, or an import that passes it by. */
  #refuse(at: number): void {
    const by = this.#random.pick(SYSTEMS);
    const lot = this.#random.next();
    const bad = () => badRecord(this.#nextRefusal(), this.#random.pickEarly(this.#live));
    if (lot < 0.5) {
      this.#steps.push(sync(at, by, [bad()]));
    } else if (lot < 0.75) {
      const good = Array.from({ length: this.#random.between(2, 6) }, () => {
        const { account_id, name = null } = this.#random.pick(this.#live);
        return { record: { account_id, name } };
      });
      this.#steps.push(sync(at, by, [...good, bad()]));
    } else {
      const worse = Array.from({ length: this.#random.between(2, 5) }, bad);
      const good = this.#changes(by, this.#random.between(3, 12), at);
      this.#steps.push(sync(at, by, [...good, ...worse], true));
    }
  }

  /** Each in its turn, so that none is missing. */
  #nextRefusal(): RefusalKind {
    this.#refusals += 1;
    return REFUSAL_KINDS[this.#refusals % REFUSAL_KINDS.length] as RefusalKind;
  }

  #delete(at: number): void {
    this.#deletions.pop();
    const place = this.#random.between(NEVER_DELETED, this.#live.length - 1);
    const [account] = this.#live.splice(place, 1);
    const url = `/api/v2/accounts/${account?.account_id}`;
    this.#steps.push(
      call({ at: at + this.#deletions.length, by: 'admin', method: 'DELETE', url, status: 204 }),
    );
  }
}

/** How the tenant was set up, a minute each. */
export function firstDay(start: number): Step[] {
  const settings = { by: 'admin', method: 'PATCH', url: '/api/v2/settings', status: 200 } as const;
  const calls = [
    { ...settings, body: { undeclared_fields: 'reject' } },
    ...FIRST_ATTRIBUTES.map((attribute) => {
      const url = `/api/v2/attributes/${attribute.name}`;
      return { by: 'admin', method: 'PUT', url, status: 201, body: declarationBody(attribute) } as const;
    }),
    ...BLOCKED.map((pattern) => {
      const url = '/api/v2/blocked-ids';
      return { by: 'admin', method: 'POST', url, status: 201, body: { pattern } } as const;
    }),
    { ...settings, body: { undeclared_fields: 'keep' } },
  ];
  return calls.map(({ body, ...parts }, i) => call({ ...parts, at: start + (i + 1) * MINUTE_MS }, body));
}

/** The request that makes the key of a sender. */
export function keyStep(sender: Exclude<Sender, 'admin'>, at: number): Step {
  const { label, scopes, days }: { label: string; scopes: readonly string[]; days?: number } = KEYS[sender];
  const expiry = days === undefined ? {} : { expires_at: timeOf(at + days * DAY_MS) };
  const parts = { at, by: 'admin', method: 'POST', url: '/api/v2/keys', status: 201 } as const;
  return call(parts, { label, scopes, ...expiry });
}
