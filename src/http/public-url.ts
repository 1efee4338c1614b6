import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.js';

/** The address at which the sender of a request reaches the service, without a path. */
export function publicUrlOf({ protocol, host }: FastifyRequest, { publicUrl }: Config): string {
  return publicUrl ?? `${protocol}://${host}`;
}
