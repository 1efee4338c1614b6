import { STATUS_CODES } from 'node:http';
import type { TSchema } from 'typebox';
import { requiredScopes } from '../auth/access.js';
import {
  type Content,
  type Description,
  type Media,
  RATE_LIMIT,
  REQUEST_ID,
  type ResponseDescription,
} from './description.js';

/** Converts a description to the form that @fastify/swagger reads; adds the schemas that it refers to to `schemas`. */
export function describeRoute(description: Description, schemas: Schemas) {
  const { id, tag, access, summary, deprecated, body, responses } = description;
  const { params, querystring, headers } = description;
  const note = scopeNote(access);
  const statuses = Object.keys(responses).map(Number);
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
      Object.entries(responses).map(([status, response]) => [
        status,
        describeResponse(response, Number(status), access !== undefined, schemas),
      ]),
    ),
  };
}

function scopeNote(access: Description['access']): string | undefined {
  if (access === undefined) return undefined;
  const scopes = requiredScopes(access);
  if (scopes.length === 0) return 'Scope: `any`.';
  return `${scopes.length === 1 ? 'Scope' : 'Scopes'}: ${scopes.map((scope) => `\`${scope}\``).join(' and ')}.`;
}

function securityOf({ access, credentials = ['key'] }: Description) {
  if (access === undefined) return [];
  const scopes = requiredScopes(access);
  return credentials.map((one) => (one === 'key' ? { key: scopes } : { session: scopes, console: scopes }));
}

function describeResponse(
  response: ResponseDescription,
  status: number,
  needsKey: boolean,
  schemas: Schemas,
) {
  const { description, schema } = response;
  const content = response.content ?? (schema && { 'application/json': { schema } });
  const isLimited = needsKey && (status < 300 || status === 429);
  const headers = { 'X-Request-Id': REQUEST_ID, ...(isLimited && RATE_LIMIT), ...response.headers };
  // For @fastify/swagger the type null means that there is no body.
  if (content === undefined) return { description, headers, type: 'null' };
  const media = mapValues(content, (one) => {
    const examples = examplesOf(one, nameOf(status));
    return { schema: withReferences(withoutExamples(one.schema), schemas), ...(examples && { examples }) };
  });
  return { description, headers, content: media };
}

/** In bodies @fastify/swagger reads examples only from within the schema. */
function describeBody(content: Content, name: string, schemas: Schemas) {
  return mapValues(content, (one) => {
    const examples = examplesOf(one, name);
    const schema = withReferences(withoutExamples(one.schema), schemas) as object;
    return { schema: { ...schema, ...(examples && { 'x-examples': examples }) } };
  });
}

function examplesOf({ schema, examples }: Media, name: string): Media['examples'] {
  if (examples !== undefined) return examples;
  const value = exampleOf(schema);
  return value === undefined ? undefined : { [name]: { value } };
}

/** Examples of an inline schema are written beside it; a schema with a title keeps its own. */
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

interface Parameter {
  readonly description?: string;
  readonly examples?: readonly unknown[];
}

/** The docs page sends every example value, so examples of optional parameters move into their description. */
function describeParameters(schema: TSchema) {
  const { properties, required = [] } = withReferences(schema, {}) as {
    properties: Record<string, Parameter>;
    required?: string[];
  };
  const described = Object.entries(properties).map(([name, parameter]) => {
    const { examples, description, ...others } = parameter;
    if (examples === undefined || required.includes(name)) return [name, parameter];
    return [name, { ...others, description: `${description} Example: \`${examples[0]}\`.` }];
  });
  return { type: 'object', required, properties: Object.fromEntries(described) };
}

interface Form {
  readonly type?: string;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly TSchema[];
  readonly items?: TSchema;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
}

/** The example of a schema, or one composed of the examples within it. */
function exampleOf(schema: TSchema): unknown {
  const form = schema as Form;
  const own = form.examples?.[0] ?? form.default ?? form.enum?.[0];
  if (own !== undefined) return own;
  if (form.type === 'null') return null;
  if (form.anyOf !== undefined) return form.anyOf.map(exampleOf).find((example) => example !== undefined);
  if (form.items !== undefined) return [exampleOf(form.items)].filter((example) => example !== undefined);
  const { properties, required = [] } = form;
  if (properties === undefined) return undefined;
  const entries = required.map((name) => [name, exampleOf(properties[name] as TSchema)] as const);
  return entries.some(([, example]) => example === undefined) ? undefined : Object.fromEntries(entries);
}

/** Schemas by title. */
export type Schemas = Record<string, unknown>;

/** Keywords whose values are data, which may have the form of schemas. */
const DATA = ['examples', 'enum', 'default', 'const', 'required'];

/** A copy in which every schema with a title becomes a reference; the schemas themselves are added to `schemas`. */
function withReferences(schema: unknown, schemas: Schemas): unknown {
  if (Array.isArray(schema)) return schema.map((one) => withReferences(one, schemas));
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    // Equivalent, since the pattern matches every name, and supported by more tools.
    if (key === 'patternProperties')
      copy.additionalProperties = withReferences(Object.values(value)[0], schemas);
    else copy[key] = DATA.includes(key) ? value : withReferences(value, schemas);
  }
  // Client generators need an explicit type.
  if (Array.isArray(copy.enum)) copy.type ??= typeof copy.enum[0];
  if (typeof copy.title !== 'string') return copy;
  schemas[copy.title] ??= copy;
  return { $ref: `#/components/schemas/${copy.title}` };
}
