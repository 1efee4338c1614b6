import Type from 'typebox';
import { VERSION } from '../../../version.js';
import { storeProblem } from '../../observability/health.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { nullable } from '../schemas.js';

const Answer = Type.Object(
  {
    version: Type.String(),
    database: Type.Enum(['sqlite', 'postgres']),
    is_ready: Type.Boolean({ description: 'whether the database answers' }),
    problem: nullable(Type.String({ description: 'why not' })),
    waiting_records: Type.Integer({ description: 'that this process was sent and has not stored yet' }),
    warnings: Type.Array(Type.String(), { description: 'what an operator should see to, a sentence each' }),
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
  const { store, disk } = parts;
  const options = operation(parts, 'read', {
    id: 'get-status',
    tag: 'Operations',
    summary: 'Tell how the process that answers is doing',
    schema: {},
    answers: { 200: { description: 'How it is doing', schema: Answer } },
  });
  app.get('/status', options, async (request) => {
    const problem = await storeProblem(store, request);
    return {
      version: VERSION,
      database: store.dialect,
      is_ready: problem === undefined,
      problem: problem ?? null,
      waiting_records: store.waitingRecords(),
      warnings: await disk.warnings(),
    };
  });
}
