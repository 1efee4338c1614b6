import { fitsIndex } from '../chores/attribute-index.js';
import { scan } from '../scan.js';
import type { AccountPage, Finder } from './account-page.js';

/** What is indexed is found under its value, and nothing else is. */
export async function verifyValues(page: AccountPage, finder: Finder): Promise<void> {
  const { snapshot, fieldsOf, range } = page;
  const names = await indexedNames(page);
  const expected = new Map<string, string>();
  for (const [id, fields] of fieldsOf) {
    for (const name of names) {
      const value = Object.hasOwn(fields, name) ? JSON.stringify(fields[name]) : undefined;
      if (value !== undefined && fitsIndex(value)) expected.set(JSON.stringify([id, name]), value);
    }
  }
  for await (const rows of scan(snapshot, 'account_value', range)) {
    for (const { account_id: id, name, value } of rows) {
      if (!fieldsOf.has(id)) finder.found('indexed values', id, `${name} is indexed without it`);
      else if (names.has(name)) {
        finder.looked('indexed values');
        const key = JSON.stringify([id, name]);
        if (expected.get(key) !== value) {
          finder.found('indexed values', id, `${name} is indexed by another value`);
        }
        expected.delete(key);
      }
    }
  }
  for (const key of expected.keys()) {
    const [id, name] = JSON.parse(key) as [string, string];
    finder.found('indexed values', id, `${name} is not indexed`);
  }
}

/** Not those of which the index is being built or dropped: nobody looks there yet, or any more. */
async function indexedNames({ snapshot, tenantId }: AccountPage): Promise<Set<string>> {
  const query = snapshot.selectFrom('attribute').select('name').where('tenant_id', '=', tenantId);
  const rows = await query.where('indexed', '=', 2).execute();
  return new Set(rows.map(({ name }) => name));
}
