import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { httpError } from '../errors.js';
import { ANONYMOUS } from './fair-scheduler.js';
import { JsonLimits } from './json-limits.js';
import type { BodyThrottle } from './throttle-body.js';

/** As much memory as a small machine can spare. */
const MAX_HELD_BYTES = 128 * 1024 * 1024;
const FIRST_BYTES = 16 * 1024;
const SEGMENT_BYTES = 128 * 1024;

type Done = (error: Error | null, body?: Buffer) => void;

/** Enough that one of the largest never has to make room for itself. */
export function requestMemoryFor(maxBodyBytes: number): number {
  return Math.max(MAX_HELD_BYTES, 2 * maxBodyBytes);
}

/**
 * Reads JSON bodies into memory, of which all together take a bounded amount. At the bound the largest body is rejected,
 * so that small and fast callers are not affected by those that send much and never end.
 */
export class RequestMemory {
  readonly #throttle: BodyThrottle;
  readonly #maxBytes: number;
  readonly #arriving = new Set<BufferedBody>();
  #bytes = 0;

  constructor(throttle: BodyThrottle, maxBytes: number) {
    this.#throttle = throttle;
    this.#maxBytes = maxBytes;
  }

  read({ headers, routeOptions, principal }: FastifyRequest, payload: IncomingMessage, done: Done): void {
    const declared = Number(headers['content-length'] ?? routeOptions.bodyLimit);
    if (declared > routeOptions.bodyLimit) {
      done(httpError('body_too_large', routeOptions.bodyLimit));
      return;
    }
    const body = new BufferedBody(payload, declared, (error, bytes) => {
      this.#arriving.delete(body);
      this.#bytes -= body.capacity;
      if (error !== null) this.#throttle.drain(payload);
      done(error, bytes);
    });
    this.#arriving.add(body);
    this.#bytes += body.capacity;
    body.read(routeOptions.bodyLimit, (growth) => {
      this.#bytes += growth;
      while (this.#bytes > this.#maxBytes) this.#largest()?.end(httpError('too_many_bodies'));
    });
    // Last: a body that is rejected at once does not wait for a turn among the others.
    this.#throttle.throttle(payload, declared, principal?.tenant.id ?? ANONYMOUS);
  }

  #largest(): BufferedBody | undefined {
    let largest: BufferedBody | undefined;
    for (const body of this.#arriving) {
      if (largest === undefined || body.capacity > largest.capacity) largest = body;
    }
    return largest;
  }
}

/** In segments that are filled: a caller may send every byte as a part of its own, each of which is a hundred in memory. */
class BufferedBody {
  readonly #payload: IncomingMessage;
  readonly #declared: number;
  readonly #done: Done;
  readonly #full: Buffer[] = [];
  #segment: Buffer;
  /** Of the segment. */
  #filled = 0;
  #length = 0;
  #onData = (_chunk: Buffer): void => {};

  /** Of a body that does not say how long it is, as many bytes are `declared` as it may have. */
  constructor(payload: IncomingMessage, declared: number, done: Done) {
    this.#payload = payload;
    this.#declared = declared;
    this.#done = done;
    this.#segment = this.#newSegment();
  }

  get capacity(): number {
    return this.#length - this.#filled + this.#segment.length;
  }

  read(limit: number, onGrowth: (bytes: number) => void): void {
    const bounds = new JsonLimits(limit);
    this.#onData = (chunk) => {
      if (this.#length + chunk.length > limit) {
        this.end(httpError('body_too_large', limit));
        return;
      }
      try {
        bounds.push(chunk);
      } catch (error) {
        this.end(error as Error);
        return;
      }
      const before = this.capacity;
      this.#keep(chunk);
      if (this.capacity > before) onGrowth(this.capacity - before);
    };
    this.#payload.on('data', this.#onData).on('end', this.#onEnd).on('error', this.#onError);
  }

  end(error: Error | null): void {
    this.#payload.off('data', this.#onData).off('end', this.#onEnd).off('error', this.#onError);
    this.#done(error, error === null ? this.#whole() : undefined);
  }

  readonly #onEnd = () => this.end(null);
  readonly #onError = () => this.end(httpError('request_aborted'));

  #keep(chunk: Buffer): void {
    const copied = chunk.copy(this.#segment, this.#filled);
    this.#filled += copied;
    this.#length += copied;
    if (copied === chunk.length) return;
    this.#full.push(this.#segment);
    this.#segment = this.#newSegment();
    this.#filled = 0;
    this.#keep(chunk.subarray(copied));
  }

  /** As large as all before it: so none holds more than twice what has come. */
  #newSegment(): Buffer {
    const bytes = Math.min(Math.max(this.#length, FIRST_BYTES), SEGMENT_BYTES, this.#declared - this.#length);
    return Buffer.allocUnsafe(bytes);
  }

  #whole(): Buffer {
    const last = this.#segment.subarray(0, this.#filled);
    return this.#full.length === 0 ? last : Buffer.concat([...this.#full, last]);
  }
}
