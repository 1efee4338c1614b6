import Type from 'typebox';
import type { Description } from '../openapi/description.js';

const status = (value: string) =>
  Type.Object({ status: Type.Literal(value) }, { examples: [{ status: value }] });

const Ready = Type.Object(
  {
    status: Type.Literal('ready'),
    warnings: Type.Optional(
      Type.Array(Type.String(), {
        description: 'What an operator should fix, if anything, one sentence each.',
      }),
    ),
  },
  { examples: [{ status: 'ready' }] },
);

const Unavailable = Type.Object(
  { status: Type.Literal('unavailable'), reason: Type.String() },
  { examples: [{ status: 'unavailable', reason: 'The database does not answer.' }] },
);

const metrics = [
  '# HELP account_sync_waiting_records Records that wait to be stored.',
  '# TYPE account_sync_waiting_records gauge',
  'account_sync_waiting_records 0',
  '',
].join('\n');

const tag = 'Operations';

/** Descriptions of the routes for monitoring, for the OpenAPI document. */
export const PROBES = {
  healthz: {
    id: 'healthz',
    tag,
    summary: 'Check that the process is alive',
    responses: { 200: { description: 'The process is alive.', schema: status('ok') } },
  },
  readyz: {
    id: 'readyz',
    tag,
    summary: 'Check that the process can serve requests',
    responses: {
      200: { description: 'The process is ready.', schema: Ready },
      503: {
        description: 'Not ready: the database does not answer, or the service is stopping.',
        schema: Unavailable,
      },
    },
  },
  metrics: {
    id: 'metrics',
    tag,
    summary: 'Read metrics for Prometheus',
    description: 'Counts requests, records, groups and errors of all processes that serve on this port.',
    responses: {
      200: {
        description: 'Metrics in the text format of Prometheus.',
        content: { 'text/plain': { schema: Type.String(), examples: { ok: { value: metrics } } } },
      },
    },
  },
} satisfies Readonly<Record<string, Description>>;
