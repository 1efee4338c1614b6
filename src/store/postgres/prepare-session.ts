import type pg from 'pg';

/** What a connection is for: a server keeps copies away, and a copy servers and other copies. */
export type Purpose = 'server' | 'command' | 'migration' | 'copy' | 'reader';

/** The name of a server's sessions in `pg_stat_activity`. */
export const SERVER_NAME = 'account-sync';

/** Any number that nobody else in the database takes for a lock of theirs. */
const SERVING_LOCK = 0x616373796e64;
const LOCK: Record<Purpose, string> = {
  server: `pg_try_advisory_lock_shared(${SERVING_LOCK})`,
  command: 'true',
  migration: 'true',
  reader: 'true',
  copy: `pg_try_advisory_lock(${SERVING_LOCK})`,
};

/** For every session, whatever the server, the database or the URL has for a default. */
const SETTINGS = {
  synchronous_commit: 'on',
  default_transaction_isolation: 'read committed',
  // Plans go by the index also while a table is young and there are no statistics of it yet.
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
  // A process that is stuck does not hold up the others for long.
  lock_timeout: '2s',
  idle_in_transaction_session_timeout: '10s',
  // The server notices when this side has given up, unless something between them keeps the connection.
  client_connection_check_interval: '1s',
};

/**
 * How long the server works on a statement for which this side waits so long: longer, so that this side always gives up
 * first. PostgreSQL answers a commit whose wait for a synchronous standby it ends as if the standby had it.
 */
export function statementTimeout(clientTimeoutMs: number): number {
  return clientTimeoutMs + 1_000;
}

const SETTINGS_OF: Partial<Record<Purpose, Partial<typeof SETTINGS>>> = {
  // Shorter than a group of requests waits for a lock: those behind a process that is stuck get their turn.
  server: { idle_in_transaction_session_timeout: '5s' },
  // What it has read is written elsewhere in between, and nobody waits for a reader.
  reader: { idle_in_transaction_session_timeout: '10min' },
};

export interface SessionTimeouts {
  /** For the preparation itself. */
  readonly connectMs: number;
  /** After which the server ends a statement; 0 for never. */
  readonly statementMs: number;
}

/** Rejects where the session is of no use for its purpose. */
export async function prepareSession(
  client: pg.ClientBase,
  purpose: Purpose,
  timeouts: SessionTimeouts,
): Promise<void> {
  const name = purpose === 'server' ? SERVER_NAME : `${SERVER_NAME} ${purpose}`;
  const settings = Object.entries({
    ...SETTINGS,
    ...SETTINGS_OF[purpose],
    statement_timeout: String(timeouts.statementMs),
    application_name: name,
  });
  const text = `
    select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as is_read_only,
      ${LOCK[purpose]} as is_alone, ${settings.map((_, i) => `set_config($${2 * i + 1}, $${2 * i + 2}, false)`)}`;
  const query = { text, values: settings.flat(), query_timeout: timeouts.connectMs };
  const { rows } = await client.query(query);
  if (rows[0].is_read_only) throw new Error('the server takes no writes (it is a standby, or read-only)');
  if (rows[0].is_alone) return;
  throw new Error(
    purpose === 'copy'
      ? 'servers of account-sync are connected to it, or another copy is. Stop them first'
      : 'it is being copied. Start again when the copy is complete',
  );
}
