import { text } from 'node:stream/consumers';
import { Command, InvalidArgumentError } from 'commander';
import { readConfig } from '../config.js';
import { urlOf } from './banner.js';
import { CommandFailed, type OutputOptions, print, withJson } from './command-line.js';

const TIMEOUT_MS = 3_000;
const LATE = `no answer within ${TIMEOUT_MS / 1_000} seconds`;

interface HealthOptions extends OutputOptions {
  readonly url?: string;
}

interface Answer {
  readonly status: number | undefined;
  readonly body: string;
}

export function healthCommand(): Command {
  return withJson(new Command('health').description('ask the running server whether it is ready'))
    .option('--url <base>', 'ask this address, instead of the one in the settings', readUrl)
    .action(health);
}

async function health(options: HealthOptions): Promise<void> {
  const url = options.url ?? ownUrl();
  const { status, body } = await ask(`${url}/readyz`).catch((error: NodeJS.ErrnoException) => {
    // A name with several addresses fails with a code and no message.
    const reason = error.name === 'AbortError' ? LATE : error.message || error.code;
    throw new CommandFailed(`${url} cannot be reached: ${reason}.`);
  });
  if (status !== 200)
    throw new CommandFailed(`${url} is not ready: ${reasonIn(body) ?? `status ${status}.`}`);
  print(options, { url, ready: true }, `${url} is ready.`);
}

/** Every address of the machine means the loopback interface here. */
function ownUrl(): string {
  const { host: address, port } = readConfig(process.env);
  if (port !== 0) return urlOf({ address, port });
  throw new CommandFailed('ACCOUNT_SYNC_PORT is 0, a port that only the server knows: give it with --url.');
}

/** Not with `fetch`, which refuses some ports that a server may well listen on. */
async function ask(url: string): Promise<Answer> {
  const { get } = await (url.startsWith('https:') ? import('node:https') : import('node:http'));
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  return new Promise((resolve, reject) => {
    get(url, { agent: false, signal }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode, body }), reject);
    }).on('error', reject);
  });
}

function reasonIn(body: string): string | undefined {
  try {
    return JSON.parse(body).reason;
  } catch {
    return undefined;
  }
}

function readUrl(base: string): string {
  if (/^https?:\/\//i.test(base) && URL.canParse(base)) return base.replace(/\/+$/, '');
  throw new InvalidArgumentError('Give it as http://host:port.');
}
