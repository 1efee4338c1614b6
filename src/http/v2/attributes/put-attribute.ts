import { setTimeout } from 'node:timers/promises';
import Type, { type Static } from 'typebox';
import { TYPE_NAMES } from '../../../domain/attribute-types.js';
import { attributeNameProblem, BUILT_IN_ATTRIBUTES, choicesProblem } from '../../../domain/tenant.js';
import type { AttributeDefinition } from '../../../store/tenants/attributes.js';
import { principalOf } from '../../auth/authenticate.js';
import { httpError, invalidRequest, type PointedProblem } from '../../errors.js';
import { actorOf, operation, type V2App, type V2Parts } from '../operation.js';
import { AttributeNameParams, AttributeSchema, attributeBody, attributesOf } from './attribute-body.js';

/** What values of an attribute have to fit. */
export const TYPE_PROPERTIES = {
  type: Type.Enum([...TYPE_NAMES]),
  choices: Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), { maxItems: 1000, description: 'of a `choice`' }),
  ),
};

const Body = Type.Object(
  {
    ...TYPE_PROPERTIES,
    read_only: Type.Optional(Type.Boolean({ description: 'refuse requests that send it' })),
    indexed: Type.Optional(
      Type.Boolean({ description: 'let accounts be listed by its value; left as it is where not sent' }),
    ),
  },
  {
    additionalProperties: false,
    examples: [{ type: 'choice', choices: ['gold', 'silver'], indexed: true }],
  },
);

/** Well below the time after which clients and proxies give a request up; enough for a few thousand accounts. */
const BUILD_WAIT_MS = 1_000;

export function putAttribute(app: V2App, parts: V2Parts): void {
  const { store, clock } = parts;
  const options = operation(parts, 'admin', {
    id: 'put-attribute',
    tag: 'Schema',
    summary: 'Declare an attribute, or change it',
    description:
      'Stored values stay as they are until a request sends the field again. The answer to a request that makes it ' +
      'indexed comes when the index is built, or after a second with `index` as `building`; the build goes on, and ' +
      'once it is complete `GET /attributes` has `ready`. Of a built-in attribute only `indexed` can be changed. ' +
      'Declaring more than 1,000 gets 409 with the code `too_many_attributes`.',
    schema: { params: AttributeNameParams, body: Body },
    answers: {
      200: { description: 'Changed', schema: AttributeSchema },
      201: { description: 'Declared', schema: AttributeSchema },
    },
    refusals: [409],
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
    return reply.code(isNew ? 201 : 200).send(attributeBody(stored, accounts));
  });
}

/** Resolves after so long though the work goes on. */
async function atMost(ms: number, work: Promise<void>): Promise<void> {
  const isDone = new AbortController();
  const timer = setTimeout(ms, undefined, { signal: isDone.signal }).catch(() => {});
  await Promise.race([work, timer]).finally(() => isDone.abort());
}

/** Refuses what cannot be declared so. */
export function readDefinition(name: string, body: Static<typeof Body>): AttributeDefinition {
  const { type, choices = [], read_only: readOnly = false, indexed } = body;
  const problems: PointedProblem[] = [];
  const note = (pointer: string, detail: string | undefined) => {
    if (detail !== undefined) problems.push({ pointer, detail });
  };
  const builtIn = BUILT_IN_ATTRIBUTES.find((attribute) => attribute.name === name);
  if (builtIn === undefined) {
    note('/path/name', attributeNameProblem(name));
  } else {
    note('/body/type', type === builtIn.type ? undefined : `must stay ${builtIn.type}: ${name} is built in`);
    note('/body/read_only', readOnly ? `must stay false: ${name} is built in` : undefined);
  }
  note('/body/choices', choicesProblem(type, choices));
  if (problems.length > 0) throw invalidRequest(problems);
  return { name, type, choices: [...new Set(choices)], readOnly, indexed };
}
