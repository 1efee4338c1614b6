import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import type { FastifyInstance } from 'fastify';
import { ANONYMOUS, FairScheduler } from './fair-scheduler.js';

/**
 * Rate for bodies that a handler reads: 32 KiB per 2 ms on average. Reading faster makes garbage collection the main
 * cost.
 */
const READ_INTERVAL_MS = 2;
/** Burst of the token bucket, for one client that sends a large body alone. */
const READ_BURST_MS = 400;
const DRAIN_INTERVAL_MS = 10;
const DRAIN_BURST_MS = 10_000;
/** Bytes read per turn. Smaller bodies are not throttled. */
const PIECE_BYTES = 32 * 1024;
/** A chunk costs the same at any size, so a piece is limited in chunks, too. */
const PIECE_CHUNKS = 256;
/** A body of more chunks than this pauses for 1 ms per 10 chunks. */
const MANY_CHUNKS = 20_000;
const CHUNKS_PER_MS = 10;
/** Bodies that wait to be drained. They must be read: otherwise a disconnect is never noticed. */
const MAX_DRAINING = 100;
/** A drain that takes longer than this is slow; only `MAX_SLOW_DRAINING` of these are kept. */
const SLOW_DRAIN_MS = 2_000;
const MAX_SLOW_DRAINING = 8;
/** How long a client may still send a body that was rejected. */
export const LINGER_MS = 10_000;

/**
 * Reads large bodies in pieces of 32 KiB, so that none blocks the event loop: unthrottled, Node reads two megabytes at
 * a time from a fast client. `FairScheduler` gives each tenant its turn.
 *
 *   throttle(body)   read for its handler, one piece per turn of its tenant
 *        │ rejected, or the handler needs no body
 *   drain(body)      read and discarded, with lower priority; the oldest is closed when too many wait
 *
 * Invariants: at most 100 bodies wait to be drained, at most 8 if the oldest has waited over 2 s; a body that has
 * arrived completely is not closed.
 */
export class BodyThrottle {
  /** Turns for bodies that handlers need. */
  readonly reads = new FairScheduler(READ_INTERVAL_MS, READ_BURST_MS);
  readonly drains = new FairScheduler(DRAIN_INTERVAL_MS, DRAIN_BURST_MS);
  /** Bodies that wait for a turn to be drained, oldest first. */
  readonly draining = new Set<ThrottledBody>();
  readonly #bodies = new WeakMap<IncomingMessage, ThrottledBody>();

  /** `bytes` is the largest size that the body may have. */
  throttle(body: IncomingMessage, bytes: number, tenantId: number): void {
    if (bytes >= PIECE_BYTES) this.#bodies.set(body, new ThrottledBody(this, body, tenantId));
  }

  /** Reads and discards the rest of a body. */
  drain(body: IncomingMessage): void {
    if (body.complete) return;
    const known = this.#bodies.get(body) ?? new ThrottledBody(this, body, ANONYMOUS);
    this.#bodies.set(body, known);
    known.markUnwanted();
  }

  /**
   * Drains a body and resolves at its end. Needed before a connection is closed: closing it while the client still
   * sends resets it, and the client sees a broken pipe instead of the response.
   */
  async drainToEnd(body: IncomingMessage, lingerMs = LINGER_MS): Promise<void> {
    if (body.complete || body.destroyed) return;
    this.drain(body);
    // Rejects if the client disconnects or is still sending after the timeout; neither is worth waiting for.
    await finished(body, { signal: AbortSignal.timeout(lingerMs) }).catch(() => {});
  }

  /** Drains bodies of requests whose handlers need none. Node would read them itself, unthrottled. */
  drainUnread(app: FastifyInstance): void {
    app.addHook('onSend', ({ raw, headers, routeOptions }, _reply, payload, done) => {
      const hasBody =
        headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
      // The response of an import begins while its body is still read.
      if (hasBody && !routeOptions.config?.streams) this.drain(raw);
      done(null, payload);
    });
  }
}

class ThrottledBody {
  readonly #throttle: BodyThrottle;
  readonly #body: IncomingMessage;
  readonly #tenantId: number;
  #bytes = 0;
  #chunks = 0;
  #chunksBefore = 0;
  #unwantedSince: number | undefined;

  constructor(throttle: BodyThrottle, body: IncomingMessage, tenantId: number) {
    this.#throttle = throttle;
    this.#body = body;
    this.#tenantId = tenantId;
    body.on('data', (chunk: Buffer) => {
      this.#bytes += chunk.length;
      this.#chunks += 1;
      const isPiece = this.#bytes >= PIECE_BYTES || this.#chunks >= PIECE_CHUNKS;
      if (isPiece && !body.isPaused()) this.#endPiece();
    });
    body.resume();
  }

  markUnwanted(): void {
    this.#unwantedSince ??= performance.now();
  }

  #endPiece(): void {
    const pauseMs = this.#chunksBefore < MANY_CHUNKS ? 0 : this.#chunks / CHUNKS_PER_MS;
    this.#chunksBefore += this.#chunks;
    [this.#bytes, this.#chunks] = [0, 0];
    this.#body.pause();
    if (pauseMs < 1) this.#awaitTurn();
    else setTimeout(() => this.#awaitTurn(), pauseMs);
  }

  #awaitTurn(): void {
    // The rest has arrived already, and the connection may have started the next request.
    if (this.#body.complete) {
      this.#resume();
      return;
    }
    const { reads, drains, draining } = this.#throttle;
    if (this.#unwantedSince === undefined) {
      reads.enqueue(this.#tenantId, this.#resume);
      return;
    }
    drains.enqueue(ANONYMOUS, this.#resume);
    draining.add(this);
    const [oldest] = draining;
    oldest?.closeIfTooMany();
  }

  closeIfTooMany(): void {
    const { drains, draining } = this.#throttle;
    const isSlow = performance.now() - (this.#unwantedSince ?? 0) > SLOW_DRAIN_MS;
    if (draining.size <= (isSlow ? MAX_SLOW_DRAINING : MAX_DRAINING)) return;
    drains.remove(ANONYMOUS, this.#resume);
    if (this.#body.complete) {
      this.#resume();
      return;
    }
    draining.delete(this);
    // Also closes the connection.
    this.#body.destroy();
  }

  readonly #resume = () => {
    this.#throttle.draining.delete(this);
    this.#body.resume();
  };
}
