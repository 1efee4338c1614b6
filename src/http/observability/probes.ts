import Type from 'typebox';
import type { Description } from '../openapi/description.js';

const status = (value: string) =>
  Type.Object({ status: Type.Literal(value) }, { examples: [{ status: value }] });

const Ready = Type.Object(
  {
    status: Type.Literal('ready'),
    warnings: Type.Optional(
      Type.Array(Type.String(), { description: 'what an operator should see to, where there is something' }),
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

/** How the document describes the routes for machines. */
export const PROBES = {
  healthz: {
    id: 'healthz',
    tag,
    summary: 'Tell whether the process lives',
    answers: { 200: { description: 'It does.', schema: status('ok') } },
  },
  readyz: {
    id: 'readyz',
    tag,
    summary: 'Tell whether the process can serve',
    answers: {
      200: { description: 'It can.', schema: Ready },
      503: {
        description: 'Not now: the database does not answer, or the service is stopping.',
        schema: Unavailable,
      },
    },
  },
  metrics: {
    id: 'metrics',
    tag,
    summary: 'Count requests, records, groups and errors, for Prometheus',
    description: 'Of all processes that serve on this port, whichever is asked.',
    answers: {
      200: {
        description: 'The text format of Prometheus.',
        content: { 'text/plain': { schema: Type.String(), examples: { ok: { value: metrics } } } },
      },
    },
  },
} satisfies Readonly<Record<string, Description>>;
