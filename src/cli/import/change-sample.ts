import { type AccountSync, ForbiddenError, type Json, type StoredResult } from '@account-sync/client';
import { readValue } from '../../domain/attribute-types.js';
import { canonicalIdentifier, identifierText } from '../../domain/identifier.js';
import type { JsonValue } from '../../domain/json.js';
import type { ImportItem } from './items.js';
import { isObject, parseJson } from './json.js';
import type { KnownFields } from './known-fields.js';

const MAX_ACCOUNTS = 10;

export interface SampledAccount {
  readonly account_id: string;
  readonly line: number;
  /** `from` is missing if the key lacks the scope `read`. */
  readonly changes: readonly { readonly field: string; readonly from?: Json; readonly to: Json }[];
}

/** The first accounts that a dry run would update, with their changes. */
export class ChangeSample {
  readonly #accounts = new Map<string, { readonly item: ImportItem; readonly changed: readonly string[] }>();

  add(item: ImportItem, { account_id, changed }: StoredResult): void {
    if (this.#accounts.size < MAX_ACCOUNTS && !this.#accounts.has(account_id)) {
      this.#accounts.set(account_id, { item, changed });
    }
  }

  /** Adds the stored values. Skips accounts that are not stored: an earlier row of the file would create them. */
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

function recordOf({ record }: ImportItem): Readonly<Record<string, Json>> {
  const value = typeof record === 'string' ? parseJson(record) : record;
  return isObject(value) ? value : {};
}

/** Reads own properties only: a field can be named `constructor`, which every object inherits. */
function ownValue(fields: Readonly<Record<string, Json>>, name: string): Json {
  return (Object.hasOwn(fields, name) ? fields[name] : null) ?? null;
}

function asStored(value: Json, field: string, known: KnownFields): Json {
  if (field === 'parent_account_id') return canonicalIdentifier(identifierText(value) ?? '') || null;
  const attribute = known.find(field)?.attribute;
  if (attribute === undefined || value === null) return value;
  return (readValue(value as JsonValue, attribute) as Json | undefined) ?? value;
}
