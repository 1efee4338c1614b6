import type pg from 'pg';

/** What a connection is for. A server excludes copies; a copy excludes servers and other copies. */
export type Purpose = 'server' | 'command' | 'migration' | 'copy' | 'reader';

/** The name of a server's sessions in `pg_stat_activity`. */
export const SERVER_NAME = 'account-sync';

/** An arbitrary number that no other program uses for a lock in this database. */
export const SERVING_LOCK = 0x616373796e64;
const LOCK: Record<Purpose, string> = {
  server: `pg_try_advisory_lock_shared(${SERVING_LOCK})`,
  command: 'true',
  migration: 'true',
  reader: 'true',
  copy: `pg_try_advisory_lock(${SERVING_LOCK})`,
};

/** For every session, whatever the defaults of the server, the database or the URL. */
const SETTINGS = {
  synchronous_commit: 'on',
  default_transaction_isolation: 'read committed',
  // Queries have to use their indexes also on new tables, for which there are no statistics yet.
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
  // A process that is stuck must not block the others for long.
  lock_timeout: '2s',
  idle_in_transaction_session_timeout: '10s',
  // The server cancels a statement when the client has disconnected, unless a proxy keeps the connection open.
  client_connection_check_interval: '1s',
};

/**
 * The server's timeout for a statement with this client timeout. It is longer, so that the client always gives up
 * first:
 * if the server ends a commit's wait for a synchronous standby, it reports success although the standby lacks the data.
 */
export function statementTimeout(clientTimeoutMs: number): number {
  return clientTimeoutMs + 1_000;
}

const SETTINGS_OF: Partial<Record<Purpose, Partial<typeof SETTINGS>>> = {
  // Shorter than a group waits for a lock, so that groups that wait for a process that is stuck still succeed.
  server: { idle_in_transaction_session_timeout: '5s' },
  // A reader writes each page elsewhere before it reads the next, and its transaction blocks no other process.
  reader: { idle_in_transaction_session_timeout: '10min' },
};

/**
 * Lock timeout of writes that are sent together with their commit. Such a write must not wait long: if this side timed
 * out first, it would not know whether the commit took place. The server cancels the write, and the retry waits for the
 * lock before it sends a commit.
 */
export const SHORT_LOCK_TIMEOUT = '500ms';

const WRITER_SETTINGS = {
  // The best plan of these statements does not depend on their parameters, and planning takes longer than running them.
  plan_cache_mode: 'force_generic_plan',
  lock_timeout: SHORT_LOCK_TIMEOUT,
};

export interface SessionOptions {
  /** Whether the session only writes accounts. */
  readonly isWriter: boolean;
  /** Timeout of the preparation itself. */
  readonly connectMs: number;
  /** The server ends a statement after this time; 0 for never. */
  readonly statementMs: number;
}

/** Applies the settings and takes the lock. Rejects if the session cannot serve its purpose. */
export async function prepareSession(
  client: pg.ClientBase,
  purpose: Purpose,
  options: SessionOptions,
): Promise<void> {
  const name = purpose === 'server' ? SERVER_NAME : `${SERVER_NAME} ${purpose}`;
  const settings = Object.entries({
    ...SETTINGS,
    ...SETTINGS_OF[purpose],
    statement_timeout: String(options.statementMs),
    ...(options.isWriter && WRITER_SETTINGS),
    application_name: name,
  });
  const text = `
    select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as is_read_only,
      ${LOCK[purpose]} as is_alone, ${settings.map((_, i) => `set_config($${2 * i + 1}, $${2 * i + 2}, false)`)}`;
  const query = { text, values: settings.flat(), query_timeout: options.connectMs };
  const { rows } = await client.query(query);
  if (rows[0].is_read_only) throw new Error('the server accepts no writes (it is a standby, or read-only)');
  if (rows[0].is_alone) return;
  throw new Error(
    purpose === 'copy'
      ? 'servers of account-sync are connected to it, or another copy is. Stop them first'
      : 'it is being copied. Start again when the copy is complete',
  );
}
