import { LARGEST_SIZE, SIZES, type StartResult, storedScenario } from './growth.js';
import { find, type Measurement, type Row } from './measurement.js';
import { RAW_POSTGRES } from './raw-postgres.js';
import { RAW_SQLITE } from './raw-sqlite.js';
import { figure, textTable } from './text-table.js';
import { CEILING, EXPRESS, EXPRESS_HISTORY, ON_POSTGRES, ON_SQLITE } from './workbench.js';

export interface Goal {
  readonly goal: string;
  readonly atLeast?: number;
  readonly atMost?: number;
  /** NaN if the scenario was skipped. */
  readonly measured: number;
}

/** What the service is to reach on each database, as ratios of records per second. */
export const DATABASES = [
  {
    database: 'SQLite',
    service: ON_SQLITE,
    raw: RAW_SQLITE,
    ofCeiling: 0.55,
    ofExpress: 1.1,
    resync: 2,
    ofHttpAndCommit: 2.5,
  },
  {
    database: 'PostgreSQL',
    service: ON_POSTGRES,
    raw: RAW_POSTGRES,
    ofCeiling: 0.35,
    ofExpress: 0.9,
    resync: 1.2,
    ofHttpAndCommit: 3,
  },
];

export const BATCHES_OF_EXPRESS_WITH_HISTORY = 1.7;

/** The performance goals of the service, with the measured values. */
export function goals(rows: readonly Row[], starts: readonly StartResult[]): Goal[] {
  return DATABASES.flatMap((database) => [
    ...speedGoals(rows, database),
    ...growthGoals(rows, database),
    ...startGoals(starts, database),
  ]);
}

export type Database = (typeof DATABASES)[number];

function speedGoals(rows: readonly Row[], goal: Database): Goal[] {
  const { database, service, raw, ofCeiling, ofExpress, resync, ofHttpAndCommit } = goal;
  const ratio = ratioOf(rows, 'recordsPerSecond');
  const p50 = (target: string) => find(rows, 'one', target)?.p50 ?? Number.NaN;
  const batchGoals = (['batches', 'changes'] as const).flatMap((scenario) => [
    {
      goal: `${database}: ${scenario}, of Express`,
      atLeast: ofExpress,
      measured: ratio([scenario, service], [scenario, EXPRESS]),
    },
    {
      goal: `${database}: ${scenario}, of Express with history`,
      atLeast: BATCHES_OF_EXPRESS_WITH_HISTORY,
      measured: ratio([scenario, service], [scenario, EXPRESS_HISTORY]),
    },
  ]);
  return [
    {
      goal: `${database}: singles, of the ceiling`,
      atLeast: ofCeiling,
      measured: ratio(['singles', service], ['singles', CEILING]),
    },
    ...batchGoals,
    {
      goal: `${database}: re-sync, of Express with changes`,
      atLeast: resync,
      measured: ratio(['re-sync', service], ['batches', EXPRESS]),
    },
    {
      goal: `${database}: one connection, p50 of bare HTTP and a raw commit`,
      atMost: ofHttpAndCommit,
      measured: p50(service) / (p50(CEILING) + p50(raw)),
    },
  ];
}

function growthGoals(rows: readonly Row[], { database, service }: Database): Goal[] {
  const kinds = [
    { kind: 'singles', atLeast: 0.8 },
    { kind: 'batches', atLeast: 0.7 },
  ] as const;
  const most = kinds.flatMap(({ kind }) =>
    rows.filter(
      ({ scenario, target }) => scenario === storedScenario(kind, LARGEST_SIZE) && target === service,
    ),
  );
  const memory = most.flatMap(({ rounds }) => rounds.map((round) => round.memory));
  return [
    ...kinds.flatMap(({ kind, atLeast }) => {
      const ends = [storedScenario(kind, LARGEST_SIZE), storedScenario(kind, SIZES[0] ?? 0)].map(
        (at) => [at, service] as const,
      );
      const [full = ['', ''], small = ['', '']] = ends;
      const title = `${database}: ${kind}, ${LARGEST_SIZE} stored of ${SIZES[0]}`;
      return [
        { goal: title, atLeast, measured: ratioOf(rows, 'recordsPerSecond')(full, small) },
        { goal: `${title}, p99`, atMost: 2, measured: ratioOf(rows, 'p99')(full, small) },
      ];
    }),
    {
      goal: `${database}: MiB with ${LARGEST_SIZE} stored, under load`,
      atMost: 200,
      measured: memory.length > 0 ? Math.max(...memory) : Number.NaN,
    },
  ];
}

function startGoals(starts: readonly StartResult[], { database, service }: Database): Goal[] {
  const limits = [
    { stored: 0, atMost: 1000 },
    { stored: LARGEST_SIZE, atMost: 1500 },
  ];
  return limits.map(({ stored, atMost }) => ({
    goal: `${database}: ms to start with ${stored} stored`,
    atMost,
    measured:
      starts.find((start) => start.target === service && start.stored === stored)?.medianMs ?? Number.NaN,
  }));
}

export type CaseName = readonly [scenario: string, target: string];

/** The ratio of one figure between two cases; NaN if one of them was skipped. */
export function ratioOf(rows: readonly Row[], figureName: keyof Measurement) {
  const figureAt = ([scenario, target]: CaseName) => find(rows, scenario, target)?.[figureName] ?? Number.NaN;
  return (part: CaseName, whole: CaseName) => figureAt(part) / figureAt(whole);
}

export function verdict({ atLeast = -Infinity, atMost = Infinity, measured }: Goal): string {
  if (Number.isNaN(measured)) return 'not measured';
  return measured >= atLeast && measured <= atMost ? 'met' : 'missed';
}

export function goalTable(all: readonly Goal[]): string {
  const measured = all.filter((goal) => verdict(goal) !== 'not measured');
  const lines = measured.map((each) => {
    const { goal, atLeast, atMost, measured } = each;
    const bound = atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`;
    return [goal, bound, figure(measured, measured < 100 ? 2 : 0), verdict(each)];
  });
  const skipped = all.length - measured.length;
  const title = skipped === 0 ? 'Goals' : `Goals; ${skipped} more belong to skipped scenarios`;
  return textTable(title, [['goal', 'limit', 'measured', ''], ...lines]);
}
