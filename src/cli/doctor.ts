import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { BadConfig, type Config, type Environment, readConfig, SETTINGS } from '../config.js';
import { inspectSqlite, isServing } from '../store/sqlite/inspect-sqlite.js';
import { type OutputOptions, print, withJson } from './command-line.js';

const MIB = 1024 * 1024;
const LITTLE_SPACE = 1024 * MIB;
const NO_SPACE = 64 * MIB;

interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'failed';
  readonly found: string;
  readonly advice?: string;
}

export function doctorCommand(): Command {
  return withJson(
    new Command('doctor').description('check settings, data directory, database and disk; say what to do'),
  ).action(doctor);
}

async function doctor(options: OutputOptions): Promise<void> {
  const findings = await examine(process.env);
  const signs = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' };
  const text = findings.flatMap(({ check, state, found, advice }) => [
    `${signs[state]}  ${check.padEnd(15)}  ${found}`,
    ...(advice === undefined ? [] : [`${' '.repeat(26)}${advice}`]),
  ]);
  const failed = findings.some(({ state }) => state === 'failed');
  print(options, { ok: !failed, findings }, text.join('\n'));
  if (failed) process.exitCode = 1;
}

async function examine(env: Environment): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig(env);
  } catch (error) {
    if (!(error instanceof BadConfig)) throw error;
    const advice = 'Correct it; docs/configuration.md lists every setting.';
    return error.problems.map((found) => ({ check: 'settings', state: 'failed', found, advice }));
  }
  const dataDir = resolve(config.dataDir);
  const findings = [...examineSettings(env), examineDirectory(dataDir)];
  if (!existsSync(dataDir)) return findings;
  return [...findings, examineDisk(dataDir), ...(await examineDatabase(dataDir)), examineServer(dataDir)];
}

function examineSettings(env: Environment): Finding[] {
  const known = new Set<string>(SETTINGS);
  const unknown = Object.keys(env).filter((name) => name.startsWith('ACCOUNT_SYNC_') && !known.has(name));
  const advice = 'It has no effect; docs/configuration.md lists every setting.';
  if (unknown.length === 0) return [{ check: 'settings', state: 'ok', found: 'all valid' }];
  return unknown.map((name) => ({
    check: 'settings',
    state: 'warning',
    found: `${name} is no setting`,
    advice,
  }));
}

function examineDirectory(dataDir: string): Finding {
  const check = 'data directory';
  if (!existsSync(dataDir)) {
    return {
      check,
      state: 'ok',
      found: `${dataDir} does not exist yet`,
      advice: 'The first start makes it.',
    };
  }
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return { check, state: 'ok', found: `${dataDir} can be written` };
  } catch {
    const advice = 'Give this user access, or set ACCOUNT_SYNC_DATA_DIR to another directory.';
    return { check, state: 'failed', found: `${dataDir} cannot be written`, advice };
  }
}

function examineDisk(dataDir: string): Finding {
  const { bavail, bsize } = statfsSync(dataDir);
  const free = bavail * bsize;
  const check = 'free disk';
  const found = `${Math.floor(free / MIB)} MiB`;
  if (free >= LITTLE_SPACE) return { check, state: 'ok', found };
  const advice = 'Free some space: with none left, writes are answered with 500 until there is.';
  return { check, state: free < NO_SPACE ? 'failed' : 'warning', found, advice };
}

async function examineDatabase(dataDir: string): Promise<Finding[]> {
  try {
    const inspection = await inspectSqlite(dataDir);
    if (inspection === undefined) {
      return [{ check: 'database', state: 'ok', found: 'none yet', advice: 'The first start makes it.' }];
    }
    const { file, schemaVersion, knownVersion, damage } = inspection;
    return [
      { check: 'database', state: 'ok', found: file },
      examineSchema(schemaVersion, knownVersion),
      damage.length === 0
        ? { check: 'integrity', state: 'ok', found: 'sound' }
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

function examineSchema(version: number, known: number): Finding {
  const check = 'schema version';
  if (version === known) return { check, state: 'ok', found: `${version}, the newest` };
  if (version < known) {
    const advice = 'The next start backs the file up and migrates it.';
    return { check, state: 'warning', found: `${version}; this program has ${known}`, advice };
  }
  const advice = 'Start the newer version of account-sync, or restore the backup made before the upgrade.';
  return { check, state: 'failed', found: `${version}; this program knows ${known}`, advice };
}

function examineServer(dataDir: string): Finding {
  return { check: 'server', state: 'ok', found: isServing(dataDir) ? 'running on this data' : 'not running' };
}
