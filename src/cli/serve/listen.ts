import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.js';
import { CommandFailed } from '../terminal/command-line.js';
import { urlOf } from './first-start.js';

/** At the address of the settings; `localhost` may have two, one of each family. Tells where to find it. */
export async function listen(
  app: FastifyInstance,
  { host, port, tls }: Config,
  find = addressesOf,
): Promise<string> {
  const addresses = host === 'localhost' ? await find(host) : [];
  const doors: (Server | undefined)[] = [];
  let closed: Promise<unknown> = Promise.resolve();
  app.addHook('preClose', async () => {
    closed = Promise.all(doors.map((door) => door && new Promise((resolve) => door.close(resolve))));
  });
  // Not before: imports are told to end only behind that hook, and a door is closed once all who came by it have left.
  app.addHook('onClose', () => closed);
  let others: string[];
  try {
    others = await listenAtFirst(app, addresses.length === 0 ? [host] : addresses, port);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reasons: Record<string, string> = {
      EADDRINUSE: `Port ${port} on ${host} is in use. Stop the program that has it, or set ACCOUNT_SYNC_PORT to a free port.`,
      EACCES: `This user may not listen on port ${port}. Set ACCOUNT_SYNC_PORT to 1024 or higher.`,
      EADDRNOTAVAIL: `${host} is no address of this machine. Set ACCOUNT_SYNC_HOST to one, or to 0.0.0.0 for all.`,
    };
    throw new CommandFailed(reasons[code ?? ''] ?? `Cannot listen on ${host}:${port}: ${message}.`);
  }
  const bound = app.server.address() as AddressInfo;
  doors.push(...(await Promise.all(others.map((address) => openDoor(app, address, bound.port)))));
  return urlOf(bound, tls);
}

async function addressesOf(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}

/** At the first address that there is; gives those behind it. A machine may know ::1 by name and have no IPv6. */
async function listenAtFirst(app: FastifyInstance, addresses: string[], port: number): Promise<string[]> {
  const [host = '', ...others] = addresses;
  try {
    await app.listen({ host, port });
    return others;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (others.length === 0 || !['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(code)) throw error;
    app.log.warn(error, `not listening on ${host}`);
    return listenAtFirst(app, others, port);
  }
}

/**
 * Another address of the same server. Fastify would open a second server there, without the limits of the first and
 * with its first certificate for ever.
 */
export async function openDoor(
  app: FastifyInstance,
  host: string,
  port: number,
): Promise<Server | undefined> {
  const { server } = app;
  const allowHalfOpen = 'allowHalfOpen' in server && server.allowHalfOpen === true;
  const door = createServer({ allowHalfOpen, noDelay: true }, (socket) => server.emit('connection', socket));
  try {
    await once(door.listen({ host, port }), 'listening');
    return door;
  } catch (error) {
    // One address is enough.
    app.log.warn(error, `not listening on ${host}`);
    return undefined;
  }
}
