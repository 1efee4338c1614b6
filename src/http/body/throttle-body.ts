import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import type { FastifyInstance } from 'fastify';
import { ANONYMOUS, FairScheduler } from './fair-scheduler.js';

/** Bodies that are wanted: 32 KiB per 2 ms on average. Reading faster makes garbage collection the main cost. */
const READ_INTERVAL_MS = 2;
/** Burst of the token bucket: what one caller sends in one go. */
const READ_BURST_MS = 400;
const DRAIN_INTERVAL_MS = 10;
const DRAIN_BURST_MS = 10_000;
/** Read in one piece. Smaller bodies are not throttled. */
const PIECE_BYTES = 32 * 1024;
/** A chunk of a chunked body costs the same whatever its size, so a piece is bounded in chunks, too. */
const PIECE_CHUNKS = 256;
/** A body of more chunks than this pauses for 1 ms per 10 chunks. */
const MANY_CHUNKS = 20_000;
const CHUNKS_PER_MS = 10;
/** Bodies that are drained at the same time. Only reading shows whether their callers are still connected. */
const MAX_DRAINING = 100;
/** Of those that take longer than this, only a few stay. */
const SLOW_DRAIN_MS = 2_000;
const MAX_SLOW_DRAINING = 8;
/** How long a caller may go on sending a body that was rejected. */
export const LINGER_MS = 10_000;

/**
 * Reads large bodies in pieces, so that none keeps the event loop busy: left to itself, Node reads two megabytes at a
 * time from a fast caller. A body is read for its handler, one piece per turn of its tenant (`throttle`), or read and
 * discarded once it is unwanted (`drain`), with less priority and in bounded number.
 */
export class BodyThrottle {
  /** Turns of tenants whose bodies are read. */
  readonly reads = new FairScheduler(READ_INTERVAL_MS, READ_BURST_MS);
  readonly drains = new FairScheduler(DRAIN_INTERVAL_MS, DRAIN_BURST_MS);
  /** Those that wait for their turn to be drained, oldest first. */
  readonly draining = new Set<ThrottledBody>();
  readonly #bodies = new WeakMap<IncomingMessage, ThrottledBody>();

  /** `bytes` is the size that the body may have. */
  throttle(body: IncomingMessage, bytes: number, tenantId: number): void {
    if (bytes >= PIECE_BYTES) this.#bodies.set(body, new ThrottledBody(this, body, tenantId));
  }

  /** Reads the rest of a body and keeps nothing of it. */
  drain(body: IncomingMessage): void {
    if (body.complete) return;
    const known = this.#bodies.get(body) ?? new ThrottledBody(this, body, ANONYMOUS);
    this.#bodies.set(body, known);
    known.markUnwanted();
  }

  /**
   * The same, and resolves at the end of the body. Before a connection closes: closing it while the caller still sends
   * resets it, and the caller sees a broken pipe instead of the answer.
   */
  async drainToEnd(body: IncomingMessage, lingerMs = LINGER_MS): Promise<void> {
    if (body.complete || body.destroyed) return;
    this.drain(body);
    // Rejects where the caller has gone, or goes on sending: there is nothing more to wait for.
    await finished(body, { signal: AbortSignal.timeout(lingerMs) }).catch(() => {});
  }

  /** Drains bodies of requests that need none. Node would read them itself, as fast as they come. */
  drainUnread(app: FastifyInstance): void {
    app.addHook('onSend', ({ raw, headers, routeOptions }, _reply, payload, done) => {
      const hasBody =
        headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
      // An import is answered while it is read.
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
    // The rest has arrived already, and the connection may be at the next request.
    if (this.#body.complete) {
      this.#resume();
      return;
    }
    const { reads, drains, draining } = this.#throttle;
    if (this.#unwantedSince === undefined) {
      reads.take(this.#tenantId, this.#resume);
      return;
    }
    drains.take(ANONYMOUS, this.#resume);
    draining.add(this);
    const [oldest] = draining;
    oldest?.cutIfTooMany();
  }

  cutIfTooMany(): void {
    const { drains, draining } = this.#throttle;
    const isSlow = performance.now() - (this.#unwantedSince ?? 0) > SLOW_DRAIN_MS;
    if (draining.size <= (isSlow ? MAX_SLOW_DRAINING : MAX_DRAINING)) return;
    drains.drop(ANONYMOUS, this.#resume);
    if (this.#body.complete) {
      this.#resume();
      return;
    }
    draining.delete(this);
    // Closes its connection, too.
    this.#body.destroy();
  }

  readonly #resume = () => {
    this.#throttle.draining.delete(this);
    this.#body.resume();
  };
}
