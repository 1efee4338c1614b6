import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommandThread, type Finished } from './command-thread.js';
import { noteLeaks } from './leaks.js';

/** The built program. `bin/account-sync.js` would check on every start whether the build is up to date. */
export const PROGRAM = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export type { Finished };

export type Settings = Record<string, string>;

export function freshDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'account-sync-test-'));
}

/**
 * The environment of this process without settings of the developer's shell. No load balancer has to notice a shutdown
 * here, so servers do not wait before they stop.
 */
export function environment(settings: Settings): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('ACCOUNT_SYNC_') && name !== 'DATABASE_URL',
  );
  return { ...Object.fromEntries(inherited), ACCOUNT_SYNC_DRAIN_SECONDS: '0', ...settings };
}

const thread = new CommandThread();
/** `serve` needs signals. `restore` locks files, and a lock has no effect within the process that holds it. */
const NEED_PROCESS = ['serve', 'restore'];

/** Runs a command to its end: in a thread, or in a process if the command needs one. See also `start`. */
export async function run(args: readonly string[], settings: Settings): Promise<Finished> {
  if (NEED_PROCESS.includes(args[0] ?? '')) return start(args, settings).finished;
  const finished = await thread.run(args, environment(settings));
  noteLeaksOf(args, finished, settings);
  return finished;
}

export interface Running {
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
  /** Resolves when either output stream contains the text; rejects if the process ends without it. */
  says(text: string): Promise<void>;
}

/** Starts the program as a process, for a test that signals it, does something while it runs, or runs `serve`. */
export function start(args: readonly string[], settings: Settings): Running {
  const child = spawn(process.execPath, [PROGRAM, ...args], { env: environment(settings) });
  const output = collect(child, settings);
  const finished = exitOf(child).then((status) => ({ status, ...output }));
  const says = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const check = () => {
        if (`${output.stdout}\n${output.stderr}`.includes(text)) resolve();
      };
      check();
      for (const stream of [child.stdout, child.stderr]) stream?.on('data', check);
      finished.then((end) =>
        reject(new Error(`The process ended without the output ${text}: ${JSON.stringify(end)}`)),
      );
    });
  return { child, finished, says };
}

/** Runs a command and returns its JSON output; rejects if the command fails. */
export async function runJson(settings: Settings, ...args: string[]) {
  const { status, stdout, stderr } = await run([...args, '--json'], settings);
  if (status !== 0) throw new Error(`account-sync ${args.join(' ')} exited with ${status}: ${stderr}`);
  return JSON.parse(stdout);
}

export class Service {
  readonly #child: ChildProcess;
  readonly #exited: Promise<number | null>;
  readonly output: { readonly stdout: string; readonly stderr: string };

  private constructor(
    readonly settings: Settings,
    child: ChildProcess,
  ) {
    this.#child = child;
    this.output = collect(child, settings);
    this.#exited = exitOf(child);
  }

  /** Starts the service on a free port; resolves when it has printed its address. */
  static async start(
    settings: Settings,
    [command, ...args]: readonly string[] = [process.execPath, PROGRAM, 'serve'],
  ): Promise<Service> {
    const env = environment({ ACCOUNT_SYNC_PORT: '0', ...settings });
    const child = spawn(command as string, args, { env });
    const service = new Service(settings, child);
    await new Promise<void>((resolve, reject) => {
      child.stdout?.on('data', () => {
        if (service.output.stdout.includes('  API key  ')) resolve();
      });
      service.#exited.then((status) =>
        reject(new Error(`The server exited with ${status}: ${service.output.stderr}`)),
      );
    });
    return service;
  }

  get pid(): number {
    return this.#child.pid ?? Number.NaN;
  }

  get dataDir(): string {
    return this.settings.ACCOUNT_SYNC_DATA_DIR ?? '';
  }

  get url(): string {
    return /Address {2}(\S+)/.exec(this.output.stdout)?.[1] ?? '';
  }

  /** The key that the first start printed. */
  get key(): string {
    return /API key {2}(acs_\S+)/.exec(this.output.stdout)?.[1] ?? '';
  }

  /** Upserts an account, and returns the status of the response. */
  async upsertAccount(key = this.key): Promise<number> {
    const response = await fetch(`${this.url}/api/v1_1/account`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{"account_id":"acme"}',
    });
    return response.status;
  }

  /** Resolves with the exit status. */
  get ended(): Promise<number | null> {
    return this.#exited;
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.#child.kill(signal);
    return this.#exited;
  }

  /** Stops it and removes its data directory. */
  async stopAndRemove(): Promise<void> {
    await this.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

/** Commands that print keys to standard output on purpose. `npm start` runs `serve`. */
const SHOW_KEYS = ['serve', 'start', 'key', 'demo'];
/** The commands of `webhook` that print a secret, and those of `user` that print a link. */
const SHOW_SECRETS: Readonly<Record<string, readonly string[]>> = {
  webhook: ['create', 'rotate'],
  user: ['invite', 'reset-password'],
};

function noteLeaksOf(command: readonly string[], output: Omit<Finished, 'status'>, settings: Settings): void {
  // A regular expression, because Node.js cannot parse a URL with several hosts.
  const known = /^\w+:\/\/[^:/@]*:([^@]+)@/.exec(settings.DATABASE_URL ?? '')?.slice(1) ?? [];
  const name = command.join(' ');
  const isNewSecret = Object.entries(SHOW_SECRETS).some(
    ([group, words]) => command.includes(group) && command.some((word) => words.includes(word)),
  );
  const mayShowKeys = isNewSecret || command.some((word) => SHOW_KEYS.includes(word));
  if (!mayShowKeys) noteLeaks(`stdout of ${name}`, output.stdout, known);
  noteLeaks(`stderr of ${name}`, output.stderr, known);
}

function collect(child: ChildProcess, settings: Settings): { stdout: string; stderr: string } {
  const output = { stdout: '', stderr: '' };
  child.once('close', () => noteLeaksOf(child.spawnargs, output, settings));
  child.stdout?.setEncoding('utf8').on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr?.setEncoding('utf8').on('data', (chunk) => {
    output.stderr += chunk;
  });
  return output;
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
}
