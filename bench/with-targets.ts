import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PostgresServer } from '../test/postgres/postgres-server.js';
import { AccountSource } from './requests.js';

export interface Target {
  readonly name: string;
  readonly url: string;
  readonly key: string;
  readonly source: AccountSource;
}

export const CEILING = 'bare node:http';
export const EXPRESS = 'Express + zod + pg';

const SERVICE = [fileURLToPath(new URL('../../main.js', import.meta.url)), 'serve'];
const peer = (name: string) => [fileURLToPath(new URL(`./${name}.js`, import.meta.url))];

/** Starts every target, and leaves no process and no file of them behind, whatever happens. */
export async function withTargets(work: (targets: readonly Target[]) => Promise<void>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'account-sync-bench-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  // PostgreSQL runs in it too, under another user where this one is root.
  chmodSync(directory, 0o755);
  process.env.TMPDIR = directory;
  const children: ChildProcess[] = [];
  const start = async (name: string, args: readonly string[], settings: Record<string, string> = {}) => {
    const child = spawn(process.execPath, args, {
      env: { ...ownEnvironment(), NODE_ENV: 'production', ...settings },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    children.push(child);
    return { name, source: new AccountSource(), ...(await welcome(name, child)) };
  };
  // The settings are PostgreSQL's own, so a commit is on disk before it is acknowledged.
  const postgres = await PostgresServer.start();
  try {
    await work([
      await start(CEILING, peer('ceiling')),
      await start(EXPRESS, peer('express-peer'), { DATABASE_URL: await postgres.createDatabase() }),
      await start('account-sync, SQLite', SERVICE, {
        ACCOUNT_SYNC_PORT: '0',
        ACCOUNT_SYNC_DATA_DIR: join(directory, 'data'),
      }),
      await start('account-sync, PostgreSQL', SERVICE, {
        ACCOUNT_SYNC_PORT: '0',
        DATABASE_URL: await postgres.createDatabase(),
      }),
    ]);
  } finally {
    await Promise.all(children.map(stop));
    await postgres.remove();
  }
}

/** Every target runs with its defaults, whatever is set in this shell. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const ours = Object.entries(process.env).filter(
    ([name]) => !/^(ACCOUNT_SYNC_|DATABASE_URL$|PG)/.test(name),
  );
  return Object.fromEntries(ours);
}

/** The address that a server prints once it listens, and the key where it has one. */
function welcome(name: string, child: ChildProcess): Promise<{ url: string; key: string }> {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout?.on('data', (chunk) => {
      output += chunk;
      const url = /Address {2}(\S+)\n/.exec(output)?.[1];
      const key = /API key {2}(\S+)\n/.exec(output)?.[1];
      if (url !== undefined && (key !== undefined || !output.includes('Store')))
        resolve({ url, key: key ?? '' });
    });
    child.on('exit', (status, signal) => reject(new Error(`${name} exited with ${status ?? signal}.`)));
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
