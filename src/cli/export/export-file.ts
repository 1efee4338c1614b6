import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { CommandFailed } from '../terminal/command-line.js';

/** Writes a file that appears under its name only once it is whole and on disk; until then the previous one stays. */
export async function writeWhole(
  out: string,
  pieces: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<void> {
  try {
    // A link stays one.
    const target = await realpath(out).catch(() => out);
    const previous = await stat(target).catch(() => undefined);
    if (previous !== undefined && !previous.isFile()) throw new CommandFailed(`${out} is no regular file.`);
    // Whoever may not read the previous one may not read this.
    await writePart(`${target}.part`, { target, mode: previous?.mode ?? 0o666 }, pieces, signal);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const { syscall, message } = error as NodeJS.ErrnoException;
    throw syscall === undefined ? error : new CommandFailed(`${out} cannot be written: ${message}.`);
  }
}

async function writePart(
  part: string,
  { target, mode }: { readonly target: string; readonly mode: number },
  pieces: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<void> {
  // A file of its own, even where another export is writing one: both into one would be a mixture of the two.
  await rm(part, { force: true });
  const file = await open(part, 'wx', mode & 0o777);
  const { ino } = await file.stat();
  const isStillOurs = async () => (await stat(part).catch(() => undefined))?.ino === ino;
  try {
    const sink = file.createWriteStream({ flush: true });
    if (isCompressed(target)) await pipeline(pieces, createGzip(), sink, { signal });
    else await pipeline(pieces, sink, { signal });
    if (!(await isStillOurs())) throw new CommandFailed(`Another export to ${target} has begun since.`);
    await rename(part, target);
  } catch (error) {
    if (await isStillOurs()) await rm(part, { force: true });
    throw error;
  }
}

export const FORMATS = ['csv', 'ndjson'] as const;
export type Format = (typeof FORMATS)[number];

export function isCompressed(out: string): boolean {
  return /\.gz$/i.test(out);
}

/** The format that the name of a file asks for. */
export function formatOf(out: string): Format {
  return /\.(ndjson|jsonl)(\.gz)?$/i.test(out) ? 'ndjson' : 'csv';
}
