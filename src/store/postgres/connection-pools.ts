import pg from 'pg';
import { NoFreeConnection } from '../errors.js';
import { destroySocket, inOneWrite } from './client-socket.js';
import { type Purpose, prepareSession, statementTimeout } from './prepare-session.js';

/** The message of `pg-pool` if no connection becomes free in time; opening one that takes too long has another. */
const WAITED_TOO_LONG = 'timeout exceeded when trying to connect';
/** How long it may take to open a connection, or until one becomes free. Then the next server is tried. */
const CONNECT_TIMEOUT_MS = 2_000;
/** The same for commands and migrations: they end if they get none, even if the database is slow only for a moment. */
const PATIENT_CONNECT_TIMEOUT_MS = 10_000;
/** How long a response may take; a group of requests gets a millisecond more for each of its records. */
export const QUERY_TIMEOUT_MS = 3_000;
/** The longest timeout of all groups but those with a single request of more than 2,000 records. */
export const LONGEST_USUAL_TIMEOUT_MS = QUERY_TIMEOUT_MS + 2_000;

const INT8 = 20;
/**
 * Error codes after another process wrote, created or locked one of the same rows: division by zero (see `statements`),
 * unique violation, serialization failure, deadlock, lock not available. Nothing was stored; the group may be retried.
 */
export const LOST_RACES: ReadonlySet<string> = new Set(['22012', '23505', '40001', '40P01', '55P03']);
/** Error code of the statements that follow the first failure of a transaction. */
const ALREADY_FAILED = '25P02';
/** Error codes of a server that shuts down, is not reachable, or has become read-only. */
const CONNECTION_UNUSABLE = /^(08|57P|25006)/;

export interface ConnectionOptions {
  readonly size: number;
  readonly purpose: Purpose;
  /** Whether the connections only write accounts. */
  readonly areWriters?: true;
  /** Called once for each connection that cannot be opened, or on which a query fails. */
  readonly onFailure?: () => void;
}

export interface Connection {
  readonly query: pg.PoolClient['query'];
  /** Sends all statements of `work` in one system call instead of one each. */
  inOneWrite<T>(work: () => T): T;
  release(): void;
}

/**
 * A connection pool per server. Connections come from the server that accepts writes: the servers are tried in order,
 * starting with the last that worked, so that a failover needs no restart.
 * - A connection returns to its pool only if no transaction is open on it and nothing broke it.
 * - After a timeout the whole pool is replaced: if one connection hangs, the idle ones likely hang too.
 */
export class ConnectionPools {
  readonly #pools: pg.Pool[];
  readonly #open: (server: number) => pg.Pool;
  readonly #onFailure: () => void;
  #current = 0;
  /** Connections that are not idle. */
  #inUse = 0;

  constructor(servers: readonly string[], options: ConnectionOptions) {
    this.#onFailure = options.onFailure ?? (() => {});
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
        this.#inUse += 1;
        return this.#wrap(client, () => this.#replacePool(server, pool));
      } catch (error) {
        failures.push(error as Error);
      }
    }
    this.#onFailure();
    const [failure] = failures;
    if (this.#inUse > 0 && failures.some(({ message }) => message === WAITED_TOO_LONG)) {
      throw new NoFreeConnection('All connections to the database are in use.');
    }
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

  /** Wraps a client so that it returns to the pool only while it is usable. */
  #wrap(client: pg.PoolClient, onTimeout: () => void): Connection {
    let isUnusable = false;
    let hasFailed = false;
    const query = async (...args: Parameters<pg.PoolClient['query']>) => {
      try {
        return await client.query(...args);
      } catch (error) {
        const code = (error as pg.DatabaseError).code ?? '';
        if (!hasFailed && !LOST_RACES.has(code) && code !== ALREADY_FAILED) {
          hasFailed = true;
          this.#onFailure();
        }
        if (!(error instanceof pg.DatabaseError)) isUnusable = true;
        else if (CONNECTION_UNUSABLE.test(code)) isUnusable = true;
        if ((error as Error).message === 'Query read timeout') onTimeout();
        throw error;
      }
    };
    return {
      query: query as pg.PoolClient['query'],
      inOneWrite: (work) => inOneWrite(client, work),
      release: () => {
        this.#inUse -= 1;
        // A client with an open transaction ('I' means idle) is closed as well.
        client.release(isUnusable || client.getTransactionStatus() !== 'I');
      },
    };
  }

  /** Replaces a pool after a timeout. Without this, each hanging idle connection would cost one more timeout. */
  #replacePool(server: number, pool: pg.Pool): void {
    if (this.#pools[server] !== pool) return;
    this.#pools[server] = this.#open(server);
    const idle = idleClients.get(pool) ?? [];
    pool.end().catch(() => {});
    // `pool.end` waits for the server, which may hang, and the open sockets would keep this process from ending.
    for (const client of idle) destroySocket(client);
  }
}

const idleClients = new WeakMap<pg.Pool, Set<pg.PoolClient>>();

function openPool(server: string, { size, purpose, areWriters }: ConnectionOptions): pg.Pool {
  const hasNoTimeout = purpose === 'migration' || purpose === 'copy' || purpose === 'reader';
  const pool = new pg.Pool({
    connectionString: server,
    max: size,
    // One connection stays open: it holds the advisory lock that shows other processes a server or a copy.
    min: purpose === 'server' || purpose === 'copy' ? 1 : 0,
    connectionTimeoutMillis: purpose === 'server' ? CONNECT_TIMEOUT_MS : PATIENT_CONNECT_TIMEOUT_MS,
    ...(!hasNoTimeout && { query_timeout: QUERY_TIMEOUT_MS }),
    keepAlive: true,
    // Statements are sent without waiting for the response to the one before, and a timeout ends the connection.
    pipeline: true,
    types: { getTypeParser },
    onConnect: (client) =>
      prepareSession(client, purpose, {
        isWriter: areWriters ?? false,
        connectMs: QUERY_TIMEOUT_MS,
        statementMs: hasNoTimeout ? 0 : statementTimeout(LONGEST_USUAL_TIMEOUT_MS),
      }),
  });
  // A connection may break at any time. Without listeners that would end the process; a query in progress rejects.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const idle = new Set<pg.PoolClient>();
  pool.on('release', (_error, client) => idle.add(client));
  pool.on('acquire', (client) => idle.delete(client));
  pool.on('remove', (client) => idle.delete(client));
  idleClients.set(pool, idle);
  return pool;
}

/** Counters and timestamps have 64 bits in PostgreSQL; their values stay below 2^53. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  return oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text');
}
