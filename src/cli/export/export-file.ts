import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { CommandFailed } from '../terminal/command-line.js';

/** Writes a file atomically: it replaces the previous one only when it is complete and synced. */
export async function writeAtomically(
  out: string,
  pieces: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<void> {
  try {
    // Replaces the target of a symbolic link, not the link.
    const target = await realpath(out).catch(() => out);
    const previous = await stat(target).catch(() => undefined);
    if (previous !== undefined && !previous.isFile())
      throw new CommandFailed(`${out} is not a regular file. Choose another path.`);
    // Keeps the permissions of the previous file.
    await writePart(`${target}.part`, { target, mode: previous?.mode ?? 0o666 }, pieces, signal);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const { syscall, message } = error as NodeJS.ErrnoException;
    throw syscall === undefined ? error : new CommandFailed(`Cannot write ${out}: ${message}.`);
  }
}

async function writePart(
  part: string,
  { target, mode }: { readonly target: string; readonly mode: number },
  pieces: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<void> {
  // Creates a new file even if another export is writing one: two writers would mix their data.
  await rm(part, { force: true });
  const file = await open(part, 'wx', mode & 0o777);
  const { ino } = await file.stat();
  const isStillOurs = async () => (await stat(part).catch(() => undefined))?.ino === ino;
  try {
    const sink = file.createWriteStream({ flush: true });
    if (isCompressed(target)) await pipeline(pieces, createGzip(), sink, { signal });
    else await pipeline(pieces, sink, { signal });
    if (!(await isStillOurs()))
      throw new CommandFailed(`This export was stopped: another export to ${target} has started.`);
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

/** The format for a file name. */
export function formatOf(out: string): Format {
  return /\.(ndjson|jsonl)(\.gz)?$/i.test(out) ? 'ndjson' : 'csv';
}
