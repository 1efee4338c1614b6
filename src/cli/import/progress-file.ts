import { createHash } from 'node:crypto';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { CommandFailed } from '../terminal/command-line.js';
import { isObject, parseJson } from './json.js';

const FINGERPRINT_BYTES = 65_536;

/** What must be equal for a run to continue an earlier one. */
interface Identity {
  readonly file: string;
  readonly server: string;
  readonly key: string;
  readonly options: string;
  /** The types of the fields, which decide how values are converted. */
  readonly types: string;
}

const DIFFERENCES: Readonly<Record<keyof Identity, string>> = {
  file: 'The file has changed since the earlier import started',
  server: 'The earlier import used another server',
  key: 'The earlier import used another key, which may belong to another tenant',
  options: 'The earlier import used other options',
  types: 'The types of the fields have changed since the earlier import started',
};

/**
 * A checkpoint file next to the imported file. It exists only while an import is unfinished. It is replaced atomically
 * (written to `.part`, synced, renamed), and it can be loaded only by a run with the same file, server, key and
 * options.
 */
export class ProgressFile<State> {
  readonly path: string;
  readonly #identity: Identity;

  constructor(file: string, identity: Identity) {
    this.path = `${file}.progress`;
    this.#identity = identity;
  }

  /** The state of an interrupted run; `undefined` if there is none. */
  async load(): Promise<State | undefined> {
    const text = await readFile(this.path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw new CommandFailed(`Cannot read the progress of the earlier import: ${error.message}.`);
    });
    if (text === undefined) return undefined;
    const { identity, state } = readSaved(text, this.path) as { identity: Identity; state: State };
    for (const [part, sentence] of Object.entries(DIFFERENCES)) {
      const name = part as keyof Identity;
      if (identity[name] === this.#identity[name]) continue;
      throw new CommandFailed(
        `${sentence}. Import the file from the beginning, without --resume: records that are already stored count as unchanged.`,
      );
    }
    return state;
  }

  /** Atomic: after a crash, the file has either the old or the new state. */
  async save(state: State): Promise<void> {
    const part = `${this.path}.part`;
    await rm(part, { force: true });
    const file = await open(part, 'wx', 0o600);
    try {
      await file.writeFile(JSON.stringify({ identity: this.#identity, state }));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, this.path);
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true });
  }
}

/** Size, modification time and first bytes: enough to detect another export of the same name. */
export async function fingerprint(path: string): Promise<string> {
  const { size, mtimeMs } = await stat(path);
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(FINGERPRINT_BYTES), 0, FINGERPRINT_BYTES, 0);
    return `${size}:${mtimeMs}:${hashOf(buffer.subarray(0, bytesRead))}`;
  } finally {
    await file.close();
  }
}

export function hashOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 32);
}

function readSaved(text: string, path: string): unknown {
  const saved = parseJson(text);
  if (isObject(saved) && isObject(saved.identity) && isObject(saved.state)) return saved;
  throw new CommandFailed(`${path} is damaged. Delete it, and import the file from the beginning.`);
}
