import { accessSync, constants, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { freeSpace, LITTLE_SPACE, MIB, NO_SPACE } from '../../store/disk-space.js';
import { inspectSqlite, isServing } from '../../store/sqlite/inspect-sqlite.js';
import { examineSchema, type Finding } from './finding.js';

export async function examineSqlite(path: string): Promise<Finding[]> {
  const dataDir = resolve(path);
  const directory = examineDirectory(dataDir);
  if (!existsSync(dataDir)) return [directory];
  return [directory, await examineDisk(dataDir), ...(await examineDatabase(dataDir)), examineServer(dataDir)];
}

function examineDirectory(dataDir: string): Finding {
  const check = 'data directory';
  if (!existsSync(dataDir)) {
    return {
      check,
      state: 'ok',
      found: `${dataDir} does not exist yet`,
      advice: 'The first server start creates it.',
    };
  }
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return { check, state: 'ok', found: `${dataDir} is writable` };
  } catch {
    const advice = 'Give this user access, or set ACCOUNT_SYNC_DATA_DIR to another directory.';
    return { check, state: 'failed', found: `${dataDir} is not writable`, advice };
  }
}

async function examineDisk(dataDir: string): Promise<Finding> {
  const free = await freeSpace(dataDir);
  const check = 'free disk';
  const found = `${Math.floor(free / MIB)} MiB`;
  if (free >= LITTLE_SPACE) return { check, state: 'ok', found };
  const advice = 'Free some space: when the disk is full, writes fail with status 500.';
  return { check, state: free < NO_SPACE ? 'failed' : 'warning', found, advice };
}

async function examineDatabase(dataDir: string): Promise<Finding[]> {
  try {
    const inspection = await inspectSqlite(dataDir);
    if (inspection === undefined) {
      return [
        { check: 'database', state: 'ok', found: 'none yet', advice: 'The first server start creates it.' },
      ];
    }
    const { file, schemaVersion, knownVersion, damage } = inspection;
    return [
      { check: 'database', state: 'ok', found: file },
      examineSchema(schemaVersion, knownVersion),
      damage.length === 0
        ? { check: 'integrity', state: 'ok', found: 'no damage found' }
        : {
            check: 'integrity',
            state: 'failed',
            found: damage.slice(0, 3).join('; '),
            advice: 'Stop the server, keep a copy of the file, and restore the latest backup.',
          },
    ];
  } catch (error) {
    const found = `cannot be read: ${(error as Error).message}`;
    return [{ check: 'database', state: 'failed', found, advice: 'Restore the latest backup.' }];
  }
}

function examineServer(dataDir: string): Finding {
  return { check: 'server', state: 'ok', found: isServing(dataDir) ? 'running on this data' : 'not running' };
}
