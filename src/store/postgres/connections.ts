import pg from 'pg';

/** How long a connection may take to be made, or to become free. */
const CONNECT_TIMEOUT_MS = 2_000;
/** How long an answer may take; a statement over many rows asks for more. */
const QUERY_TIMEOUT_MS = 3_000;
/** Under this name the sessions of a server are seen in `pg_stat_activity`. */
export const SERVING_NAME = 'account-sync';

const INT8 = 20;
const READ_ONLY = '25006';

/** For every session, whatever the server, the database or the URL has for a default. */
const SESSION_SETTINGS = {
  synchronous_commit: 'on',
  default_transaction_isolation: 'read committed',
  // Plans go by the index also while a table is young and there are no statistics of it yet.
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
  // A process that is stuck does not hold up the others for long.
  lock_timeout: '3s',
  idle_in_transaction_session_timeout: '10s',
};

export interface ConnectionOptions {
  readonly size: number;
  readonly applicationName: string;
  /** False where a statement may take as long as it needs, as in a migration. */
  readonly hurry?: boolean;
}

export interface Connection {
  readonly query: pg.PoolClient['query'];
  release(): void;
}

/** A pool for each server; connections come from the one that takes writes, wherever that is by now. */
export class Connections {
  readonly #pools: pg.Pool[];
  readonly #open: (server: number) => pg.Pool;
  #current = 0;

  constructor(servers: readonly string[], options: ConnectionOptions) {
    this.#open = (server) => openPool(servers[server] as string, options);
    this.#pools = servers.map((_, server) => this.#open(server));
  }

  async connect(): Promise<Connection> {
    const failures: Error[] = [];
    const first = this.#current;
    for (let i = 0; i < this.#pools.length; i += 1) {
      const server = (first + i) % this.#pools.length;
      const pool = this.#pools[server] as pg.Pool;
      try {
        const client = await pool.connect();
        this.#current = server;
        return this.#watch(client, () => this.#renew(server, pool));
      } catch (error) {
        failures.push(error as Error);
      }
    }
    const [failure] = failures;
    throw failures.length === 1 ? failure : new Error(failures.map(({ message }) => message).join('; '));
  }

  async use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.connect();
    try {
      return await work(connection);
    } finally {
      connection.release();
    }
  }

  async end(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.end()));
  }

  /** A connection that goes back to the pool only while it is of use. */
  #watch(client: pg.PoolClient, onTimeout: () => void): Connection {
    let isUseless = false;
    const query = async (...args: Parameters<pg.PoolClient['query']>) => {
      try {
        return await client.query(...args);
      } catch (error) {
        if (!(error instanceof pg.DatabaseError)) isUseless = true;
        // A former primary answers, but takes no writes any more.
        else if (error.code === READ_ONLY || error.severity !== 'ERROR') isUseless = true;
        if ((error as Error).message === 'Query read timeout') onTimeout();
        throw error;
      }
    };
    return {
      query: query as pg.PoolClient['query'],
      // Nor while a transaction is open on it.
      release: () => client.release(isUseless || client.getTransactionStatus() !== 'I'),
    };
  }

  /** Where one connection hangs, the idle ones beside it likely do too, and each would be waited for. */
  #renew(server: number, pool: pg.Pool): void {
    if (this.#pools[server] !== pool) return;
    this.#pools[server] = this.#open(server);
    pool.end().catch(() => {});
  }
}

function openPool(server: string, { size, applicationName, hurry = true }: ConnectionOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: server,
    max: size,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    ...(hurry && { query_timeout: QUERY_TIMEOUT_MS }),
    keepAlive: true,
    // Statements that follow one another go out together, and a timeout ends the connection.
    pipeline: true,
    types: { getTypeParser },
    onConnect: (client) => prepareSession(client, applicationName),
  });
  // Connections break while they are idle or being used; whoever uses one then hears of it by its query.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

async function prepareSession(client: pg.ClientBase, applicationName: string): Promise<void> {
  const settings = Object.entries({ ...SESSION_SETTINGS, application_name: applicationName });
  const text = `
    select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as is_read_only,
      ${settings.map((_, i) => `set_config($${2 * i + 1}, $${2 * i + 2}, false)`)}`;
  const query = { text, values: settings.flat(), query_timeout: QUERY_TIMEOUT_MS };
  const { rows } = await client.query(query);
  if (rows[0].is_read_only) throw new Error('the server takes no writes (it is a standby, or read-only)');
}

/** Counters and moments are 64 bits wide there, and stay below 2^53. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  return oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text');
}
