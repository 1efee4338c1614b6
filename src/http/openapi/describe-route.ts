import { STATUS_CODES } from 'node:http';
import type { Answer, Content, Description } from './description.js';
import { exampleOf } from './example-of.js';
import { RATE_LIMIT, REQUEST_ID } from './headers.js';

type Json = Readonly<Record<string, unknown>>;

/** A description in the form that @fastify/swagger reads; adds to `schemas` what it refers to. */
export function describeRoute(description: Description, schemas: Record<string, unknown>) {
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
    security: scope === undefined ? [] : [{ key: [scope] }],
    ...(params && { params }),
    ...(querystring && { querystring }),
    ...(headers && { headers }),
    ...(body && { body: { content: bodyContent(body, nameOf(good), schemas) } }),
    response: Object.fromEntries(
      statuses.map((status) => [
        status,
        response(answers[status] as Answer, status, scope !== undefined, schemas),
      ]),
    ),
  };
}

function response(answer: Answer, status: number, needsKey: boolean, schemas: Record<string, unknown>) {
  const { description, schema } = answer;
  const content = answer.content ?? (schema && { 'application/json': { schema } });
  const isLimited = needsKey && (status < 300 || status === 429);
  const headers = { 'X-Request-Id': REQUEST_ID, ...(isLimited && RATE_LIMIT), ...answer.headers };
  // A type of null is how that library is told that there is no body.
  if (content === undefined) return { description, headers, type: 'null' };
  const media = mapValues(content, (one) => ({
    schema: referred(one.schema, schemas),
    ...withExamples(one, nameOf(status)),
  }));
  return { description, headers, content: media };
}

/** In bodies that library takes examples only from within the schema. */
function bodyContent(body: Content, name: string, schemas: Record<string, unknown>) {
  return mapValues(body, (one) => {
    const { examples } = withExamples(one, name);
    return {
      schema: { ...(referred(one.schema, schemas) as Json), ...(examples && { 'x-examples': examples }) },
    };
  });
}

function withExamples({ schema, examples }: Content[string], name: string) {
  if (examples !== undefined) return { examples };
  const value = exampleOf(schema);
  return value === undefined ? {} : { examples: { [name]: { value } } };
}

function nameOf(status: number): string {
  return (STATUS_CODES[status] ?? '').toLowerCase().replaceAll(' ', '-');
}

/** Values, which may look like schemas. */
const DATA = ['examples', 'enum', 'default', 'const'];

/** Schemas that have a title are described once, under it. */
function referred(schema: unknown, schemas: Record<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((one) => referred(one, schemas));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { title } = schema as Json;
  const copy = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      // The same here, and known to more tools: the pattern is that of any name.
      if (key === 'patternProperties')
        return ['additionalProperties', referred(Object.values(value)[0], schemas)];
      return [key, DATA.includes(key) ? value : referred(value, schemas)];
    }),
  );
  if (typeof title !== 'string') return copy;
  schemas[title] ??= copy;
  return { $ref: `#/components/schemas/${title}` };
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
