import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { refusals } from './refusal.js';

/** As much memory as a small machine can spare. */
const MAX_HELD_BYTES = 128 * 1024 * 1024;
const FIRST_BYTES = 16 * 1024;

type Done = (error: Error | null, body?: Buffer) => void;

/** Enough that one of the largest never has to make room for itself. */
export function heldBytesFor(maxBodyBytes: number): number {
  return Math.max(MAX_HELD_BYTES, 2 * maxBodyBytes);
}

/**
 * Bodies that are read into memory. Where they become too much all together, the largest makes room: so a caller who sends
 * a little, or at once what he has to send, does not suffer from those who send a lot and never end.
 */
export class ArrivingBodies {
  readonly #maxBytes: number;
  readonly #arriving = new Set<ArrivingBody>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  read({ headers, routeOptions }: FastifyRequest, payload: Readable, done: Done): void {
    const declared = Number(headers['content-length'] ?? Number.NaN);
    if (declared > routeOptions.bodyLimit) {
      done(refusals.tooManyBytes(routeOptions.bodyLimit));
      return;
    }
    const body = new ArrivingBody(payload, declared, (error, bytes) => {
      this.#arriving.delete(body);
      this.#bytes -= body.capacity;
      done(error, bytes);
    });
    this.#arriving.add(body);
    this.#bytes += body.capacity;
    body.read(routeOptions.bodyLimit, (growth) => {
      this.#bytes += growth;
      while (this.#bytes > this.#maxBytes) this.#largest()?.end(refusals.tooManyBodies());
    });
  }

  #largest(): ArrivingBody | undefined {
    let largest: ArrivingBody | undefined;
    for (const body of this.#arriving) {
      if (largest === undefined || body.capacity > largest.capacity) largest = body;
    }
    return largest;
  }
}

/** In one buffer that grows: a caller may send every byte as a chunk of its own, each of which is a hundred in memory. */
class ArrivingBody {
  readonly #payload: Readable;
  readonly #done: Done;
  #held: Buffer;
  #length = 0;
  #onData = (_chunk: Buffer): void => {};

  constructor(payload: Readable, declared: number, done: Done) {
    this.#payload = payload;
    this.#done = done;
    this.#held = Buffer.allocUnsafe(declared <= FIRST_BYTES ? declared : FIRST_BYTES);
  }

  get capacity(): number {
    return this.#held.length;
  }

  read(limit: number, onGrowth: (bytes: number) => void): void {
    this.#onData = (chunk) => {
      const length = this.#length + chunk.length;
      if (length > limit) {
        this.end(refusals.tooManyBytes(limit));
        return;
      }
      const growth = this.#fit(length, limit);
      chunk.copy(this.#held, this.#length);
      this.#length = length;
      if (growth > 0) onGrowth(growth);
    };
    this.#payload.on('data', this.#onData).on('end', this.#onEnd).on('error', this.#onError);
  }

  end(error: Error | null): void {
    this.#payload.off('data', this.#onData).off('end', this.#onEnd).off('error', this.#onError);
    this.#done(error, error === null ? this.#held.subarray(0, this.#length) : undefined);
  }

  readonly #onEnd = () => this.end(null);
  readonly #onError = () => this.end(refusals.brokeOff());

  /** By how much it grew. */
  #fit(length: number, limit: number): number {
    const before = this.#held.length;
    if (length <= before) return 0;
    const larger = Buffer.allocUnsafe(Math.max(length, Math.min(2 * before, limit)));
    this.#held.copy(larger, 0, 0, this.#length);
    this.#held = larger;
    return larger.length - before;
  }
}
