import { BROKEN, NEEDS_KEY } from '../error-replies.js';
import type { Answers, Example } from '../openapi/description.js';
import { RETRY_AFTER, WWW_AUTHENTICATE } from '../openapi/headers.js';
import { PROBLEM_NAMES, problemBody } from '../problem-details.js';
import { Refusal, refusals } from '../refusal.js';
import { ProblemSchema } from './schemas.js';

/** What each status means to a caller, and a refusal that has it. */
const REFUSED: Readonly<Record<number, readonly [meaning: string, example: Refusal]>> = {
  400: [
    'The request is not valid; `errors` points at everything that is wrong.',
    refusals.invalid([{ pointer: '/query/limit', detail: 'must be <= 1000' }]),
  ],
  401: ['No key was sent, or none that is live and of this host.', new Refusal(401, NEEDS_KEY)],
  403: ['The key lacks the scope.', refusals.noScope('admin')],
  404: ['There is no such thing.', refusals.noSuch('account acme')],
  409: [
    'The state of things does not allow it.',
    refusals.conflict('ops is the last key with the scope admin. Make another first.'),
  ],
  413: ['The body is larger than the operator allows.', refusals.tooManyBytes(10_485_760)],
  415: ['The body is of a type or an encoding that is not read.', refusals.notJson()],
  429: [
    'Too many at once; `Retry-After` says when to come back.',
    new Refusal(429, 'Too many requests. Send this one again in 42 seconds.'),
  ],
  500: ['Something failed on our side. Repeat it later.', new Refusal(500, BROKEN)],
  503: ['Too much is under way. Nothing was stored; repeat it after `Retry-After`.', refusals.overloaded()],
};

const HEADERS: Readonly<Record<number, Answers[number]['headers']>> = {
  401: { 'WWW-Authenticate': WWW_AUTHENTICATE },
  429: { 'Retry-After': RETRY_AFTER },
  503: { 'Retry-After': RETRY_AFTER },
};

/** For the document, where each is written down once. */
export const PROBLEM_EXAMPLES: Readonly<Record<string, Example>> = Object.fromEntries(
  Object.entries(REFUSED).map(([status, [summary, refusal]]) => [
    PROBLEM_NAMES[Number(status)],
    { summary, value: problemBody(refusal, 'job-7:1') },
  ]),
);

export function problemAnswers(statuses: readonly number[]): Answers {
  return Object.fromEntries(
    statuses.map((status) => {
      const name = PROBLEM_NAMES[status] as string;
      const examples = { [name]: { $ref: `#/components/examples/${name}` } };
      const content = { 'application/problem+json': { schema: ProblemSchema, examples } };
      const headers = HEADERS[status] ?? {};
      return [status, { description: REFUSED[status]?.[0] ?? name, content, headers }];
    }),
  );
}
