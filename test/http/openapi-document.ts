import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { expect } from 'vitest';

interface Example {
  readonly value?: unknown;
  readonly $ref?: string;
}

interface Media {
  readonly examples?: Readonly<Record<string, Example>>;
}

interface Answer {
  readonly description: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, Media>>;
}

export interface Operation {
  readonly operationId: string;
  /** One of them is enough. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly {
    readonly in: 'path' | 'query' | 'header';
    readonly name: string;
    readonly description: string;
    readonly example?: unknown;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Answer>>;
}

interface Json {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly examples: Readonly<Record<string, Example>> };
}

export type Method = NonNullable<InjectOptions['method']> & string;

/** A response of any HTTP client. */
export interface Answered {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** An operation with its method and path. */
export interface Described {
  readonly name: string;
  readonly method: Method;
  readonly path: string;
  readonly operation: Operation;
}

/** Headers that only some responses have. */
const OPTIONAL_HEADERS = /^(RateLimit|Account-Sync-Kept$)/;

/** The OpenAPI document of a server, and checks of bodies and responses against it. */
export class OpenapiDocument {
  readonly operations: readonly Described[];
  readonly #ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/ },
  });

  readonly #validators = new Map<string, ValidateFunction>();

  private constructor(readonly json: Json) {
    this.operations = Object.entries(json.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([lower, operation]) => {
        const method = lower.toUpperCase() as Method;
        return { name: operation.operationId, method, path, operation };
      }),
    );
    this.#ajv.addSchema(closed(json) as object, 'document');
  }

  static async of(app: FastifyInstance): Promise<OpenapiDocument> {
    return new OpenapiDocument((await app.inject('/openapi.json')).json());
  }

  /** The document of a server in another process. */
  static async at(url: string): Promise<OpenapiDocument> {
    return new OpenapiDocument((await (await fetch(`${url}/openapi.json`)).json()) as Json);
  }

  /** The value of an example, inline or referenced. */
  valueOf({ value, $ref = '' }: Example): unknown {
    const [, name] = /^#\/components\/examples\/(.+)$/.exec($ref) ?? [];
    return name === undefined ? value : this.json.components.examples[name]?.value;
  }

  /** The fields of a JSON body, each with possible values as JSON. */
  bodyFields({ operation }: Described): [field: string, values: string[]][] {
    const [{ examples = {} } = {}] = Object.values(operation.requestBody?.content ?? {});
    const values = Object.values(examples).map((example) => this.valueOf(example));
    const fields = new Map<string, string[]>();
    for (const [field, value] of values.flatMap((one) => Object.entries(one as object))) {
      fields.set(field, [...(fields.get(field) ?? []), JSON.stringify(value)]);
    }
    return [...fields];
  }

  /** Validation problems of a value, by the schema at a pointer in the document. */
  problems(place: readonly string[], value: unknown): unknown {
    const pointer = place.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')));
    // Followed here, so that a schema to which many responses refer is compiled once.
    const schema = place.reduce<unknown>((node, part) => (node as Record<string, unknown>)[part], this.json);
    const $ref = `document${(schema as { $ref?: string }).$ref ?? `#/${pointer.join('/')}`}`;
    const validate = this.#validators.get($ref) ?? this.#ajv.compile({ $ref });
    this.#validators.set($ref, validate);
    return validate(value) ? [] : validate.errors;
  }

  /** Problems of the body of a response, or of a request if there is no status. */
  bodyProblems(
    { path, method }: Described,
    status: string | undefined,
    type: string,
    value: unknown,
  ): unknown {
    const side = status === undefined ? ['requestBody'] : ['responses', status];
    return this.problems(['paths', path, method.toLowerCase(), ...side, 'content', type, 'schema'], value);
  }

  /** Asserts that the status, headers, media type and body of a response are as described. */
  expectDescribed(described: Described, answer: Answered): void {
    const status = String(answer.statusCode);
    const about = `${described.name} ${status} ${answer.body}`;
    const { headers, content } = described.operation.responses[status] ?? {};
    expect(headers, about).toBeDefined();
    for (const name of Object.keys(headers ?? {})) {
      if (!OPTIONAL_HEADERS.test(name)) expect(answer.headers, about).toHaveProperty(name.toLowerCase());
    }
    if (content === undefined) {
      expect(answer.body, about).toBe('');
      return;
    }
    const [type = ''] = String(answer.headers['content-type']).split(';');
    expect(Object.keys(content), about).toContain(type);
    const body = /[/+]json$/.test(type) ? JSON.parse(answer.body) : answer.body;
    expect(this.bodyProblems(described, status, type, body), about).toEqual([]);
  }
}

const ORDER: readonly Method[] = ['PUT', 'POST', 'GET', 'HEAD', 'PATCH', 'DELETE'];

/** Creates objects before they are read, and deletes them last, what is within others first. */
export function inUsefulOrder(operations: readonly Described[]): Described[] {
  const depth = ({ method, path }: Described) => (method === 'DELETE' ? path.split('/').length : 0);
  return [...operations].sort(
    (one, other) => ORDER.indexOf(one.method) - ORDER.indexOf(other.method) || depth(other) - depth(one),
  );
}

/** A copy of the schema that forbids undescribed fields. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, closed(inner)]));
  return copy.type === 'object' && 'properties' in copy ? { additionalProperties: false, ...copy } : copy;
}
