import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import type { FastifyInstance } from 'fastify';
import { NOBODY, Turns } from './fair-scheduler.js';

/** More often, for long, it would mostly be the garbage of what was read that keeps us busy. */
const READ_EVERY_MS = 2;
const WASTE_EVERY_MS = 10;
/** So much of the time before counts: enough for what one caller sends. */
const SAVED_MS = 400;
const SAVED_WASTE_MS = 10_000;
/** At a time. Smaller bodies never wait. */
const READ_BYTES = 32 * 1024;
/** The chunks that a body is sent in cost as much, whatever their size. */
const READ_PARTS = 256;
const MANY_PARTS = 20_000;
const PARTS_A_MS = 10;
/** Of bodies that nobody wants. Whether their callers are still there is only seen when they are read. */
const MAX_WASTED = 100;
const LATE_MS = 2_000;
/** So many of them may take longer than that. */
const FEW_WASTED = 8;

/** For bodies that are large. Of one that comes as fast as it can, Node reads two megabytes at once. */
export const bodyTurns = new Turns(READ_EVERY_MS, SAVED_MS);
const wasteTurns = new Turns(WASTE_EVERY_MS, SAVED_WASTE_MS);

const paced = new WeakMap<IncomingMessage, PacedBody>();
/** Those that nobody wants, and that wait for their turn. */
const wasted = new Set<PacedBody>();

/** Reads a body in turn, of which so many bytes may come. */
export function pace(body: IncomingMessage, bytes: number, tenantId: number): void {
  if (bytes >= READ_BYTES) paced.set(body, new PacedBody(body, tenantId));
}

/** Reads what is left of a body, and keeps nothing of it. */
export function throwAway(body: IncomingMessage): void {
  if (body.complete) return;
  const known = paced.get(body) ?? new PacedBody(body, NOBODY);
  paced.set(body, known);
  known.forgo();
}

class PacedBody {
  readonly #body: IncomingMessage;
  readonly #tenantId: number;
  #bytes = 0;
  #parts = 0;
  #partsBefore = 0;
  #unwantedSince: number | undefined;

  constructor(body: IncomingMessage, tenantId: number) {
    this.#body = body;
    this.#tenantId = tenantId;
    body.on('data', (part: Buffer) => {
      this.#bytes += part.length;
      this.#parts += 1;
      const isEnough = this.#bytes >= READ_BYTES || this.#parts >= READ_PARTS;
      if (isEnough && !body.isPaused()) this.#rest();
    });
    body.resume();
  }

  forgo(): void {
    this.#unwantedSince ??= performance.now();
  }

  #rest(): void {
    const restMs = this.#partsBefore < MANY_PARTS ? 0 : this.#parts / PARTS_A_MS;
    this.#partsBefore += this.#parts;
    [this.#bytes, this.#parts] = [0, 0];
    this.#body.pause();
    if (restMs < 1) this.#wait();
    else setTimeout(() => this.#wait(), restMs);
  }

  #wait(): void {
    // What is left of it is here already; and its connection may be at the next request.
    if (this.#body.complete) {
      this.#goOn();
      return;
    }
    if (this.#unwantedSince === undefined) {
      bodyTurns.take(this.#tenantId, this.#goOn);
      return;
    }
    wasteTurns.take(NOBODY, this.#goOn);
    wasted.add(this);
    const [first] = wasted;
    first?.cutWhereTooMany();
  }

  /** Of those that take long, only a few are read up to their end. */
  cutWhereTooMany(): void {
    const isLate = performance.now() - (this.#unwantedSince ?? 0) > LATE_MS;
    if (wasted.size <= (isLate ? FEW_WASTED : MAX_WASTED)) return;
    wasteTurns.drop(NOBODY, this.#goOn);
    if (this.#body.complete) {
      this.#goOn();
      return;
    }
    wasted.delete(this);
    // Its connection, too.
    this.#body.destroy();
  }

  readonly #goOn = () => {
    wasted.delete(this);
    this.#body.resume();
  };
}

/** For a caller that is still sending what nobody wants any more. */
export const LINGER_MS = 10_000;

/**
 * Reads what is left of a refused request and throws it away, where the connection closes after the answer: closing it
 * on a caller that is still sending resets it, and the caller sees a broken pipe instead of the answer.
 */
export async function discardBody(request: IncomingMessage, lingerMs = LINGER_MS): Promise<void> {
  if (request.complete || request.destroyed) return;
  throwAway(request);
  // Rejects where the caller has gone, or sends for ever: either way there is nothing more to wait for.
  await finished(request, { signal: AbortSignal.timeout(lingerMs) }).catch(() => {});
}

/** A body that came with a request which needs none: Node would read it by itself, as fast as it comes. */
export function discardUnread(app: FastifyInstance): void {
  app.addHook('onSend', ({ raw, headers, routeOptions }, _reply, payload, done) => {
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    // An import is answered while it is read.
    if (hasBody && !routeOptions.config?.streams) throwAway(raw);
    done(null, payload);
  });
}
