import Type, { type Static } from 'typebox';
import { isLate, nextExpected, type Source } from '../domain/source.js';
import type { NamedRun } from '../store/runs/run.js';
import { RUN, RunSchema, runBody } from './run-body.js';
import { isoTime, nullable, Timestamp } from './schemas.js';

export const SOURCE = {
  name: 'crm',
  label: 'Salesforce',
  expect_every_seconds: 86_400,
  grace_seconds: 7_200,
  is_late: false,
  is_tracked: true,
  last_finished_at: '2027-02-01T02:03:20.000Z',
  next_expected_at: '2027-02-02T02:03:20.000Z',
  created_at: '2027-01-31T12:00:00.000Z',
  recent_runs: [RUN],
};

export const SourceSchema = Type.Object(
  {
    name: Type.String(),
    label: Type.String({ description: 'The name that people know it by.' }),
    expect_every_seconds: nullable(
      Type.Integer({ description: 'How often it is expected to finish a run; null if it is not.' }),
    ),
    grace_seconds: Type.Integer({ description: 'How much later a run may finish.' }),
    is_late: Type.Boolean({ description: 'Whether it should have finished a run by now, grace included.' }),
    is_tracked: Type.Boolean({
      description:
        'Whether the service remembers which accounts it pushes, so that a run can tell which are missing.',
    }),
    last_finished_at: nullable(
      Type.String({
        format: 'date-time',
        description:
          'When it last finished a run of which not every request was rejected. An implicit run ' +
          'counts from its last accepted request on.',
      }),
    ),
    next_expected_at: nullable(Timestamp),
    created_at: Timestamp,
    recent_runs: Type.Array(RunSchema, { description: 'Newest first, at most 20.' }),
  },
  { title: 'Source', examples: [SOURCE] },
);

export const SourceNameParams = Type.Object({
  name: Type.String({ minLength: 1, description: 'The name of the source.', examples: [SOURCE.name] }),
});

export const RECENT_RUNS = 20;

export function sourceBody(
  source: Source,
  runs: readonly NamedRun[],
  now: number,
): Static<typeof SourceSchema> {
  const { createdAt, trackedSince } = source;
  return {
    ...sourceStateBody(source, now),
    is_tracked: trackedSince !== null,
    created_at: isoTime(createdAt),
    recent_runs: runs.map(runBody),
  };
}

/** What is expected of a source, and whether it is late at a time. */
export function sourceStateBody(source: Source, at: number) {
  const { name, label, expectEveryMs, graceMs, lastFinishedAt } = source;
  const next = nextExpected(source);
  return {
    name,
    label,
    expect_every_seconds: expectEveryMs === null ? null : expectEveryMs / 1_000,
    grace_seconds: graceMs / 1_000,
    is_late: isLate(source, at),
    last_finished_at: lastFinishedAt === null ? null : isoTime(lastFinishedAt),
    next_expected_at: next === undefined ? null : isoTime(next.at),
  };
}
