import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { WebhookEvent } from '@account-sync/client';
import { Command, InvalidArgumentError } from 'commander';
import { COULD_NOT_RUN, withServerErrors } from '../client/connect.js';
import { CommandFailed, type OutputOptions, withJson } from '../terminal/command-line.js';
import { readPercent } from '../terminal/percent.js';
import { printable } from '../terminal/printable.js';
import { stopSignal } from '../terminal/signals.js';
import { describeChange } from './changes.js';

interface ListenOptions extends OutputOptions {
  readonly port: number;
  readonly host: string;
  readonly secretFile?: string;
  readonly status: number;
  readonly fail: number;
  readonly delay: number;
}

/** The largest message is much smaller. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

export function listenCommand(): Command {
  return withJson(new Command('listen').description('receive messages of a webhook, verify and print them'))
    .requiredOption('--port <n>', 'the port to listen on; 0 for any', readPort)
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option(
      '--secret-file <path>',
      'a file with the secret of the webhook (default: the secret in ACCOUNT_SYNC_WEBHOOK_SECRET)',
    )
    .option('--status <code>', 'the status of the answers', readStatus, 204)
    .option('--fail <percent>', 'answer 500 to this share of messages', readPercent, 0)
    .option('--delay <ms>', 'wait so many milliseconds before each answer', readDelay, 0)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : COULD_NOT_RUN))
    .action(withServerErrors(listen));
}

async function listen(options: ListenOptions): Promise<void> {
  const secret = await readSecret(options.secretFile);
  const { verifyWebhook, InvalidWebhookError } = await import('@account-sync/client');
  const stop = new AbortController();
  process.stdout.on('error', (error) => stop.abort(error));
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    try {
      const { id, data } = await verifyWebhook(secret, request.headers, await bodyOf(request));
      for (const event of data) {
        process.stdout.write(`${options.json ? JSON.stringify(event) : describeEvent(event)}\n`);
      }
      const result = await answer(response, options);
      report(`${id}: verified, ${data.length} ${data.length === 1 ? 'event' : 'events'}, ${result}`);
    } catch (error) {
      if (!(error instanceof InvalidWebhookError)) throw error;
      report(`Rejected a request: ${error.message}`);
      response.writeHead(401).end(error.message);
    }
  };
  const server = createServer((request, response) => {
    receive(request, response).catch((error: Error) => {
      report(`Rejected a request: ${error.message}`);
      if (!response.headersSent) response.writeHead(400).end();
    });
  });
  report(`Listening on ${await open(server, options)}. End with Ctrl-C.`);
  await Promise.race([stopSignal(), once(stop.signal, 'abort')]);
  server.close();
  server.closeAllConnections();
  const { code, message } = (stop.signal.reason ?? {}) as NodeJS.ErrnoException;
  // A reader that closes the pipe early, as `head` does, is not a failure.
  if (code !== undefined && code !== 'EPIPE')
    throw new CommandFailed(`Cannot write to standard output: ${message}.`);
}

function report(line: string): void {
  process.stderr.write(`${printable(line)}\n`);
}

/** Resolves with what was answered. */
async function answer(response: ServerResponse, { status, fail, delay }: ListenOptions): Promise<string> {
  // The command ends without waiting for open delays.
  if (delay > 0) await setTimeout(delay, undefined, { ref: false });
  if (response.destroyed) return `not answered: the connection was closed within ${delay} ms`;
  const answered = Math.random() * 100 < fail ? 500 : status;
  response.writeHead(answered).end();
  return `answered ${answered}`;
}

/** Resolves with its address. */
async function open(server: Server, { host, port }: ListenOptions): Promise<string> {
  server.listen(port, host);
  await once(server, 'listening').catch(({ code, message }: NodeJS.ErrnoException) => {
    throw new CommandFailed(
      code === 'EADDRINUSE'
        ? `The port ${port} of ${host} is in use. Choose another one, or --port 0 for any.`
        : `Cannot listen on ${host}, port ${port}: ${message}.`,
    );
  });
  const { address, port: opened, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${opened}/`;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Error('its body is too large.');
  }
  return Buffer.concat(chunks);
}

function describeEvent({ type, timestamp, cursor, data }: WebhookEvent): string {
  if ('account_id' in data) return `${type}  ${describeChange({ cursor: cursor ?? '–', ...data })}`;
  return printable([type, cursor ?? '–', timestamp, JSON.stringify(data)].join('  '));
}

/** The secret is never an argument: all users of the machine can see the arguments of a process. */
async function readSecret(path: string | undefined): Promise<string> {
  const text =
    path === undefined
      ? process.env.ACCOUNT_SYNC_WEBHOOK_SECRET
      : await readFile(path, 'utf8').catch(({ message }: Error) => {
          throw new CommandFailed(`Cannot read the secret: ${message}.`);
        });
  const secret = text?.trim() ?? '';
  if (/^whsec_[A-Za-z0-9+/]{43}=$/.test(secret)) return secret;
  throw new CommandFailed(
    secret === ''
      ? 'The secret is missing. Set --secret-file <path> or ACCOUNT_SYNC_WEBHOOK_SECRET.'
      : 'The secret is not one of a webhook: it begins with whsec_, and has 50 characters.',
  );
}

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('Give a port from 0 to 65535.');
}

function readStatus(text: string): number {
  const status = Number(text);
  if (/^\d{3}$/.test(text) && status >= 200 && status <= 599) return status;
  throw new InvalidArgumentError('Give a status from 200 to 599.');
}

function readDelay(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Give a number of milliseconds.');
}
