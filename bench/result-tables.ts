import { CONNECTIONS, connectionsScenario } from './comparisons.js';
import { SIZES, type StartResult, storedScenario } from './growth.js';
import { find, type Measurement, type Row } from './measurement.js';
import { RAW_POSTGRES } from './raw-postgres.js';
import { RAW_SQLITE } from './raw-sqlite.js';
import { figure, textTable } from './text-table.js';
import { CEILING, EXPRESS, EXPRESS_HISTORY, ON_POSTGRES, ON_SQLITE } from './workbench.js';

const SERVICES = [ON_SQLITE, ON_POSTGRES];
const SERVERS = [CEILING, EXPRESS, EXPRESS_HISTORY, ...SERVICES];

/** One table for each scenario that was run. */
export function resultTables(rows: readonly Row[], starts: readonly StartResult[]): string[] {
  const has = (scenario: string) => rows.some((row) => row.scenario === scenario);
  return [
    ...(has('singles') ? [comparison('Single upserts, 64 connections', rows, 'singles')] : []),
    ...(has('batches') ? [comparison('Batches of 200, 8 connections', rows, 'batches')] : []),
    ...(has('changes')
      ? [
          comparison(
            'Batches of 200: every record changes one of 200,000 accounts at random',
            rows,
            'changes',
          ),
        ]
      : []),
    ...(has('re-sync') ? [resync(rows)] : []),
    ...(has('one') ? [oneAtATime(rows)] : []),
    ...(has(connectionsScenario(1)) ? [connections(rows)] : []),
    ...(['singles', 'batches'] as const)
      .filter((kind) => has(storedScenario(kind, SIZES[0] ?? 0)))
      .map((kind) => stored(rows, kind)),
    ...(starts.length > 0 ? [startTimes(starts)] : []),
  ];
}

const COSTS = ['failures', 'CPU µs/record', 'PostgreSQL', 'load', 'MiB'];
const costs = ({ failures, serverCpu, databaseCpu, loadCpu, memory }: Measurement) => [
  ...[figure(failures), figure(serverCpu, 1), figure(databaseCpu, 1), figure(loadCpu, 1), figure(memory)],
];

function comparison(title: string, rows: readonly Row[], scenario: string): string {
  const perSecond = (target: string) => find(rows, scenario, target)?.recordsPerSecond ?? Number.NaN;
  const head = [
    'target',
    'records/s',
    'of the ceiling',
    'of Express',
    'with history',
    'p50 ms',
    'p90 ms',
    'p99 ms',
    ...COSTS,
  ];
  const lines = rowsOf(rows, scenario).map(({ target, median }) => [
    ...[target, figure(median.recordsPerSecond)],
    figure(median.recordsPerSecond / perSecond(CEILING), 2),
    figure(median.recordsPerSecond / perSecond(EXPRESS), 2),
    figure(median.recordsPerSecond / perSecond(EXPRESS_HISTORY), 2),
    ...[median.p50, median.p90, median.p99].map((ms) => figure(ms, 2)),
    ...costs(median),
  ]);
  return textTable(title, [head, ...lines]);
}

function resync(rows: readonly Row[]): string {
  const express = find(rows, 'batches', EXPRESS)?.recordsPerSecond ?? Number.NaN;
  const head = ['target', 'records/s', 'of changes', 'of Express', 'p50 ms', 'p99 ms', ...COSTS];
  const lines = rowsOf(rows, 're-sync').map(({ target, median }) => [
    ...[target, figure(median.recordsPerSecond)],
    figure(median.recordsPerSecond / (find(rows, 'batches', target)?.recordsPerSecond ?? Number.NaN), 2),
    figure(median.recordsPerSecond / express, 2),
    ...[figure(median.p50, 2), figure(median.p99, 2)],
    ...costs(median),
  ]);
  return textTable('Re-sync: the same batches when nothing has changed', [head, ...lines]);
}

function oneAtATime(rows: readonly Row[]): string {
  const p50 = (target: string) => find(rows, 'one', target)?.p50 ?? Number.NaN;
  const rawOf = (target: string) =>
    target === ON_SQLITE ? RAW_SQLITE : target === CEILING ? '' : RAW_POSTGRES;
  const head = [
    'target',
    'p50 ms',
    'p90 ms',
    'p99 ms',
    'of its raw commit',
    'of the ceiling',
    'records/s',
    ...COSTS,
  ];
  const lines = rowsOf(rows, 'one').map(({ target, median }) => [
    target,
    ...[median.p50, median.p90, median.p99].map((ms) => figure(ms, 3)),
    SERVERS.includes(target) ? figure(median.p50 / p50(rawOf(target)), 2) : '–',
    ...[figure(median.p50 / p50(CEILING), 2), figure(median.recordsPerSecond)],
    ...costs(median),
  ]);
  return textTable('One connection, one upsert at a time', [head, ...lines]);
}

function connections(rows: readonly Row[]): string {
  const head = ['records/s (p99 ms)', ...CONNECTIONS.map(String)];
  const lines = SERVERS.map((target) => {
    const cells = CONNECTIONS.map((count) => find(rows, connectionsScenario(count), target));
    return [target, ...cells.map((cell) => `${figure(cell?.recordsPerSecond)} (${figure(cell?.p99, 1)})`)];
  });
  const rounds = rowsOf(rows, connectionsScenario(1))[0]?.rounds.length;
  return textTable(`Single upserts by connections, medians of ${rounds} rounds`, [head, ...lines]);
}

function stored(rows: readonly Row[], kind: 'singles' | 'batches'): string {
  const head = [
    'target',
    'stored',
    'records/s',
    'of the fewest',
    'p50 ms',
    'p99 ms',
    'of the fewest',
    ...COSTS,
    'peak MiB',
  ];
  const lines = SERVICES.flatMap((target) => {
    const fewest = find(rows, storedScenario(kind, SIZES[0] ?? 0), target);
    return SIZES.flatMap((size) => {
      const at = find(rows, storedScenario(kind, size), target);
      if (at === undefined || fewest === undefined) return [];
      return [
        [
          ...[target, String(size), figure(at.recordsPerSecond)],
          ...[figure(at.recordsPerSecond / fewest.recordsPerSecond, 2), figure(at.p50, 2), figure(at.p99, 2)],
          ...[figure(at.p99 / fewest.p99, 2), ...costs(at), figure(at.peakMemory)],
        ],
      ];
    });
  });
  const workload = kind === 'singles' ? 'Single upserts, 64 connections' : 'Batches of 200, 8 connections';
  return textTable(`${workload}, by stored accounts; each record changes one at random`, [head, ...lines]);
}

function startTimes(starts: readonly StartResult[]): string {
  const head = ['target', 'stored', 'median ms', 'least', 'most', 'starts'];
  const lines = starts.map(({ target, stored, medianMs, starts: all }) => {
    const times = all.map(({ ms }) => ms);
    const range = [Math.min(...times), Math.max(...times), times.length];
    return [target, String(stored), figure(medianMs), ...range.map((value) => figure(value))];
  });
  return textTable('From the start of the process to its first response', [head, ...lines]);
}

function rowsOf(rows: readonly Row[], scenario: string): Row[] {
  return rows.filter((row) => row.scenario === scenario);
}
