import { STATUS_CODES } from 'node:http';
import type { TSchema } from 'typebox';
import { describeParameters } from './describe-parameters.js';
import type { Answer, Content, Description, Media } from './description.js';
import { exampleOf } from './example-of.js';
import { RATE_LIMIT, REQUEST_ID } from './headers.js';
import { refer, type Schemas } from './refer.js';

/** A description in the form that @fastify/swagger reads; adds to `schemas` what it refers to. */
export function describeRoute(description: Description, schemas: Schemas) {
  const { id, tag, scope, summary, deprecated, body, answers } = description;
  const { params, querystring, headers } = description;
  const note = scope === undefined ? undefined : `Scope: \`${scope}\`.`;
  const statuses = Object.keys(answers).map(Number);
  const good = Math.max(...statuses.filter((status) => status < 300));
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: [description.description, note].filter(Boolean).join('\n\n'),
    ...(deprecated && { deprecated }),
    security: securityOf(description),
    ...(params && { params: describeParameters(params) }),
    ...(querystring && { querystring: describeParameters(querystring) }),
    ...(headers && { headers: describeParameters(headers) }),
    ...(body && { body: { content: describeBody(body, nameOf(good), schemas) } }),
    response: Object.fromEntries(
      Object.entries(answers).map(([status, answer]) => [
        status,
        describeAnswer(answer, Number(status), scope !== undefined, schemas),
      ]),
    ),
  };
}

function securityOf({ scope, by = ['key'] }: Description) {
  if (scope === undefined) return [];
  const scopes = scope === 'any' ? [] : [scope];
  return by.map((one) => (one === 'key' ? { key: scopes } : { session: scopes, console: scopes }));
}

function describeAnswer(answer: Answer, status: number, needsKey: boolean, schemas: Schemas) {
  const { description, schema } = answer;
  const content = answer.content ?? (schema && { 'application/json': { schema } });
  const isLimited = needsKey && (status < 300 || status === 429);
  const headers = { 'X-Request-Id': REQUEST_ID, ...(isLimited && RATE_LIMIT), ...answer.headers };
  // A type of null is how that library is told that there is no body.
  if (content === undefined) return { description, headers, type: 'null' };
  const media = mapValues(content, (one) => {
    const examples = examplesOf(one, nameOf(status));
    return { schema: refer(withoutExamples(one.schema), schemas), ...(examples && { examples }) };
  });
  return { description, headers, content: media };
}

/** In bodies that library takes examples only from within the schema. */
function describeBody(content: Content, name: string, schemas: Schemas) {
  return mapValues(content, (one) => {
    const examples = examplesOf(one, name);
    const schema = refer(withoutExamples(one.schema), schemas) as object;
    return { schema: { ...schema, ...(examples && { 'x-examples': examples }) } };
  });
}

function examplesOf({ schema, examples }: Media, name: string): Media['examples'] {
  if (examples !== undefined) return examples;
  const value = exampleOf(schema);
  return value === undefined ? undefined : { [name]: { value } };
}

/** They stand beside a schema that stands for itself; one that is referred to keeps them. */
function withoutExamples(schema: TSchema): TSchema {
  const { examples, ...others } = schema as { title?: string; examples?: unknown };
  return others.title === undefined ? others : schema;
}

function nameOf(status: number): string {
  return (STATUS_CODES[status] ?? '').toLowerCase().replaceAll(' ', '-');
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
