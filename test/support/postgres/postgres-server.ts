import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findBinaries, owner } from './binaries.js';
import { PostgresProcess, type StopSignal } from './postgres-process.js';

export type Settings = Readonly<Record<string, string | number>>;

/** Prepares the data directory, and returns the words to put before each command of the server. */
export type PrepareDataDirectory = (data: string) => Promise<readonly string[]>;

/** A real PostgreSQL server with a new data directory, on a free port of the loopback interface. */
export class PostgresServer {
  #process: PostgresProcess | undefined;
  #databases = 0;
  #wasKilled = false;
  #launcher: readonly string[] = [];
  /** The log of all its starts. */
  log = '';

  private constructor(
    readonly directory: string,
    readonly binaries: string,
    readonly port: number,
    readonly settings: Settings,
  ) {}

  static async start(settings: Settings = {}, prepareData?: PrepareDataDirectory): Promise<PostgresServer> {
    const directory = freshDirectory();
    const binaries = await findBinaries(join(directory, 'program'));
    const server = new PostgresServer(directory, binaries, await freePort(), settings);
    if (prepareData !== undefined) server.#launcher = await prepareData(server.#data);
    const options = [
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale=C',
      '--no-sync',
      '--no-instructions',
    ];
    const [program = '', ...args] = server.#command('initdb', ...options);
    execFileSync(program, args, {
      ...(prepareData === undefined && owner),
      cwd: directory,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await server.resume();
    return server;
  }

  /** Creates a stopped copy of this stopped server, with its own port. */
  async copy(settings: Settings, ...files: readonly string[]): Promise<PostgresServer> {
    const directory = freshDirectory();
    const copy = new PostgresServer(directory, this.binaries, await freePort(), settings);
    cpSync(this.#data, copy.#data, { recursive: true });
    for (const file of files) writeFileSync(join(copy.#data, file), '');
    if (owner !== undefined) execFileSync('chown', ['-R', `${owner.uid}:${owner.gid}`, copy.#data]);
    return copy;
  }

  get #data(): string {
    return join(this.directory, 'data');
  }

  #command(program: string, ...args: string[]): string[] {
    return [...this.#launcher, join(this.binaries, program), '-D', this.#data, ...args];
  }

  url(database = 'postgres'): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`;
  }

  /** Creates an empty database and returns its URL. */
  async createDatabase(): Promise<string> {
    this.#databases += 1;
    const name = `test_${process.pid}_${this.#databases}`;
    await this.query(`create database ${name}`);
    return this.url(name);
  }

  async query(statement: string, database?: string): Promise<Record<string, unknown>[]> {
    return queryOnce(this.url(database), statement);
  }

  /** Starts the stopped server; resolves when it accepts connections. */
  async resume(): Promise<void> {
    const all = {
      port: this.port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: 200,
      ...this.settings,
    };
    const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const user = this.#launcher.length > 0 ? undefined : owner;
    this.#process = await PostgresProcess.start(this.#command('postgres', ...flags), user, (text) => {
      this.log += text;
    });
    this.#wasKilled = false;
  }

  get isRunning(): boolean {
    return this.#process?.isRunning ?? false;
  }

  async stop(signal: StopSignal = 'SIGINT'): Promise<void> {
    await this.#process?.stop(signal);
    this.#process = undefined;
    this.#wasKilled ||= signal === 'SIGKILL';
  }

  /** Suspends the server: connections stay open, and nothing responds. */
  hang(): void {
    this.#process?.suspend();
  }

  wake(): void {
    this.#process?.resume();
  }

  async remove(): Promise<void> {
    // A killed server leaves shared memory, which only its next start removes.
    if (this.#wasKilled) await this.resume();
    this.wake();
    await this.stop('SIGQUIT');
    await rm(this.directory, { recursive: true, force: true });
  }
}

export async function queryOnce(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  // A lost connection is emitted as an error, too. The query under way rejects with it, and the caller decides.
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

function freshDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'account-sync-postgres-'));
  if (owner !== undefined) chownSync(directory, owner.uid, owner.gid);
  return directory;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
