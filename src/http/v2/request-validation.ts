import { Ajv, type ValidateFunction } from 'ajv';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readDateTime } from '../../domain/calendar.js';
import { isJsonObject } from '../../domain/json.js';
import { invalidRequest, type PointedProblem } from '../errors.js';

/** Reports all problems of a request, and changes no values. Operations parse timestamps themselves. */
const options = { allErrors: true, strict: false, formats: { 'date-time': true } } as const;

/**
 * Types are coerced in URLs, which contain only text: numbers, booleans, and lists of one value. Bodies are not
 * coerced. A schema is compiled at the first request that needs it: compiling all of them would take a sixth of the
 * startup time.
 */
export function useValidators(app: FastifyInstance): void {
  const asSent = new Ajv(options);
  const fromText = new Ajv({ ...options, coerceTypes: 'array' });
  app.setValidatorCompiler(({ schema, httpPart }) => {
    const ajv = httpPart === 'body' ? asSent : fromText;
    let validate: ValidateFunction | undefined;
    return (data: unknown) => {
      validate ??= ajv.compile(schema as object);
      return validate(data) || { error: validate.errors ?? [] };
    };
  });
}

/** PostgreSQL fails on text with NUL, even in a search, so such a request is rejected with 400 instead of a 500. */
export function rejectNul(app: FastifyInstance): void {
  app.addHook('preValidation', (request, _reply, done) => {
    const problems = nulsIn(request);
    done(problems.length === 0 ? undefined : invalidRequest(problems));
  });
}

function nulsIn({ params, query, body }: FastifyRequest): PointedProblem[] {
  return Object.entries({ path: params, query, body }).flatMap(([part, values]) =>
    nulsAmong(isJsonObject(values) ? values : {}, `/${part}`),
  );
}

/** Those of the values that contain NUL, which are at `pointer`. */
export function nulsAmong(values: object, pointer: string): PointedProblem[] {
  return Object.entries(values)
    .filter(([, value]) => [value].flat().some((text) => typeof text === 'string' && text.includes('\0')))
    .map(([name]) => ({ pointer: `${pointer}/${name}`, detail: 'may not contain NUL' }));
}

/** A timestamp of a query or body; `undefined` if none was sent. */
export function readTimestamp(text: string | undefined, pointer: string): number | undefined {
  if (text === undefined) return undefined;
  const canonical = readDateTime(text);
  if (canonical !== undefined) return Date.parse(canonical);
  throw invalidRequest([{ pointer, detail: 'must be a timestamp such as 2027-01-31T12:00:00Z' }]);
}
