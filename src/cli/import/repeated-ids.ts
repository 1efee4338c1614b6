import { canonicalIdentifier } from '../../domain/identifier.js';

const MAX_EXAMPLES = 3;
/** While the table grows to this many ids, it takes 176 MB; more are not compared. */
const MAX_IDS = 6_000_000;

interface RepeatedId {
  /** As the row has it. */
  readonly id: string;
  readonly line: number;
  /** The line of the first row with this account. */
  readonly firstLine: number;
}

/** Rows for an account that an earlier row has already named. */
export class Repetitions {
  count = 0;
  readonly examples: RepeatedId[] = [];

  add(repeated: RepeatedId): void {
    this.count += 1;
    if (this.examples.length < MAX_EXAMPLES) this.examples.push(repeated);
  }
}

/**
 * Finds the ids that come twice in a file, in bounded memory: a hash table with open addressing that holds no text, but
 * 64 bits of each id's hash and the line of its first row. Among six million ids, the probability that two different
 * ones have the same 64 bits is one in a million.
 */
export class RepeatedIds {
  /** The same text but for blanks around it. */
  readonly same = new Repetitions();
  /** Another text that names the same account: ids are compared without case, and in one Unicode form. */
  readonly otherSpelling = new Repetitions();
  #size = 0;
  #lines = new Uint32Array(1 << 12);
  #keys = new Uint32Array(1 << 12);
  #checks = new Uint32Array(1 << 12);
  #spellings = new Uint16Array(1 << 12);

  /** Whether some ids were not compared, because there are too many. */
  get isFull(): boolean {
    return this.#size >= MAX_IDS;
  }

  add(text: string, line: number): void {
    const sent = text.trim();
    if (sent === '') return;
    const id = canonicalIdentifier(sent);
    const key = hash(id, 0x5bd1e995);
    const check = hash(id, 0x85ebca6b);
    const spelling = hash(sent, 0x5bd1e995) & 0xffff;
    const slot = this.#slotOf(key, check);
    const firstLine = this.#lines[slot] as number;
    if (firstLine !== 0) {
      const kind = this.#spellings[slot] === spelling ? this.same : this.otherSpelling;
      kind.add({ id: sent, line, firstLine });
      return;
    }
    if (this.isFull) return;
    this.#set(slot, { key, check, spelling, line });
    this.#size += 1;
    if (this.#size * 4 > this.#lines.length * 3) this.#grow();
  }

  #slotOf(key: number, check: number): number {
    const mask = this.#lines.length - 1;
    let slot = (key ^ (check >>> 7)) & mask;
    while (this.#lines[slot] !== 0 && (this.#keys[slot] !== key || this.#checks[slot] !== check)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #set(
    slot: number,
    { key, check, spelling, line }: { key: number; check: number; spelling: number; line: number },
  ): void {
    this.#keys[slot] = key;
    this.#checks[slot] = check;
    this.#spellings[slot] = spelling;
    this.#lines[slot] = line;
  }

  #grow(): void {
    const [lines, keys, checks, spellings] = [this.#lines, this.#keys, this.#checks, this.#spellings];
    this.#lines = new Uint32Array(2 * lines.length);
    this.#keys = new Uint32Array(2 * lines.length);
    this.#checks = new Uint32Array(2 * lines.length);
    this.#spellings = new Uint16Array(2 * lines.length);
    for (const [at, line] of lines.entries()) {
      if (line === 0) continue;
      const [key, check, spelling] = [keys[at] as number, checks[at] as number, spellings[at] as number];
      this.#set(this.#slotOf(key, check), { key, check, spelling, line });
    }
  }
}

/** 32 bits, by multiplication and shifts as in MurmurHash2, one UTF-16 unit at a time. */
function hash(text: string, multiplier: number): number {
  let state = text.length;
  for (let at = 0; at < text.length; at += 1) {
    state = Math.imul(state ^ text.charCodeAt(at), multiplier);
    state ^= state >>> 15;
  }
  state = Math.imul(state ^ (state >>> 13), multiplier);
  return (state ^ (state >>> 16)) >>> 0;
}
