import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { Command, InvalidArgumentError } from 'commander';
import { readConfig, type TlsFiles } from '../../config.js';
import { BadCertificate, readCertificate } from '../../http/connection/certificate.js';
import { urlOf } from '../serve/first-start.js';
import { CommandFailed, type OutputOptions, print, withJson } from '../terminal/command-line.js';

const TIMEOUT_MS = 3_000;
const OTHER_CERTIFICATE = 'its certificate is not the one in ACCOUNT_SYNC_TLS_CERT';
const TIMED_OUT = `no response within ${TIMEOUT_MS / 1_000} seconds`;

interface HealthOptions extends OutputOptions {
  readonly url?: string;
}

interface HealthResponse {
  readonly status: number | undefined;
  readonly body: string;
}

export function healthCommand(): Command {
  return withJson(new Command('health').description('check whether the running server is ready'))
    .option('--url <base>', 'the address to check (default: the one in the settings)', readUrl)
    .action(health);
}

async function health(options: HealthOptions): Promise<void> {
  const { url, trust } = options.url === undefined ? await ownServer() : { url: options.url };
  const { status, body } = await request(`${url}/readyz`, trust).catch((error: NodeJS.ErrnoException) => {
    // For a host name with several addresses, the error has a code but no message.
    const reason = error.name === 'AbortError' ? TIMED_OUT : error.message || error.code;
    throw new CommandFailed(`${url} cannot be reached: ${reason}.`);
  });
  if (status !== 200)
    throw new CommandFailed(`${url} is not ready: ${parseBody(body).reason ?? `status ${status}.`}`);
  const { warnings = [] } = parseBody(body);
  print(options, { url, ready: true, warnings }, [`${url} is ready.`, ...warnings].join('\n'));
}

/** Replaces the certificate check of Node.js, which fails for a server that is reached over loopback. */
type Trust = (response: IncomingMessage) => boolean;

interface OwnServer {
  readonly url: string;
  readonly trust?: Trust;
}

/** The server in the settings; if it listens on all addresses, over the loopback interface. */
async function ownServer(): Promise<OwnServer> {
  const { host: address, port, tls } = readConfig(process.env);
  if (port !== 0) {
    const url = urlOf({ address, port }, tls);
    return tls === undefined ? { url } : { url, trust: await trustCertificate(tls) };
  }
  throw new CommandFailed('ACCOUNT_SYNC_PORT is 0, so the port is unknown. Give the address with --url.');
}

/** Uses `node:http`, because `fetch` blocks some ports that a server can listen on. */
async function request(url: string, trust?: Trust): Promise<HealthResponse> {
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
 * Accepts exactly the certificate in the file. If the files are unusable, it accepts any: the server keeps working with
 * its loaded certificate, and a failed health check would end a server that cannot start again.
 */
async function trustCertificate(files: TlsFiles): Promise<Trust> {
  try {
    const { fingerprint } = await readCertificate(files);
    return ({ socket }) => (socket as TLSSocket).getPeerX509Certificate()?.fingerprint256 === fingerprint;
  } catch (error) {
    if (error instanceof BadCertificate) return () => true;
    throw error;
  }
}

function parseBody(body: string): { readonly reason?: string; readonly warnings?: readonly string[] } {
  try {
    return JSON.parse(body);
  } catch {
    return {};
  }
}

function readUrl(base: string): string {
  if (/^https?:\/\//i.test(base) && URL.canParse(base)) return base.replace(/\/+$/, '');
  throw new InvalidArgumentError('Use the form http://host:port.');
}
