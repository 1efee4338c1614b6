import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.js';
import { CommandFailed } from '../terminal/command-line.js';
import { urlOf } from './first-start.js';

/**
 * Listens on the configured address and returns its URL. `localhost` can have two addresses, IPv4 and IPv6; the server
 * then listens on both.
 */
export async function listen(
  app: FastifyInstance,
  { host, port, tls }: Config,
  find = addressesOf,
): Promise<string> {
  const addresses = host === 'localhost' ? await find(host) : [];
  const listeners: (Server | undefined)[] = [];
  let closed: Promise<unknown> = Promise.resolve();
  app.addHook('preClose', async () => {
    closed = Promise.all(
      listeners.map((listener) => listener && new Promise((resolve) => listener.close(resolve))),
    );
  });
  // Awaited only here: a listener closes after its connections end, and imports are asked to end after `preClose`.
  app.addHook('onClose', () => closed);
  let others: string[];
  try {
    others = await listenOnFirst(app, addresses.length === 0 ? [host] : addresses, port);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reasons: Record<string, string> = {
      EADDRINUSE: `Port ${port} on ${host} is in use. Stop the program that uses it, or set ACCOUNT_SYNC_PORT to a free port.`,
      EACCES: `This user may not listen on port ${port}. Set ACCOUNT_SYNC_PORT to 1024 or higher.`,
      EADDRNOTAVAIL: `${host} is not an address of this machine. Set ACCOUNT_SYNC_HOST to one of its addresses, or to 0.0.0.0 for all.`,
    };
    throw new CommandFailed(reasons[code ?? ''] ?? `Cannot listen on ${host}:${port}: ${message}.`);
  }
  const bound = app.server.address() as AddressInfo;
  listeners.push(...(await Promise.all(others.map((address) => openListener(app, address, bound.port)))));
  return urlOf(bound, tls);
}

async function addressesOf(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}

/** Listens on the first available address and returns the rest. A machine can resolve ::1 without having IPv6. */
async function listenOnFirst(app: FastifyInstance, addresses: string[], port: number): Promise<string[]> {
  const [host = '', ...others] = addresses;
  try {
    await app.listen({ host, port });
    return others;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (others.length === 0 || !['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(code)) throw error;
    app.log.warn(error, `not listening on ${host}`);
    return listenOnFirst(app, others, port);
  }
}

/**
 * Listens on a further address for the same server. Fastify would open a second server there, without the limits of the
 * first one and without its certificate reload.
 */
export async function openListener(
  app: FastifyInstance,
  host: string,
  port: number,
): Promise<Server | undefined> {
  const { server } = app;
  const allowHalfOpen = 'allowHalfOpen' in server && server.allowHalfOpen === true;
  const listener = createServer({ allowHalfOpen, noDelay: true }, (socket) =>
    server.emit('connection', socket),
  );
  try {
    await once(listener.listen({ host, port }), 'listening');
    return listener;
  } catch (error) {
    // The server still runs on the first address.
    app.log.warn(error, `not listening on ${host}`);
    return undefined;
  }
}
