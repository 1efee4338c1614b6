import type { PostgresAddress } from '../../store/database-url.js';
import { StoreUnusable } from '../../store/errors.js';
import { inspectPostgres } from '../../store/postgres/inspect-postgres.js';
import { examineSchema, type Finding } from './finding.js';

export async function examinePostgres(address: PostgresAddress): Promise<Finding[]> {
  try {
    const found = await inspectPostgres(address);
    const { serverVersion, unsafeSettings, sessions } = found;
    return [
      { check: 'database', state: 'ok', found: `PostgreSQL ${serverVersion}, ${address.name}` },
      found.schemaVersion === 0
        ? {
            check: 'schema version',
            state: 'ok',
            found: 'no tables yet',
            advice: 'The first server start creates them.',
          }
        : examineSchema(found.schemaVersion, found.knownVersion),
      examineDurability(unsafeSettings),
      {
        check: 'server',
        state: 'ok',
        found: sessions === 0 ? 'none connected' : `connected, sessions: ${sessions}`,
      },
    ];
  } catch (error) {
    if (!(error instanceof StoreUnusable)) throw error;
    return [{ check: 'database', state: 'failed', found: error.message }];
  }
}

function examineDurability(unsafeSettings: readonly string[]): Finding {
  const check = 'durability';
  if (unsafeSettings.length === 0) return { check, state: 'ok', found: 'commits are synced' };
  const found = `${unsafeSettings.join(' and ')} off: a power cut can lose or damage acknowledged writes`;
  return { check, state: 'failed', found, advice: 'Turn it on in postgresql.conf.' };
}
