import { type AccountSync, ForbiddenError, type Json, type StoredResult } from '@account-sync/client';
import { readValue } from '../../domain/attribute-types.js';
import { canonicalIdentifier, identifierText } from '../../domain/identifier.js';
import type { JsonValue } from '../../domain/json.js';
import type { Item } from './items.js';
import { isObject, parseJson } from './json.js';
import type { KnownFields } from './known-fields.js';

const MOST_ACCOUNTS = 10;

export interface SampledAccount {
  readonly account_id: string;
  readonly line: number;
  /** `from` is left out where the key may not read. */
  readonly changes: readonly { readonly field: string; readonly from?: Json; readonly to: Json }[];
}

/** The first accounts that would be updated. */
export class ChangeSample {
  readonly #accounts = new Map<string, { readonly item: Item; readonly changed: readonly string[] }>();

  add(item: Item, { account_id, changed }: StoredResult): void {
    if (this.#accounts.size < MOST_ACCOUNTS && !this.#accounts.has(account_id)) {
      this.#accounts.set(account_id, { item, changed });
    }
  }

  /** With what is stored; an account that is not was created by an earlier row of the same file. */
  async read(client: AccountSync, known: KnownFields): Promise<SampledAccount[]> {
    const sampled: SampledAccount[] = [];
    for (const [id, { item, changed }] of this.#accounts) {
      const stored = await storedFields(client, id);
      if (stored === undefined) continue;
      const sent = recordOf(item);
      const changes = changed.map((field) => {
        const to = asStored(ownValue(sent, field), field, known);
        return stored === 'unknown' ? { field, to } : { field, from: ownValue(stored, field), to };
      });
      sampled.push({ account_id: id, line: item.line, changes });
    }
    return sampled;
  }
}

async function storedFields(
  client: AccountSync,
  id: string,
): Promise<Readonly<Record<string, Json>> | 'unknown' | undefined> {
  try {
    const account = await client.get(id);
    if (account === undefined) return undefined;
    const { name, parent_account_id, fields } = account;
    return { ...fields, name, parent_account_id };
  } catch (error) {
    if (error instanceof ForbiddenError) return 'unknown';
    throw error;
  }
}

function recordOf({ record }: Item): Readonly<Record<string, Json>> {
  const value = typeof record === 'string' ? parseJson(record) : record;
  return isObject(value) ? value : {};
}

/** Not simply fields[name]: a field may be called `constructor`, which every object has. */
function ownValue(fields: Readonly<Record<string, Json>>, name: string): Json {
  return (Object.hasOwn(fields, name) ? fields[name] : null) ?? null;
}

function asStored(value: Json, field: string, known: KnownFields): Json {
  if (field === 'parent_account_id') return canonicalIdentifier(identifierText(value) ?? '') || null;
  const attribute = known.find(field)?.attribute;
  if (attribute === undefined || value === null) return value;
  return (readValue(value as JsonValue, attribute) as Json | undefined) ?? value;
}
