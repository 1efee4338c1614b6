import { STATUS_CODES } from 'node:http';
import type { FastifyError, FastifyReply } from 'fastify';
import type { HttpError, PointedProblem } from '../errors.js';

const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** The name of each status, used as the last part of a problem's `type`. */
export const PROBLEM_NAMES: Readonly<Record<number, string>> = {
  400: 'invalid-request',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not-found',
  405: 'method-not-allowed',
  408: 'too-slow',
  409: 'conflict',
  412: 'changed',
  413: 'too-large',
  415: 'unsupported-media-type',
  428: 'revision-required',
  429: 'rate-limited',
  431: 'headers-too-large',
  500: 'internal-error',
  503: 'overloaded',
};

/** Problem details of RFC 9457, with all problems of the request in `errors`. */
export function problemBody({ status, message, problems, code }: HttpError, requestId: string) {
  return {
    type: `urn:problem:account-sync:${PROBLEM_NAMES[status] ?? 'refused'}`,
    title: STATUS_CODES[status],
    status,
    detail: message,
    code,
    request_id: requestId,
    errors: problems,
  };
}

export function sendProblem(reply: FastifyReply, error: HttpError): FastifyReply {
  return reply.type(PROBLEM_TYPE).send(JSON.stringify(problemBody(error, reply.request.id)));
}

/** Where a JSON pointer starts for each part of a request that Fastify validates. */
const POINTER_ROOTS: Readonly<Record<string, string>> = {
  params: '/path',
  querystring: '/query',
  body: '/body',
  headers: '/headers',
};

export function validationProblems({ validation = [], validationContext }: FastifyError): PointedProblem[] {
  const root = POINTER_ROOTS[validationContext ?? ''] ?? '';
  return validation.map(({ keyword, instancePath, params, message }) => {
    const { missingProperty, additionalProperty, allowedValues, type } = params;
    const name = missingProperty ?? additionalProperty;
    const pointer = `${root}${instancePath}${name === undefined ? '' : `/${escapePointer(String(name))}`}`;
    if (keyword === 'required') return { pointer, detail: 'is missing' };
    if (keyword === 'additionalProperties') return { pointer, detail: 'is not known here' };
    if (Array.isArray(allowedValues))
      return { pointer, detail: `must be one of ${allowedValues.join(', ')}` };
    if (Array.isArray(type)) return { pointer, detail: `must be ${type.join(' or ')}` };
    return { pointer, detail: message ?? 'is not valid' };
  });
}

export function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
