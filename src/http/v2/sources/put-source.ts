import Type from 'typebox';
import { EXPECTATION_MS, isSourceName, MAX_LABEL_LENGTH } from '../../../domain/source.js';
import { RECENT_RUNS, SourceNameParams, SourceSchema, sourceBody } from '../../../wire/source-body.js';
import { principalOf } from '../../auth/authenticate.js';
import { invalidRequest } from '../../errors.js';
import { actorOf, operation, type V2App, type V2Parts } from '../operation.js';

const Body = Type.Object(
  {
    label: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_LABEL_LENGTH })),
    expect_every_seconds: Type.Optional(
      // Not a union: the error for a number out of range would also say that it must be null.
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        minimum: EXPECTATION_MS.min / 1_000,
        maximum: EXPECTATION_MS.max / 1_000,
        description: 'How often it has to finish a run. Null: it may push whenever it likes.',
      }),
    ),
    grace_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: EXPECTATION_MS.max / 1_000,
        description: 'How much later a run may finish before the source is late.',
      }),
    ),
    is_tracked: Type.Optional(
      Type.Boolean({
        description:
          'Whether to remember which accounts it pushes, so that a run can tell which are missing. A run that asks ' +
          'for missing accounts turns it on.',
      }),
    ),
  },
  {
    additionalProperties: false,
    examples: [{ label: 'Salesforce', expect_every_seconds: 86_400, grace_seconds: 7_200 }],
  },
);

export function putSource(app: V2App, parts: V2Parts): void {
  const { store, clock } = parts;
  const options = operation(parts, 'admin', {
    id: 'put-source',
    tag: 'Sources',
    summary: 'Create or change a source',
    description:
      'What is not sent stays unchanged. Names have lower-case letters, digits and hyphens, 63 at most. More than 200 ' +
      'sources are rejected with 409 and the code `too_many_sources`.',
    schema: { params: SourceNameParams, body: Body },
    responses: {
      200: { description: 'Changed.', schema: SourceSchema },
      201: { description: 'Created.', schema: SourceSchema },
    },
    errorStatuses: [409],
  });
  app.put('/sources/:name', options, async (request, reply) => {
    const { tenant } = principalOf(request);
    const { sources } = store.directory;
    const { name } = request.params;
    const detail =
      'must have lower-case letters, digits and hyphens, 63 at most, and not begin with a hyphen';
    if (!isSourceName(name)) throw invalidRequest([{ pointer: '/path/name', detail }]);
    const { label, expect_every_seconds: every, grace_seconds: grace, is_tracked: isTracked } = request.body;
    const isNew = (await sources.find(tenant.id, name)) === undefined;
    const changes = {
      label,
      expectEveryMs: every === null || every === undefined ? every : every * 1_000,
      graceMs: grace === undefined ? undefined : grace * 1_000,
      isTracked,
    };
    const now = clock();
    const source = await sources.set(tenant.id, name, changes, actorOf(request, now));
    const runs = await store.runs.page(tenant.id, { source: name, limit: RECENT_RUNS });
    return reply
      .code(isNew ? 201 : 200)
      .send(sourceBody(source, await store.runs.withUsers(tenant.id, runs), now));
  });
}
