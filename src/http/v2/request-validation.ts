import { Ajv, type ValidateFunction } from 'ajv';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readDateTime } from '../../domain/calendar.js';
import { isJsonObject } from '../../domain/json.js';
import { invalidRequest, type PointedProblem } from '../errors.js';

/** Says everything that is wrong, and changes nothing. Moments are read by the operations themselves. */
const options = { allErrors: true, strict: false, formats: { 'date-time': true } } as const;

/**
 * A URL knows only text, so numbers and booleans are read from it, and lists from what comes once; what a body holds is taken as it is.
 * A schema is compiled with the first request that needs it: all of them at the start would take a sixth of its time.
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

/** PostgreSQL takes no text with a NUL, not even to look for it: what no stored text can hold is the caller's mistake. */
export function rejectNul(app: FastifyInstance): void {
  app.addHook('preValidation', (request, _reply, done) => {
    const problems = nulsIn(request);
    done(problems.length === 0 ? undefined : invalidRequest(problems));
  });
}

function nulsIn({ params, query, body }: FastifyRequest): PointedProblem[] {
  return Object.entries({ path: params, query, body }).flatMap(([place, values]) =>
    Object.entries(isJsonObject(values) ? values : {})
      .filter(([, value]) => [value].flat().some((text) => typeof text === 'string' && text.includes('\0')))
      .map(([name]) => ({ pointer: `/${place}/${name}`, detail: 'may not contain NUL' })),
  );
}

/** A moment of a query or body; `undefined` where none was sent. */
export function readMoment(text: string | undefined, pointer: string): number | undefined {
  if (text === undefined) return undefined;
  const moment = readDateTime(text);
  if (moment !== undefined) return Date.parse(moment);
  throw invalidRequest([{ pointer, detail: 'must be a moment such as 2027-01-31T12:00:00Z' }]);
}
