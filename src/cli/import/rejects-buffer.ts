import { CommandFailed } from '../terminal/command-line.js';

/** Rows of a file of rejected rows that are not on disk yet. */
export class RejectsBuffer {
  #text = '';
  #failure: unknown;
  readonly #write: (bytes: Buffer) => void;

  constructor(write: (bytes: Buffer) => void) {
    this.#write = write;
  }

  get length(): number {
    return this.#text.length;
  }

  add(line: string): void {
    this.#text += line;
  }

  /** After one failure it always fails: those rejected rows are lost, so no later record may count as done. */
  flush(): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#text === '') return;
    try {
      attemptToWriteRejects(() => this.#write(Buffer.from(this.#text)));
    } catch (error) {
      this.#failure = error;
      throw error;
    }
    this.#text = '';
  }
}

export function attemptToWriteRejects<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const { message } = error as Error;
    throw new CommandFailed(
      `Cannot write the rejected rows: ${message}. Choose another file with --rejects <file>.`,
    );
  }
}
