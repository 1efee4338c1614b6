import { statfs } from 'node:fs/promises';

export const MIB = 1024 * 1024;
/** With less free space than this, the operator is warned. */
export const LITTLE_SPACE = 1024 * MIB;
/** With less free space than this, the next checkpoint may fail. */
export const NO_SPACE = 64 * MIB;

/** In bytes that this user may write. */
export async function freeSpace(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}
