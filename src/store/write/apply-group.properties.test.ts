import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Account, AccountPatch } from '../../domain/account.js';
import type { JsonValue } from '../../domain/json.js';
import type { FieldOwner } from '../../domain/tenant.js';
import type { UpsertRequest } from '../requests.js';
import { applyGroup, type StoredAccount } from './apply-group.js';

/** Few names and values, so that records often meet the same account, field and value. */
const id = fc.constantFrom<string>('x', 'y', 'z');
const field = fc.constantFrom<string>('a', 'b', 'c');
const source = fc.constantFrom<string>('crm', 'erp');
const value = fc.constantFrom<JsonValue>(null, 1, 'one', { deep: [1] });
const fields = fc.dictionary(field, value, { maxKeys: 3, noNullPrototype: true });
const owner = fc.record({ source, others: fc.constantFrom('reject' as const, 'keep' as const) });
const owners = fc.dictionary(field, owner, { maxKeys: 3, noNullPrototype: true });
const request = fc.record({
  source,
  patches: fc.array(fc.record({ accountId: id, fields }), { minLength: 1, maxLength: 4 }),
  mode: fc.constantFrom(undefined, 'upsert' as const, 'update-only' as const, 'create-only' as const),
  isIndependent: fc.boolean(),
});
const stored = fc.record({ accountId: id, fields, state: fc.constantFrom('listed', 'archived', 'deleted') });

interface Sent {
  readonly source: string;
  readonly patches: readonly AccountPatch[];
  readonly mode: UpsertRequest['mode'];
  readonly isIndependent: boolean;
}

type Owners = Readonly<Record<string, FieldOwner>>;

/** As validation passes it on: with the fields of the patch that another source owns. */
function toRequest({ source: by, patches, mode, isIndependent }: Sent, ofFields: Owners): UpsertRequest {
  const withOwners = patches.map((patch): AccountPatch => {
    const owned = Object.entries(ofFields).filter(
      ([name, { source: of }]) => of !== by && Object.hasOwn(patch.fields, name),
    );
    return { ...patch, owned: new Map(owned.map(([name, { others }]) => [name, others])) };
  });
  const call = { tenantId: 1, requestId: by, senderId: 'k', at: 2, bytes: 1, wantsRecords: true } as const;
  return { ...call, patches: withOwners, mode, ...(isIndependent && { isIndependent: true as const }) };
}

function toStored({
  accountId,
  fields: values,
  state,
}: {
  readonly accountId: string;
  readonly fields: Record<string, JsonValue>;
  readonly state: string;
}): StoredAccount {
  const present = Object.entries(values).filter(([, one]) => one !== null);
  const account: Account = {
    accountId,
    fields: state === 'deleted' ? {} : Object.fromEntries(present),
    revision: 1,
    createdAt: 1,
    updatedAt: 1,
    archivedAt: state === 'archived' ? 1 : null,
    deletedAt: state === 'deleted' ? 1 : null,
  };
  return { account, firstChange: 256, lastChange: { seq: 256, place: 0 } };
}

const group = fc.record({
  owners,
  accounts: fc.uniqueArray(stored, { selector: ({ accountId }) => accountId }),
  requests: fc.array(request, { minLength: 1, maxLength: 4 }),
});

const apply = ({
  owners: ofFields,
  accounts,
  requests,
}: typeof group extends fc.Arbitrary<infer G> ? G : never) => {
  const before = new Map(accounts.map((one) => [one.accountId, toStored(one)]));
  const sent = requests.map((one) => toRequest(one, ofFields));
  return { sent, before, applied: applyGroup(sent, (_tenantId, accountId) => before.get(accountId)) };
};

it('never changes a field that another source owns', () => {
  const property = fc.property(group, (given) => {
    const { applied } = apply(given);
    for (const { request: by, changes } of applied.history) {
      for (const name of changes.flatMap((change) => Object.keys(change.changes))) {
        const { source: of } = given.owners[name] ?? { source: by.requestId };
        expect([name, of]).toEqual([name, by.requestId]);
      }
    }
  });
  fc.assert(property, { numRuns: 2_000 });
});

it('refuses and keeps exactly the values that differ from the stored ones', () => {
  const property = fc.property(group, (given) => {
    // One request, so that the stored accounts are those before it.
    const { sent, before, applied } = apply({ ...given, requests: given.requests.slice(0, 1) });
    const [{ records = [], refused = [] } = {}] = applied.counts;
    const differing = (index: number, others: 'reject' | 'keep') => {
      const patch = sent[0]?.patches[index] as AccountPatch;
      const current = before.get(patch.accountId)?.account.fields ?? {};
      return Object.keys(patch.fields).filter(
        (name) =>
          patch.owned?.get(name) === others &&
          !isDeepStrictEqual(current[name] ?? null, patch.fields[name] ?? null),
      );
    };
    const expected = (sent[0]?.patches ?? []).flatMap((_, index) => {
      const names = differing(index, 'reject');
      return names.length === 0 ? [] : [{ index, fields: names }];
    });
    expect(refused).toEqual(expected);
    for (const [index, { outcome, kept = [], refused: fields = [] }] of records.entries()) {
      expect(fields).toEqual(outcome === 'refused' ? differing(index, 'reject') : []);
      const isApplied = outcome !== 'refused' && outcome !== 'skipped';
      expect(kept).toEqual(isApplied ? differing(index, 'keep') : []);
    }
  });
  fc.assert(property, { numRuns: 2_000 });
});

it('stores all patches of a request or none, unless they are independent', () => {
  const property = fc.property(group, (given) => {
    const { sent, applied } = apply(given);
    for (const [i, one] of sent.entries()) {
      const {
        refused = [],
        records,
        created,
        updated,
        unchanged,
        skipped,
        restored,
      } = applied.counts[i] ?? {};
      const total = [created, updated, unchanged, skipped, restored].reduce<number>(
        (sum, n = 0) => sum + n,
        0,
      );
      if (refused.length > 0 && !one.isIndependent) {
        expect([total, records, applied.history[i]?.changes]).toEqual([0, undefined, []]);
      } else expect(total + refused.length).toBe(one.patches.length);
    }
  });
  fc.assert(property, { numRuns: 2_000 });
});
