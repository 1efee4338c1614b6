import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { Command, InvalidArgumentError } from 'commander';
import { readConfig, type TlsFiles } from '../../config.js';
import { BadCertificate, readCertificate } from '../../http/connection/certificate.js';
import { urlOf } from '../serve/first-start.js';
import { CommandFailed, type OutputOptions, print, withJson } from '../terminal/command-line.js';

const TIMEOUT_MS = 3_000;
const OTHER_CERTIFICATE = 'it shows another certificate than the one in ACCOUNT_SYNC_TLS_CERT';
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
  const { url, trust } = options.url === undefined ? await ownServer() : { url: options.url };
  const { status, body } = await ask(`${url}/readyz`, trust).catch((error: NodeJS.ErrnoException) => {
    // A name with several addresses fails with a code and no message.
    const reason = error.name === 'AbortError' ? LATE : error.message || error.code;
    throw new CommandFailed(`${url} cannot be reached: ${reason}.`);
  });
  if (status !== 200)
    throw new CommandFailed(`${url} is not ready: ${parsed(body).reason ?? `status ${status}.`}`);
  const { warnings = [] } = parsed(body);
  print(options, { url, ready: true, warnings }, [`${url} is ready.`, ...warnings].join('\n'));
}

/** Whom to believe instead of the authorities that Node.js knows: these need not know a server that is asked on loopback. */
type Trust = (response: IncomingMessage) => boolean;

interface OwnServer {
  readonly url: string;
  readonly trust?: Trust;
}

/** Every address of the machine means the loopback interface here. */
async function ownServer(): Promise<OwnServer> {
  const { host: address, port, tls } = readConfig(process.env);
  if (port !== 0) {
    const url = urlOf({ address, port }, tls);
    return tls === undefined ? { url } : { url, trust: await trustIn(tls) };
  }
  throw new CommandFailed('ACCOUNT_SYNC_PORT is 0, a port that only the server knows: give it with --url.');
}

/** Not with `fetch`, which refuses some ports that a server may well listen on. */
async function ask(url: string, trust?: Trust): Promise<Answer> {
  const { get } = await (url.startsWith('https:') ? import('node:https') : import('node:http'));
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  return new Promise((resolve, reject) => {
    get(url, { agent: false, signal, rejectUnauthorized: trust === undefined }, (response) => {
      if (trust?.(response) === false) return reject(new Error(OTHER_CERTIFICATE));
      text(response).then((body) => resolve({ status: response.statusCode, body }), reject);
    }).on('error', reject);
  });
}

/**
 * The server on this machine shows the very certificate in the file. Where the files are of no use now, it goes on with
 * the one it has, and to call it ill for that would end a server that works and could not be started again.
 */
async function trustIn(files: TlsFiles): Promise<Trust> {
  try {
    const { fingerprint } = await readCertificate(files);
    return ({ socket }) => (socket as TLSSocket).getPeerX509Certificate()?.fingerprint256 === fingerprint;
  } catch (error) {
    if (error instanceof BadCertificate) return () => true;
    throw error;
  }
}

function parsed(body: string): { readonly reason?: string; readonly warnings?: readonly string[] } {
  try {
    return JSON.parse(body);
  } catch {
    return {};
  }
}

function readUrl(base: string): string {
  if (/^https?:\/\//i.test(base) && URL.canParse(base)) return base.replace(/\/+$/, '');
  throw new InvalidArgumentError('Give it as http://host:port.');
}
