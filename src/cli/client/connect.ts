import { readFile } from 'node:fs/promises';
import type { AccountSync, Retry } from '@account-sync/client';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { readDuration } from '../../domain/duration.js';
import { CommandFailed } from '../terminal/command-line.js';
import { duration } from '../terminal/printable.js';
import { nodeFetch } from './node-fetch.js';

/** The environment variables of the commands that connect to a server, or receive from one. */
export const CALLER_SETTINGS = ['ACCOUNT_SYNC_URL', 'ACCOUNT_SYNC_KEY', 'ACCOUNT_SYNC_WEBHOOK_SECRET'];

/** The exit status of a command that could not finish; 1 means that it finished with rejected records. */
export const COULD_NOT_RUN = 2;

export interface ServerOptions {
  readonly url?: string;
  readonly keyFile?: string;
  /** In seconds. */
  readonly giveUpAfter: number;
}

/** Adds the options of a command that connects to a server over HTTP. */
export function withServer(command: Command): Command {
  return command
    .addOption(new Option('--url <base>', 'the base URL of the server').env('ACCOUNT_SYNC_URL'))
    .option('--key-file <path>', 'a file with the API key (default: the key in ACCOUNT_SYNC_KEY)')
    .addOption(
      new Option('--give-up-after <time>', 'how long to retry if the server does not respond: 90s, 10m, 2h')
        .argParser(readSeconds)
        .default(600, '10m'),
    )
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : COULD_NOT_RUN));
}

/** Wraps the action of such a command: failures of the client become messages, and all failures exit with status 2. */
export function withServerErrors<Arguments extends unknown[]>(
  work: (...args: Arguments) => Promise<void>,
): (...args: Arguments) => Promise<void> {
  return async (...args) => {
    const { AccountSyncError } = await import('@account-sync/client');
    try {
      await work(...args);
    } catch (error) {
      const isExpected = error instanceof AccountSyncError || error instanceof CommandFailed;
      throw isExpected
        ? new CommandFailed(error.message, COULD_NOT_RUN)
        : Object.assign(error as Error, { exitStatus: COULD_NOT_RUN });
    }
  };
}

/** The server to connect to, and the key to use. */
export interface Server {
  readonly url: string;
  readonly key: string;
  readonly giveUpAfter: number;
}

/** Called once per command, because the key file can be a pipe. */
export async function readServer({ url, keyFile, giveUpAfter }: ServerOptions): Promise<Server> {
  if (url === undefined) {
    throw new CommandFailed('The server address is missing. Set --url http://host:port or ACCOUNT_SYNC_URL.');
  }
  return { url, key: await readKey(keyFile), giveUpAfter };
}

export async function connect(
  { url, key, giveUpAfter }: Server,
  { outages, timeoutMs = 30_000 }: { readonly outages: Outages; readonly timeoutMs?: number },
): Promise<AccountSync> {
  const { AccountSync } = await import('@account-sync/client');
  try {
    const { onRetry, onRecovered } = outages;
    const retrying = { retryForMs: giveUpAfter * 1000, onRetry, onRecovered };
    return new AccountSync({ url, key, timeoutMs, ...retrying, fetch: nodeFetch });
  } catch (error) {
    throw new CommandFailed(`Cannot connect to the server: ${(error as Error).message}`);
  }
}

/** The key is never an argument: all users of the machine can see the arguments of a process. */
async function readKey(path: string | undefined): Promise<string> {
  if (path === undefined) {
    const key = process.env.ACCOUNT_SYNC_KEY?.trim();
    if (key) return key;
    throw new CommandFailed('The API key is missing. Set --key-file <path> or ACCOUNT_SYNC_KEY.');
  }
  const text = await readFile(path, 'utf8').catch(({ message }: Error) => {
    throw new CommandFailed(`Cannot read the key file: ${message}.`);
  });
  const key = text.trim();
  if (key === '' || /\s/.test(key)) {
    throw new CommandFailed(`${path} must contain one API key and nothing else.`);
  }
  return key;
}

function readSeconds(text: string): number {
  const ms = readDuration(text);
  if (ms === undefined) throw new InvalidArgumentError('Give a time such as 90s, 10m or 2h.');
  return ms / 1_000;
}

/** Reports an outage of the server twice: when it starts and when it ends. */
export class Outages {
  readonly #print: (line: string) => void;
  #since: number | undefined;

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  /** The duration of the current outage in seconds; `undefined` if there is none. */
  get seconds(): number | undefined {
    return this.#since === undefined ? undefined : (performance.now() - this.#since) / 1000;
  }

  readonly onRetry = ({ error }: Retry): void => {
    if (this.#since !== undefined) return;
    this.#since = performance.now();
    this.#print(`${error.message} Trying again.`);
  };

  /** The client calls it when a request that failed before succeeds; other requests can succeed during an outage. */
  readonly onRecovered = (): void => {
    if (this.seconds === undefined) return;
    this.#print(`The server responds again, after ${duration(this.seconds)}.`);
    this.#since = undefined;
  };
}
