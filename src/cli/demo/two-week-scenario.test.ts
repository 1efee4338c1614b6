import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../domain/json.js';
import { type Attribute, tenantRules } from '../../domain/tenant.js';
import { validateAccount } from '../../domain/validate-account.js';
import type { Step } from './step.js';
import { REJECTED_RECORDS, REJECTION_KINDS, type RejectionKind } from './step.js';
import { firstDay, TwoWeekScenario } from './two-week-scenario.js';

const NOW = Date.parse('2026-11-11T15:30:00Z');
const START = Date.parse('2026-10-28T08:00:00Z');
const DAY_MS = 86_400_000;
const ACCOUNTS = 2_000;

/** The messages of each kind of rejection; `<id>` stands for the account id. */
const MESSAGES: Record<RejectionKind, Record<string, string[]>> = {
  textForInteger: { licenses: ['Account <id>, licenses has invalid integer value.'] },
  fractionForInteger: { licenses: ['Account <id>, licenses has invalid integer value.'] },
  impossibleDate: { custom_Renewal_On: ['Account <id>, custom_Renewal_On has invalid date value.'] },
  dateInAnotherForm: { custom_Renewal_On: ['Account <id>, custom_Renewal_On has invalid date value.'] },
  wordForTime: { custom_Last_Login_At: ['Account <id>, custom_Last_Login_At has invalid datetime value.'] },
  unknownTier: { custom_Tier: ['Account <id>, custom_Tier has invalid choice value.'] },
  unknownHealth: { custom_Health: ['Account <id>, custom_Health has invalid choice value.'] },
  decimalWithCommas: { custom_ARR: ['Account <id>, custom_ARR has invalid decimal value.'] },
  wordForBoolean: { custom_Is_Reference: ['Account <id>, custom_Is_Reference has invalid boolean value.'] },
  numberForText: { custom_Owner: ['Account <id>, custom_Owner has invalid text value.'] },
  numberForName: { name: ['The name must be a string.'] },
  nameTooLong: { name: ['The name may not be greater than 191 characters.'] },
  blockedSuffix: { account_id: ['account_id blocked by system.'] },
  blockedPlaceholder: { account_id: ['account_id blocked by system.'] },
  ownParent: { parent_account_id: ["account_id and parent_account_id can't be same."] },
  noId: { account_id: ['account_id does not exist.'] },
  readOnlyField: { updated_at: ['Account <id>, updated_at is read-only.'] },
  readOnlyAttribute: { custom_Legacy_Id: ['Account <id>, custom_Legacy_Id is read-only.'] },
  twoErrors: {
    licenses: ['Account <id>, licenses has invalid integer value.'],
    custom_Renewal_On: ['Account <id>, custom_Renewal_On has invalid date value.'],
  },
};

/** The current rules of the tenant, updated by each step that changes them. */
class Rules {
  readonly #attributes = new Map<string, Attribute>();
  readonly #blockedPatterns: string[] = [];
  now = this.#rules();

  apply({ url, body = '{}' }: Step): void {
    const sent = JSON.parse(body);
    const name = /^\/api\/v2\/attributes\/(.+)$/.exec(url)?.[1];
    if (name !== undefined) {
      const { type, choices, read_only: readOnly } = sent;
      this.#attributes.set(name, { name, type, choices, readOnly });
    } else if (url === '/api/v2/blocked-ids') this.#blockedPatterns.push(sent.pattern);
    else return;
    this.now = this.#rules();
  }

  #rules() {
    const attributes = [...this.#attributes.values()];
    const blockedPatterns = this.#blockedPatterns;
    return tenantRules({ accountIds: 'any', undeclaredFields: 'keep', attributes, blockedPatterns });
  }
}

