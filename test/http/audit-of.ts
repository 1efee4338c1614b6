import { dumpTables } from '../support/dump-tables.js';
import type { Tenant } from './v2-server.js';

/** The audit of a tenant as it is stored, oldest first: action, subject, who, value before and after. */
export async function auditOf({ id, server }: Tenant): Promise<unknown[][]> {
  const { audit = [] } = await dumpTables(server.databaseUrl);
  const value = (text: string | null) => (text === null ? null : JSON.parse(text));
  return audit
    .map((row) => JSON.parse(row))
    .filter(({ tenant_id }) => tenant_id === id)
    .sort((one, other) => Number(one.id) - Number(other.id))
    .map((row) => [row.action, row.subject, row.key_id, value(row.value_before), value(row.value_after)]);
}
