import Type from 'typebox';
import { VERSION } from '../../../version.js';
import { nullable } from '../../../wire/schemas.js';
import { principalOf } from '../../auth/authenticate.js';
import { storeProblem } from '../../observability/health.js';
import { webhookWarnings } from '../../observability/webhook-warnings.js';
import { lateSources } from '../../runs/late-sources.js';
import { operation, type V2App, type V2Parts } from '../operation.js';

const ResponseBody = Type.Object(
  {
    version: Type.String(),
    database: Type.Enum(['sqlite', 'postgres']),
    is_ready: Type.Boolean({ description: 'Whether the database can be used.' }),
    problem: nullable(Type.String({ description: 'Why the database cannot be used.' })),
    waiting_records: Type.Integer({
      description: 'Records that this process has accepted and not stored yet.',
    }),
    warnings: Type.Array(Type.String(), { description: 'What an operator should fix, one sentence each.' }),
  },
  {
    title: 'Status',
    examples: [
      {
        version: VERSION,
        database: 'sqlite',
        is_ready: true,
        problem: null,
        waiting_records: 0,
        warnings: [],
      },
    ],
  },
);

export function getStatus(app: V2App, parts: V2Parts): void {
  const { store, clock, disk } = parts;
  const options = operation(parts, 'read', {
    id: 'get-status',
    tag: 'Operations',
    summary: 'Read the status of the service',
    description: 'Describes the process that handles the request.',
    schema: {},
    responses: { 200: { description: 'The status.', schema: ResponseBody } },
  });
  app.get('/status', options, async (request) => {
    const problem = await storeProblem(store, request);
    const { tenant } = principalOf(request);
    const late = problem === undefined ? await lateSources(store, clock(), tenant.id) : [];
    return {
      version: VERSION,
      database: store.dialect,
      is_ready: problem === undefined,
      problem: problem ?? null,
      waiting_records: store.waitingRecords(),
      warnings: [
        ...(await disk.warnings()),
        ...late.map(({ name }) => `The source ${name} is late.`),
        ...(problem === undefined ? await webhookWarnings(store, tenant.id) : []),
      ],
    };
  });
}
