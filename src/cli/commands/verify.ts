import { Command } from 'commander';
import { readConfig } from '../../config.js';
import { grouped } from '../../domain/text.js';
import type { Verification } from '../../store/maintenance/verify-database.js';
import { type OutputOptions, print, table, withJson } from '../terminal/command-line.js';
import { Progress } from '../terminal/status-line.js';

const NO_CHECKSUMS =
  'has no checksums, because an older version or a migration made it. Damage that leaves the data consistent is not detected.';

export function verifyCommand(): Command {
  return withJson(new Command('verify').description('read all data and check that it is consistent'))
    .argument('[file]', 'a backup file (default: the database that the settings name)')
    .action(verify);
}

async function verify(file: string | undefined, options: OutputOptions): Promise<void> {
  const { database } = readConfig(process.env);
  // Imported here, because loading it takes longer than most commands run.
  const { openBackup, openDatabase } = await import('../../store/maintenance/open-for-verification.js');
  const { verifyDatabase } = await import('../../store/maintenance/verify-database.js');
  const { CHECKS } = await import('../../store/maintenance/verification-problems.js');
  const verifiable = await (file === undefined ? openDatabase(database) : openBackup(file));
  const { location, damage, checksums, close } = verifiable;
  try {
    const progress = new Progress();
    const found = await verifyDatabase(verifiable, (done, total) =>
      progress.show('verifying changes', done, total),
    );
    const { problems } = found;
    const absent = [damage === undefined && 'file', checksums === undefined && 'checksums'];
    const checks = CHECKS.filter((check) => !absent.includes(check)).map((check) => ({
      check,
      checked: check === 'file' ? 1 : problems.checked(check),
      problems: problems.found(check),
    }));
    const data = {
      ok: problems.total === 0,
      location,
      checks,
      tables: found.tables,
      problems: problems.first,
    };
    const remark = file !== undefined && checksums === undefined ? [`${location} ${NO_CHECKSUMS}`] : [];
    const lines = [...describe(checks, found), '', ...remark, verdict(location, problems.total)];
    print(options, data, lines.join('\n'));
    if (!data.ok) process.exitCode = 1;
  } finally {
    await close();
  }
}

function describe(
  checks: readonly { check: string; checked: number; problems: number }[],
  { tables, problems }: Verification,
): string[] {
  const counts = checks.map((one) => [one.check, grouped(one.checked), grouped(one.problems)]);
  const sums = tables.map((one) => [one.table, grouped(one.rows), one.checksum.slice(0, 16)]);
  const first = problems.first.map(({ tenant, account, problem }) => [
    tenant ?? '–',
    account ?? '–',
    problem,
  ]);
  return [
    table(['CHECK', 'CHECKED', 'PROBLEMS'], counts),
    ...(sums.length === 0 ? [] : ['', table(['TABLE', 'ROWS', 'CHECKSUM'], sums)]),
    ...(first.length === 0 ? [] : ['', table(['TENANT', 'ACCOUNT', 'PROBLEM'], first)]),
  ];
}

function verdict(location: string, problems: number): string {
  if (problems === 0) return `No problems found in ${location}.`;
  const count = problems === 1 ? '1 problem' : `${grouped(problems)} problems`;
  return `Found ${count} in ${location}. Keep a copy of it, and restore a backup in which verify finds none.`;
}
