import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance, RouteOptions } from 'fastify';
// For the name of the operation in the options of a route.
import type {} from '../../dist/http/observability/request-log.js';

const CHANNEL = 'fastify.initialization';

/** Runs `start`, and gives every route that the server it makes was given. */
export async function collectRoutes<T>(start: () => Promise<T>): Promise<[T, readonly RouteOptions[]]> {
  const routes: RouteOptions[] = [];
  const listen = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', (route) => {
      routes.push(route);
    });
  };
  subscribe(CHANNEL, listen);
  try {
    return [await start(), routes];
  } finally {
    unsubscribe(CHANNEL, listen);
  }
}
