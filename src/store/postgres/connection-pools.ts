import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Tables } from '../schema/tables.js';
import { MAX_GROUP_RECORDS } from '../write/write-backlog.js';
import { type Purpose, prepareSession, statementTimeout } from './prepare-session.js';

/** How long a connection may take to be made, or to become free. */
const CONNECT_TIMEOUT_MS = 2_000;
/** How long an answer may take; a group of requests asks for a millisecond more for each of its records. */
export const QUERY_TIMEOUT_MS = 3_000;
/** The longest that any but a single large request waits for. */
export const LONGEST_USUAL_TIMEOUT_MS = QUERY_TIMEOUT_MS + MAX_GROUP_RECORDS;

const INT8 = 20;
/** Another process wrote, created or locked one of the same rows: nothing was stored, and it may be tried again. */
export const LOST_RACES: ReadonlySet<string> = new Set(['22012', '23505', '40001', '40P01', '55P03']);
/** Of what comes behind the first failure of a transaction. */
const ALREADY_FAILED = '25P02';
/** Of a server that shuts down, is not there, or takes no writes any more. */
const USELESS = /^(08|57P|25006)/;

export interface ConnectionOptions {
  readonly size: number;
  readonly purpose: Purpose;
  /** Called once for each connection that is not to be had, or on which something fails. */
  readonly onFailure?: () => void;
}

export interface Connection {
  readonly query: pg.PoolClient['query'];
  /** What `work` sends leaves in one system call, not in one for each statement. */
  inOnePiece<T>(work: () => T): T;
  release(): void;
}

/** A pool for each server; connections come from the one that takes writes, wherever that is by now. */
export class ConnectionPools {
  readonly #pools: pg.Pool[];
  readonly #open: (server: number) => pg.Pool;
  readonly #onFailure: () => void;
  #current = 0;

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
        return this.#watch(client, () => this.#renew(server, pool));
      } catch (error) {
        failures.push(error as Error);
      }
    }
    this.#onFailure();
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
        if (!(error instanceof pg.DatabaseError)) isUseless = true;
        else if (USELESS.test(code)) isUseless = true;
        if ((error as Error).message === 'Query read timeout') onTimeout();
        throw error;
      }
    };
    const { stream } = (client as unknown as { connection: pg.Connection }).connection;
    return {
      query: query as pg.PoolClient['query'],
      inOnePiece: (work) => {
        stream.cork();
        try {
          return work();
        } finally {
          stream.uncork();
        }
      },
      // Nor while a transaction is open on it.
      release: () => client.release(isUseless || client.getTransactionStatus() !== 'I'),
    };
  }

  /** Where one connection hangs, the idle ones beside it likely do too, and each would be waited for. */
  #renew(server: number, pool: pg.Pool): void {
    if (this.#pools[server] !== pool) return;
    this.#pools[server] = this.#open(server);
    const idle = idleClients.get(pool) ?? [];
    pool.end().catch(() => {});
    // Not only told goodbye: a server that hangs would not answer, and keep the process from ending.
    for (const client of idle)
      (client as unknown as { connection: pg.Connection }).connection.stream.destroy();
  }
}

const idleClients = new WeakMap<pg.Pool, Set<pg.PoolClient>>();

function openPool(server: string, { size, purpose }: ConnectionOptions): pg.Pool {
  const takesItsTime = purpose === 'migration' || purpose === 'copy' || purpose === 'reader';
  const pool = new pg.Pool({
    connectionString: server,
    max: size,
    // One stays, and with it what shows that somebody serves, or copies.
    min: purpose === 'server' || purpose === 'copy' ? 1 : 0,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    ...(!takesItsTime && { query_timeout: QUERY_TIMEOUT_MS }),
    keepAlive: true,
    // Statements that follow one another go out together, and a timeout ends the connection.
    pipeline: true,
    types: { getTypeParser },
    onConnect: (client) =>
      prepareSession(client, purpose, {
        connectMs: QUERY_TIMEOUT_MS,
        statementMs: takesItsTime ? 0 : statementTimeout(LONGEST_USUAL_TIMEOUT_MS),
      }),
  });
  // ConnectionPools break while they are idle or being used; whoever uses one then hears of it by its query.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const idle = new Set<pg.PoolClient>();
  pool.on('release', (_error, client) => idle.add(client));
  pool.on('acquire', (client) => idle.delete(client));
  pool.on('remove', (client) => idle.delete(client));
  idleClients.set(pool, idle);
  return pool;
}

/** Counters and moments are 64 bits wide there, and stay below 2^53. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  return oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text');
}

/** Kysely over a pool of connections; destroying it ends them. */
export function kyselyOver(connections: ConnectionPools): Kysely<Tables> {
  return new Kysely({ dialect: new PostgresDialect({ pool: connections }) });
}
