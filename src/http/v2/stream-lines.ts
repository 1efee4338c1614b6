import { setMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { V2App } from './operation.js';

/** A client that reads nothing for so long counts as disconnected: its request takes one of few places. */
const MAX_STALL_MS = 60_000;

/**
 * Sends lines of JSON as they are generated. If the client disconnects, or does not read, the generator ends after its
 * current step, so that nothing closes during a write. Never rejects after the response has started. `what` names the
 * request in the log.
 */
export async function streamLines(
  request: FastifyRequest,
  reply: FastifyReply,
  what: string,
  lines: AsyncGenerator<string | Uint8Array, void>,
  maxStallMs = MAX_STALL_MS,
): Promise<void> {
  reply.hijack();
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'application/x-ndjson; charset=utf-8',
    // Without this header nginx buffers lines until it has enough of them.
    'x-accel-buffering': 'no',
  });
  reply.raw.flushHeaders();
  try {
    await pipeline(closeOnStall(lines, reply.raw, maxStallMs), reply.raw, { end: false });
  } catch (error) {
    const { id, records } = request;
    const hasDisconnected = (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
    // The request log has no line for a request whose client disconnected.
    if (hasDisconnected) request.log.warn({ id, records }, `client disconnected during ${what}`);
    else request.log.error({ err: error, id }, `${what} failed`);
  } finally {
    reply.raw.end();
  }
}

/** Closes the response if the next line is not asked for in time, because the client has not read the lines before. */
async function* closeOnStall<Line>(
  lines: AsyncGenerator<Line, void>,
  response: ServerResponse,
  maxStallMs: number,
): AsyncGenerator<Line, void> {
  for await (const line of lines) {
    const stall = setTimeout(() => response.destroy(), maxStallMs);
    try {
      yield line;
    } finally {
      clearTimeout(stall);
    }
  }
}

/** The running requests of an operation that writes while it responds. They end before the store closes. */
export class RunningStreams {
  readonly #running = new Map<Promise<void>, number>();
  readonly #stopping = new AbortController();

  constructor(app: V2App) {
    // Every running request adds a listener, which Node would report as a leak.
    setMaxListeners(0, this.#stopping.signal);
    app.addHook('preClose', async () => this.#stopping.abort());
    app.addHook('onClose', async () => {
      await Promise.allSettled(this.#running.keys());
    });
  }

  /** Aborted when the service begins to stop. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  countOf(tenantId: number): number {
    return [...this.#running.values()].filter((other) => other === tenantId).length;
  }

  async run(tenantId: number, work: () => Promise<void>): Promise<void> {
    const finished = work().finally(() => this.#running.delete(finished));
    this.#running.set(finished, tenantId);
    await finished;
  }
}