describe('the steps of the demo', () => {
  let steps: Step[];
  beforeAll(() => {
    steps = [...firstDay(START), ...new TwoWeekScenario(ACCOUNTS, START, NOW).steps()];
  });
  /** The accounts that exist at the end, by id. */
  const accounts = () => {
    const found = new Map<unknown, JsonObject>();
    for (const { records, status, method, url } of steps) {
      if (method === 'DELETE') found.delete(url.slice('/api/v2/accounts/'.length));
      if (status !== 200) continue;
      for (const { record, rejection } of records) {
        if (rejection === undefined)
          found.set(record.account_id, { ...found.get(record.account_id), ...record });
      }
    }
    return found;
  };

  it('contain valid records, and invalid ones with the expected messages', () => {
    const rules = new Rules();
    for (const step of steps) {
      if (step.records.length === 0 && step.body?.startsWith('{"') && step.rejections === 0)
        rules.apply(step);
      for (const { record, rejection } of step.records) {
        const { errors } = validateAccount(record, rules.now);
        const expected =
          rejection && JSON.stringify(MESSAGES[rejection]).replaceAll('<id>', `${record.account_id}`);
        expect(errors && Object.fromEntries(errors)).toEqual(expected && JSON.parse(expected));
      }
    }
  });

  it.each(['A', 'Acme Inc.', 'Acme '.repeat(30)])(
    'contain every kind of rejection for a company named %s',
    (name) => {
      const rules = new Rules();
      for (const step of steps.filter(({ by }) => by === 'admin')) rules.apply(step);
      for (const kind of REJECTION_KINDS) {
        const { errors } = validateAccount(
          REJECTED_RECORDS[kind]({ account_id: 'acme.example', name }),
          rules.now,
        );
        expect(Object.keys(MESSAGES[kind]), kind).toEqual([...(errors?.keys() ?? [])]);
      }
    },
  );

  it('contain every kind of rejection, in every operation, and one burst', () => {
    const rejected = steps.filter((step) => step.rejections > 0);
    const kinds = rejected.flatMap(({ records }) => records.flatMap(({ rejection }) => rejection ?? []));
    expect(new Set(kinds)).toEqual(new Set(REJECTION_KINDS));
    expect(new Set(rejected.map(({ url }) => url))).toEqual(
      new Set(['/api/v1_1/account', '/api/v1_1/accounts', '/api/v2/accounts/import']),
    );
    const night = Date.parse('2026-11-11T02:00:00Z');
    const burst = rejected.filter(({ at, by }) => by === 'product' && at >= night && at < night + 600_000);
    expect(burst.reduce((sum, step) => sum + step.rejections, 0)).toBeGreaterThanOrEqual(120);
    expect(Math.min(...rejected.map(({ at }) => at))).toBeGreaterThan(NOW - 7 * DAY_MS);
  });

  it('result in the requested number of accounts, all marked as demo data', () => {
    const all = [...accounts().values()];
    expect(all).toHaveLength(ACCOUNTS);
    expect(all.filter(({ custom_Demo_Data }) => custom_Demo_Data !== true)).toEqual([]);
    expect(all.filter(({ account_id }) => !`${account_id}`.endsWith('.example'))).toEqual([]);
  });

  it('create a hierarchy of five levels, a cycle of three, and missing parents', () => {
    const all = accounts();
    const paths = [...all.keys()].map((id) => {
      const path = new Set<unknown>();
      for (let at: unknown = id; all.has(at) && !path.has(at); at = all.get(at)?.parent_account_id)
        path.add(at);
      const parent = all.get([...path].at(-1))?.parent_account_id;
      return {
        levels: path.size,
        isCycle: path.has(parent),
        isOrphan: parent !== undefined && !path.has(parent),
      };
    });
    expect(Math.max(...paths.map(({ levels }) => levels))).toBe(5);
    expect(paths.filter(({ isCycle }) => isCycle).map(({ levels }) => levels)).toEqual([3, 3, 3]);
    expect(paths.filter(({ isOrphan }) => isOrphan).length).toBeGreaterThan(1);
  });

  it('are in order, end now, and are fewer at weekends', () => {
    const times = steps.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.filter((at) => at > NOW)).toEqual([]);
    expect(times.filter((at) => at > NOW - 3_600_000).length).toBeGreaterThan(20);
    const records = (day: string) =>
      steps
        .filter(({ at }) => new Date(at).toISOString().startsWith(day))
        .reduce((sum, step) => sum + step.records.length, 0);
    expect(records('2026-11-07') * 1.5).toBeLessThan(records('2026-11-06'));
  });

  it('are deterministic', () => {
    expect([...firstDay(START), ...new TwoWeekScenario(ACCOUNTS, START, NOW).steps()]).toEqual(steps);
  });
});
