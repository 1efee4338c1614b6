import { statfs } from 'node:fs/promises';

export const MIB = 1024 * 1024;
/** Below it an operator should do something. */
export const LITTLE_SPACE = 1024 * MIB;
/** Below it the next checkpoint may be the one that fails. */
export const NO_SPACE = 64 * MIB;

/** In bytes, for this user. */
export async function freeSpace(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}
