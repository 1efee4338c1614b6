import { createHash } from 'node:crypto';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { CommandFailed } from '../terminal/command-line.js';
import { isObject, parseJson } from './json.js';

const HEAD_BYTES = 65_536;

/** What has to be the same for a run to go on where another ended. */
export interface Identity {
  readonly file: string;
  readonly server: string;
  readonly key: string;
  readonly options: string;
}

const DIFFERENCES: Readonly<Record<keyof Identity, string>> = {
  file: 'The file is not the one that was being imported: it has changed',
  server: 'It was being imported into another server',
  key: 'It was being imported with another key, which may be that of another tenant',
  options: 'It was being imported with other options',
};

/** Beside the file: how far its import is, while it is not at its end. */
export class ProgressFile<State> {
  readonly path: string;
  readonly #identity: Identity;

  constructor(file: string, identity: Identity) {
    this.path = `${file}.progress`;
    this.#identity = identity;
  }

  /** Where an earlier run ended; `undefined` where none was broken off. */
  async load(): Promise<State | undefined> {
    const text = await readFile(this.path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw new CommandFailed(`It cannot be read how far the import was: ${error.message}.`);
    });
    if (text === undefined) return undefined;
    const { identity, state } = readSaved(text, this.path) as { identity: Identity; state: State };
    for (const [part, sentence] of Object.entries(DIFFERENCES)) {
      const name = part as keyof Identity;
      if (identity[name] === this.#identity[name]) continue;
      throw new CommandFailed(
        `${sentence}. Import it from its beginning, without --resume: what is stored already counts as unchanged.`,
      );
    }
    return state;
  }

  /** Whole or not at all, whatever happens meanwhile. */
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

/** Its size, its age and how it begins: enough to notice another export of the same name. */
export async function fingerprint(path: string): Promise<string> {
  const { size, mtimeMs } = await stat(path);
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
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
  throw new CommandFailed(`${path} is damaged. Remove it, and import the file from its beginning.`);
}
