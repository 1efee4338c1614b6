import { readFile } from 'node:fs/promises';
import type { AccountSync, Retry } from '@account-sync/client';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { CommandFailed } from '../terminal/command-line.js';
import { duration } from '../terminal/printable.js';
import { nodeFetch } from './node-fetch.js';

/** What the commands read that speak to a server. */
export const CALLER_SETTINGS = ['ACCOUNT_SYNC_URL', 'ACCOUNT_SYNC_KEY'];

/** How a command ends that did not get to its end; 1 is for one that did, and has to tell of refusals. */
export const COULD_NOT_RUN = 2;

export interface ServerOptions {
  readonly url?: string;
  readonly keyFile?: string;
  /** In seconds. */
  readonly giveUpAfter: number;
}

/** A command that speaks to a server, as any other caller does. */
export function withServer(command: Command): Command {
  return command
    .addOption(new Option('--url <base>', 'where the server is').env('ACCOUNT_SYNC_URL'))
    .option('--key-file <path>', 'a file that holds an API key; else it is read from ACCOUNT_SYNC_KEY')
    .addOption(
      new Option('--give-up-after <time>', 'how long to wait for a server that does not answer: 90s, 10m, 2h')
        .argParser(readDuration)
        .default(600, '10m'),
    )
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : COULD_NOT_RUN));
}

/** The same work, with every failure said in the way and with the status of such a command. */
export function speaking<Arguments extends unknown[]>(
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

/** Where to connect, and as whom. */
export interface Server {
  readonly url: string;
  readonly key: string;
  readonly giveUpAfter: number;
}

/** Once: a key may come out of a pipe. */
export async function readServer({ url, keyFile, giveUpAfter }: ServerOptions): Promise<Server> {
  if (url === undefined) {
    throw new CommandFailed('Say where the server is: --url http://host:port, or ACCOUNT_SYNC_URL.');
  }
  return { url, key: await readKey(keyFile), giveUpAfter };
}

export async function connect(
  { url, key, giveUpAfter }: Server,
  { outages, timeoutMs = 30_000 }: { readonly outages: Outages; readonly timeoutMs?: number },
): Promise<AccountSync> {
  const { AccountSync } = await import('@account-sync/client');
  try {
    const { onRetry, over: onRecovered } = outages;
    const retrying = { retryForMs: giveUpAfter * 1000, onRetry, onRecovered };
    return new AccountSync({ url, key, timeoutMs, ...retrying, fetch: nodeFetch });
  } catch (error) {
    throw new CommandFailed(`The server cannot be spoken to: ${(error as Error).message}`);
  }
}

/** Never an argument: those are seen by everybody on the machine. */
async function readKey(path: string | undefined): Promise<string> {
  if (path === undefined) {
    const key = process.env.ACCOUNT_SYNC_KEY?.trim();
    if (key) return key;
    throw new CommandFailed('Give an API key: --key-file <path>, or ACCOUNT_SYNC_KEY.');
  }
  const text = await readFile(path, 'utf8').catch(({ message }: Error) => {
    throw new CommandFailed(`The key cannot be read: ${message}.`);
  });
  const key = text.trim();
  if (key === '' || /\s/.test(key)) {
    throw new CommandFailed(`${path} must hold one API key, and nothing else.`);
  }
  return key;
}

function readDuration(text: string): number {
  const [, number, unit = 's'] = /^(\d+)\s*(s|m|h)?$/.exec(text.trim()) ?? [];
  if (number === undefined) throw new InvalidArgumentError('Give it as 90s, 10m or 2h.');
  return Number(number) * { s: 1, m: 60, h: 3600 }[unit as 's' | 'm' | 'h'];
}

/** Tells of a server that does not answer, once when that begins and once when it is over. */
export class Outages {
  readonly #say: (line: string) => void;
  #since: number | undefined;

  constructor(say: (line: string) => void) {
    this.#say = say;
  }

  /** How long nobody has answered, in seconds. */
  get seconds(): number | undefined {
    return this.#since === undefined ? undefined : (performance.now() - this.#since) / 1000;
  }

  readonly onRetry = ({ error }: Retry): void => {
    if (this.#since !== undefined) return;
    this.#since = performance.now();
    this.#say(`${error.message} Trying again.`);
  };

  /** Other requests may have been answered all the while; only one that failed before tells that it is over. */
  readonly over = (): void => {
    if (this.seconds === undefined) return;
    this.#say(`The server answers again, after ${duration(this.seconds)}.`);
    this.#since = undefined;
  };
}
