import { Ajv, type ValidateFunction } from 'ajv';
import type { FastifyInstance } from 'fastify';

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
