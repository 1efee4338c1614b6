import { Command, InvalidArgumentError } from 'commander';
import { readDuration, writeDuration } from '../../domain/duration.js';
import {
  EXPECTATION_MS,
  isLate,
  isSourceName,
  MAX_LABEL_LENGTH,
  nextExpected,
  type Source,
} from '../../domain/source.js';
import {
  CommandFailed,
  isoTime,
  type OutputOptions,
  print,
  shortTime,
  table,
  withJson,
  withTenant,
} from '../terminal/command-line.js';

interface SetOptions extends OutputOptions {
  readonly label?: string;
  /** False: it is not expected any more. */
  readonly expectEvery?: number | false;
  readonly grace?: number;
  readonly track?: boolean;
}

export function sourceCommand(): Command {
  const command = new Command('source').description('name the systems that push accounts, and expect them');
  withJson(command.command('set <tenant> <name>').description('create a source, or change it'))
    .option('--label <text>', 'the name that people know it by', readLabel)
    .option('--expect-every <time>', 'how often it has to finish a run: 90m, 24h, 7d', readInterval)
    .option('--no-expect-every', 'expect it no more')
    .option('--grace <time>', 'how much later it may finish before it is late', readGrace)
    .option('--track', 'remember which accounts it pushes, so that a run can tell which are missing')
    .option('--no-track', 'remember it no more')
    .action(setSource);
  withJson(command.command('list <tenant>').description('list the sources of a tenant')).action(listSources);
  withJson(
    command
      .command('remove <tenant> <name>')
      .description('remove a source without keys; its runs and changes stay'),
  ).action(removeSource);
  return command;
}

async function setSource(tenant: string, name: string, options: SetOptions): Promise<void> {
  if (!isSourceName(name)) {
    throw new CommandFailed(
      `${JSON.stringify(name)} cannot name a source: use lower-case letters, digits and hyphens, 63 at most.`,
    );
  }
  const { label, grace: graceMs, track: isTracked } = options;
  const expectEveryMs = options.expectEvery === false ? null : options.expectEvery;
  const source = await withTenant(tenant, options, ({ directory }, { id }) =>
    directory.sources.set(id, name, { label, expectEveryMs, graceMs, isTracked }),
  );
  const tracking = source.trackedSince !== null ? ' The accounts that it pushes are remembered.' : '';
  const message = `The source ${name} (${source.label}) ${describeExpectation(source)}.${tracking}`;
  print(options, asJson(source), message);
}

async function listSources(tenant: string, options: OutputOptions): Promise<void> {
  const sources = await withTenant(tenant, options, ({ directory }, { id }) => directory.sources.list(id));
  const now = Date.now();
  const head = ['SOURCE', 'LABEL', 'EXPECTED EVERY', 'GRACE', 'LAST FINISHED', 'NEXT EXPECTED', 'STATE'];
  const rows = sources.map((source) => {
    const { name, label, expectEveryMs, graceMs, lastFinishedAt } = source;
    const every = expectEveryMs === null ? '–' : writeDuration(expectEveryMs);
    const grace = expectEveryMs === null ? '–' : writeDuration(graceMs);
    const next = shortTime(nextExpected(source)?.at ?? null);
    return [name, label, every, grace, shortTime(lastFinishedAt), next, stateOf(source, now)];
  });
  const text =
    rows.length > 0
      ? table(head, rows)
      : `No sources yet. Create one with: account-sync source set ${tenant} crm --label "Our CRM"`;
  print(options, sources.map(asJson), text);
}

async function removeSource(tenant: string, name: string, options: OutputOptions): Promise<void> {
  const isRemoved = await withTenant(tenant, options, ({ directory }, { id }) =>
    directory.sources.remove(id, name),
  );
  if (!isRemoved) {
    throw new CommandFailed(
      `The tenant ${tenant} has no source ${name}. List its sources with: account-sync source list ${tenant}`,
    );
  }
  print(options, { name, removed: true }, `Removed the source ${name}. Its runs and changes stay.`);
}

function describeExpectation(source: Source): string {
  const { expectEveryMs, graceMs } = source;
  if (expectEveryMs === null) return 'may push whenever it likes';
  return `is expected to finish a run every ${writeDuration(expectEveryMs)}, with a grace of ${writeDuration(graceMs)}`;
}

function stateOf(source: Source, now: number): string {
  if (source.expectEveryMs === null) return '–';
  return isLate(source, now) ? 'LATE' : 'on time';
}

function asJson(source: Source) {
  const { name, label, expectEveryMs, graceMs, lastFinishedAt, createdAt } = source;
  return {
    name,
    label,
    expect_every_seconds: expectEveryMs === null ? null : expectEveryMs / 1_000,
    grace_seconds: graceMs / 1_000,
    is_late: isLate(source, Date.now()),
    is_tracked: source.trackedSince !== null,
    last_finished_at: isoTime(lastFinishedAt),
    next_expected_at: isoTime(nextExpected(source)?.at ?? null),
    created_at: isoTime(createdAt),
  };
}

function readLabel(text: string): string {
  if (text.trim() !== '' && text.length <= MAX_LABEL_LENGTH) return text;
  throw new InvalidArgumentError(`Give a text of 1 to ${MAX_LABEL_LENGTH} characters.`);
}

function readInterval(text: string): number {
  const ms = readDuration(text) ?? 0;
  if (ms >= EXPECTATION_MS.min && ms <= EXPECTATION_MS.max) return ms;
  throw new InvalidArgumentError('Give a time from 1m to 366d, such as 90m, 24h or 7d.');
}

function readGrace(text: string): number {
  const ms = readDuration(text) ?? -1;
  if (ms >= 0 && ms <= EXPECTATION_MS.max) return ms;
  throw new InvalidArgumentError('Give a time up to 366d, such as 0m, 90m or 2h.');
}
