import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A server in its own process. It prints its address when it listens. */
export class ServerProcess {
  readonly #child: ChildProcess;
  readonly address: Promise<string>;

  constructor(name: string, args: readonly string[], settings: Record<string, string>) {
    this.#child = spawn(process.execPath, args, {
      env: { ...cleanEnvironment(), NODE_ENV: 'production', ...settings },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.address = addressOf(name, this.#child);
  }

  get pid(): number {
    return this.#child.pid ?? Number.NaN;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await exited;
  }
}

/** Removes settings of this shell, so that every server runs with its defaults. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(ACCOUNT_SYNC_|DATABASE_URL$|PG)/.test(name),
  );
  return Object.fromEntries(kept);
}

function addressOf(name: string, child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout?.on('data', (chunk) => {
      output += chunk;
      const url = /Address {2}(\S+)\n/.exec(output)?.[1];
      if (url !== undefined) resolve(url);
    });
    child.on('exit', (status, signal) => reject(new Error(`${name} exited with ${status ?? signal}.`)));
  });
}
