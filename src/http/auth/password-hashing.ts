import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { canonicalPassword } from '../../domain/password.js';
import { httpError } from '../errors.js';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** As strong as the minimum that OWASP recommends for scrypt, N = 2^17 and p = 1, with 32 MiB instead of 128. */
const COST = { logN: 15, r: 8, p: 3 } as const;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Of the PHC string format. */
const FORM = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;
/** They wait about 7 seconds at most, at 0.35 seconds each. */
const MAX_WAITING = 20;

interface Verified {
  readonly isRight: boolean;
  /** A new hash, if the stored one was made with a lower cost. */
  readonly rehashed?: string;
}

/**
 * Hashes passwords with scrypt, which needs so much memory and time that guessing is slow even with the database in
 * hand. A computation takes about 0.35 seconds (measured on a Xeon at 2.1 GHz) in a thread of Node.js's pool, which other
 * work shares.
 *
 * Invariants: one computation runs at a time, so sign-ins occupy one thread and 32 MiB, however many arrive; a bounded
 * number waits, the others get 503; verifying takes as long without a stored hash as with one, so the time of a failure
 * does not reveal whether a user exists.
 */
export class PasswordHashing {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  readonly #unknown = encode(COST, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));

  hash(password: string): Promise<string> {
    return this.#enqueue(() => hashNow(password));
  }

  /** `stored` is null if there is no such user, or one without a password. */
  verify(password: string, stored: string | null): Promise<Verified> {
    return this.#enqueue(async () => {
      const isRight = (await matches(password, stored ?? this.#unknown)) && stored !== null;
      if (!isRight || stored.startsWith(prefixOf(COST))) return { isRight };
      return { isRight, rehashed: await hashNow(password) };
    });
  }

  async #enqueue<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= MAX_WAITING) throw httpError('sign_in_busy');
    this.#waiting += 1;
    const result = this.#last.then(work).finally(() => {
      this.#waiting -= 1;
    });
    this.#last = result.catch(() => {});
    return result;
  }
}

async function hashNow(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return encode(COST, salt, await scryptOf(password, salt, COST, HASH_BYTES));
}

async function matches(password: string, stored: string): Promise<boolean> {
  const [, logN, r, p, salt = '', hash = ''] = FORM.exec(stored) ?? [];
  if (logN === undefined) throw new Error('A stored password is not in the form of this service.');
  const expected = Buffer.from(hash, 'base64');
  const cost = { logN: Number(logN), r: Number(r), p: Number(p) };
  return timingSafeEqual(
    await scryptOf(password, Buffer.from(salt, 'base64'), cost, expected.length),
    expected,
  );
}

interface Cost {
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

function scryptOf(password: string, salt: Buffer, { logN, r, p }: Cost, bytes: number): Promise<Buffer> {
  const N = 2 ** logN;
  // Node.js refuses more than 32 MiB by default; scrypt needs a little more than 128 · N · r bytes.
  return derive(canonicalPassword(password), salt, bytes, { N, r, p, maxmem: 128 * r * (N + p + 2) });
}

function prefixOf({ logN, r, p }: Cost): string {
  return `$scrypt$ln=${logN},r=${r},p=${p}$`;
}

function encode(cost: Cost, salt: Buffer, hash: Buffer): string {
  const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  return `${prefixOf(cost)}${text(salt)}$${text(hash)}`;
}
