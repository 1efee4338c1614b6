import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isJsonObject } from '../../domain/json.js';
import { type PointedProblem, refusals } from '../refusal.js';

/** PostgreSQL takes no text with a NUL, not even to look for it: what no stored text can hold is the caller's mistake. */
export function refuseNul(app: FastifyInstance): void {
  app.addHook('preValidation', (request, _reply, done) => {
    const problems = nulsIn(request);
    done(problems.length === 0 ? undefined : refusals.invalid(problems));
  });
}

function nulsIn({ params, query, body }: FastifyRequest): PointedProblem[] {
  return Object.entries({ path: params, query, body }).flatMap(([place, values]) =>
    Object.entries(isJsonObject(values) ? values : {})
      .filter(([, value]) => [value].flat().some((text) => typeof text === 'string' && text.includes('\0')))
      .map(([name]) => ({ pointer: `/${place}/${name}`, detail: 'may not contain NUL' })),
  );
}
