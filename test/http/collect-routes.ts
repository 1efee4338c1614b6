import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance, RouteOptions } from 'fastify';
// For the type of `operation` in the config of a route.
import type {} from '../../dist/http/observability/request-log.js';

const CHANNEL = 'fastify.initialization';

/** Runs `start`, and returns all routes that are registered on the server it creates. */
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
