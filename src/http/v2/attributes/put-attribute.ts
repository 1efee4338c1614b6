import { setTimeout } from 'node:timers/promises';
import Type, { type Static } from 'typebox';
import type { OwnedFieldMode } from '../../../domain/account.js';
import { TYPE_NAMES } from '../../../domain/attribute-types.js';
import { MAX_POSITION, type PresentationText, textProblem, textRule } from '../../../domain/presentation.js';
import { attributeNameProblem, builtIn, choicesProblem, isOwnableField } from '../../../domain/tenant.js';
import type { AttributeDefinition } from '../../../store/tenants/attributes.js';
import { principalOf } from '../../auth/authenticate.js';
import { httpError, invalidRequest, type PointedProblem } from '../../errors.js';
import { actorOf, operation, type V2App, type V2Parts } from '../operation.js';
import {
  AttributeNameParams,
  AttributeSchema,
  attributeBody,
  attributesOf,
  OwnerSchema,
} from './attribute-body.js';

/** The properties that define which values are valid. */
export const TYPE_PROPERTIES = {
  type: Type.Enum([...TYPE_NAMES]),
  choices: Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), { maxItems: 1000, description: 'The choices of a `choice`.' }),
  ),
};

const presentationText = (part: PresentationText, description: string) =>
  Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: `${description} ${textRule(part)}; null for none. Unchanged if not sent.`,
    }),
  );

export const AttributeDefinitionSchema = Type.Object(
  {
    ...TYPE_PROPERTIES,
    read_only: Type.Optional(Type.Boolean({ description: 'Reject records that contain it.' })),
    indexed: Type.Optional(
      Type.Boolean({ description: 'Index it, to list accounts by its value. Unchanged if not sent.' }),
    ),
    owner: Type.Optional(
      // Not a union: the errors for a wrong object would also say that it must be null.
      Type.Unsafe<{ source: string; others?: OwnedFieldMode } | null>({
        ...OwnerSchema,
        type: ['object', 'null'],
        required: ['source'],
        additionalProperties: false,
        description: 'The source that owns it; null for every source. Unchanged if not sent.',
      }),
    ),
    label: presentationText('label', 'The name that people see:'),
    description: presentationText('description', 'What it means:'),
    unit: presentationText('unit', 'Shown after values:'),
    position: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        minimum: 0,
        maximum: MAX_POSITION,
        description: 'The place within the group; null for none. Unchanged if not sent.',
      }),
    ),
    group: presentationText('group', 'The heading under which people see it:'),
  },
  {
    additionalProperties: false,
    examples: [{ type: 'choice', choices: ['gold', 'silver'], indexed: true, label: 'Tier' }],
  },
);

/** Well below the timeouts of clients and proxies, and enough to index a few thousand accounts. */
const BUILD_WAIT_MS = 1_000;

export function putAttribute(app: V2App, parts: V2Parts): void {
  const { store, clock } = parts;
  const options = operation(parts, 'admin', {
    id: 'put-attribute',
    tag: 'Schema',
    summary: 'Declare or change an attribute',
    description:
      'Stored values do not change until a request sends the field again. With `indexed: true` the response is sent ' +
      'when the index is built, or after one second with `index: building`; the build continues, ' +
      '`GET /attributes` shows its progress and then `ready`, and `indexed: false` cancels it. `type`, ' +
      '`choices` and `read_only` of a built-in attribute cannot change. More than 1,000 attributes are rejected with ' +
      '409 and the code `too_many_attributes`.',
    schema: { params: AttributeNameParams, body: AttributeDefinitionSchema },
    responses: {
      200: { description: 'Changed.', schema: AttributeSchema },
      201: { description: 'Declared.', schema: AttributeSchema },
    },
    errorStatuses: [409],
  });
  app.put('/attributes/:name', options, async (request, reply) => {
    const { tenant } = principalOf(request);
    const { name } = request.params;
    const definition = readDefinition(name, request.body);
    const isNew = !(await attributesOf(store, tenant.id)).has(name);
    await store.directory.attributes.set(tenant.id, definition, actorOf(request, clock()));
    if (definition.indexed === true) await atMost(BUILD_WAIT_MS, store.indexBuilds.build(tenant.id, name));
    const stored = (await attributesOf(store, tenant.id)).get(name);
    if (stored === undefined) throw httpError('not_found', `attribute ${name} any more`);
    const accounts = await store.statistics.holders(tenant.id, name);
    const total = await store.statistics.stored(tenant.id);
    return reply.code(isNew ? 201 : 200).send(attributeBody(stored, { accounts, total }));
  });
}

/** Resolves with the work, or after `ms` while the work continues. */
async function atMost(ms: number, work: Promise<void>): Promise<void> {
  const isDone = new AbortController();
  const timer = setTimeout(ms, undefined, { signal: isDone.signal }).catch(() => {});
  await Promise.race([work, timer]).finally(() => isDone.abort());
}

/** Rejects definitions that are not valid, with all their problems. */
export function readDefinition(
  name: string,
  body: Static<typeof AttributeDefinitionSchema>,
): AttributeDefinition {
  const { type, choices = [], read_only: readOnly = false, indexed, owner, ...presentation } = body;
  const problems: PointedProblem[] = [];
  const report = (pointer: string, detail: string | undefined) => {
    if (detail !== undefined) problems.push({ pointer, detail });
  };
  const known = builtIn(name);
  if (known === undefined) {
    report('/path/name', attributeNameProblem(name));
  } else {
    report('/body/type', type === known.type ? undefined : `must stay ${known.type}: ${name} is built in`);
    report('/body/read_only', readOnly ? `must stay false: ${name} is built in` : undefined);
    report(
      '/body/indexed',
      indexed && isOwnableField(name) ? `must stay false: ${name} has its own index` : undefined,
    );
  }
  report('/body/choices', choicesProblem(type, choices));
  for (const [part, value] of Object.entries(presentation)) {
    if (value === null) continue;
    if (isOwnableField(name)) report(`/body/${part}`, `must stay null: ${name} is not an attribute`);
    else if (typeof value === 'string') report(`/body/${part}`, textProblem(part as PresentationText, value));
  }
  if (problems.length > 0) throw invalidRequest(problems);
  return {
    name,
    type,
    choices: [...new Set(choices)],
    readOnly,
    indexed,
    owner: owner && { others: 'reject', ...owner },
    presentation,
  };
}
