import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { httpError } from '../errors.js';
import { drain } from './drain-body.js';
import { readInTurns } from './read-in-turns.js';

/** What a small machine can spare. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;
const EMPTY = Buffer.alloc(0);
const FIRST_BYTES = 16 * 1024;
const SEGMENT_BYTES = 128 * 1024;

type Done = (error: Error | null, body?: Buffer) => void;

/** Large enough that a single body of the largest size is never rejected for memory. */
export function requestMemoryFor(maxBodyBytes: number): number {
  return Math.max(MAX_HELD_BYTES, 2 * maxBodyBytes);
}

/**
 * Bounds the memory of all request bodies that are arriving (load shedding). Many clients that send large bodies slowly
 * would otherwise fill the memory. Each body is buffered in segments, whose capacity counts against one shared limit;
 * when the limit is exceeded, the body with the largest capacity is rejected with 503.
 *
 * Invariants: the capacity of all buffers stays within the limit after every chunk; a client with a small body is not
 * affected by clients with large ones; a buffer holds at most about twice the bytes received.
 */
export class RequestMemory {
  readonly #maxBytes: number;
  readonly #bodies = new Set<BufferedBody>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  read({ headers, routeOptions }: FastifyRequest, payload: IncomingMessage, done: Done): void {
    const declared = Number(headers['content-length'] ?? routeOptions.bodyLimit);
    if (declared > routeOptions.bodyLimit) {
      done(httpError('body_too_large', routeOptions.bodyLimit));
      return;
    }
    // Most bodies have arrived by now: there is nothing to wait for, and nothing to count.
    if (payload.complete && payload.readableLength <= routeOptions.bodyLimit) {
      done(null, payload.read() ?? EMPTY);
      return;
    }
    const body = new BufferedBody(payload, declared, (error, bytes) => {
      this.#bodies.delete(body);
      this.#bytes -= body.capacity;
      if (error !== null) drain(payload);
      done(error, bytes);
    });
    this.#bodies.add(body);
    this.#bytes += body.capacity;
    body.read(routeOptions.bodyLimit, (growth) => {
      this.#bytes += growth;
      while (this.#bytes > this.#maxBytes) this.#largest()?.end(httpError('too_many_bodies'));
    });
  }

  #largest(): BufferedBody | undefined {
    let largest: BufferedBody | undefined;
    for (const body of this.#bodies) {
      if (largest === undefined || body.capacity > largest.capacity) largest = body;
    }
    return largest;
  }
}

/** Copies chunks into segments: a client may send one byte per chunk, and a chunk takes a hundred bytes of memory. */
class BufferedBody {
  readonly #payload: IncomingMessage;
  readonly #declared: number;
  readonly #done: Done;
  readonly #full: Buffer[] = [];
  #segment: Buffer;
  /** Bytes used in the current segment. */
  #filled = 0;
  #length = 0;
  #stop = (): void => {};

  /** `declared` is the Content-Length, or the limit for a chunked body. */
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
    const onBytes = (chunk: Buffer) => {
      if (this.#length + chunk.length > limit) {
        this.end(httpError('body_too_large', limit));
        return;
      }
      const before = this.capacity;
      this.#append(chunk);
      if (this.capacity > before) onGrowth(this.capacity - before);
    };
    this.#payload.on('end', this.#onEnd).on('error', this.#onError);
    this.#stop = readInTurns(this.#payload, onBytes);
  }

  end(error: Error | null): void {
    this.#stop();
    this.#payload.off('end', this.#onEnd).off('error', this.#onError);
    this.#done(error, error === null ? this.#whole() : undefined);
  }

  readonly #onEnd = () => this.end(null);
  readonly #onError = () => this.end(httpError('request_aborted'));

  #append(chunk: Buffer): void {
    const copied = chunk.copy(this.#segment, this.#filled);
    this.#filled += copied;
    this.#length += copied;
    if (copied === chunk.length) return;
    this.#full.push(this.#segment);
    this.#segment = this.#newSegment();
    this.#filled = 0;
    this.#append(chunk.subarray(copied));
  }

  /** Doubles the capacity, up to 128 KiB per segment, so a buffer holds at most twice the bytes received. */
  #newSegment(): Buffer {
    const bytes = Math.min(Math.max(this.#length, FIRST_BYTES), SEGMENT_BYTES, this.#declared - this.#length);
    return Buffer.allocUnsafe(bytes);
  }

  #whole(): Buffer {
    const last = this.#segment.subarray(0, this.#filled);
    return this.#full.length === 0 ? last : Buffer.concat([...this.#full, last]);
  }
}
