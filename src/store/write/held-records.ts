/** Holds the beginning of a record whose end has not arrived. */
interface Holder {
  readonly heldBytes: number;
  /** Ends the import, whose record is dropped. */
  drop(): void;
}

/** What a small machine can spare for each thread. */
const MAX_HELD_BYTES = 32 * 1024 * 1024;

/**
 * Bounds the memory of the incomplete records of all imports in a thread. Many imports that send large records slowly
 * would otherwise fill the memory. When the limit is exceeded, the import with the largest one ends.
 */
export class HeldRecords {
  readonly #maxBytes: number;
  readonly #holders = new Set<Holder>();

  /** Two records of the largest size always fit. */
  constructor(maxRecordBytes: number) {
    this.#maxBytes = Math.max(MAX_HELD_BYTES, 2 * maxRecordBytes);
  }

  add(holder: Holder): void {
    this.#holders.add(holder);
  }

  delete(holder: Holder): void {
    this.#holders.delete(holder);
  }

  /** Called after a holder has grown. */
  enforce(): void {
    let sum = 0;
    let largest: Holder | undefined;
    for (const holder of this.#holders) {
      sum += holder.heldBytes;
      if (holder.heldBytes > (largest?.heldBytes ?? 0)) largest = holder;
    }
    if (sum > this.#maxBytes) largest?.drop();
  }
}
