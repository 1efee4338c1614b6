/** One thing that is wrong with a request; `pointer` leads into `{ path, query, headers, body }`. */
export interface PointedProblem {
  readonly pointer: string;
  readonly detail: string;
}

/** A request that is answered with an error; `error-replies.ts` gives it the shape of its interface. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
    readonly problems: readonly PointedProblem[] = [],
    /** Stable, in snake case, for programs; never renamed or used for anything else. */
    readonly code?: string,
  ) {
    super(message);
  }
}

/** Has a body of its own in the contract. */
export class Unauthenticated extends Error {}

export const refusals = {
  noHost: () => new Refusal(400, 'The Host header is missing.'),
  badVersion: () => new Refusal(400, 'The version of HTTP must be 1.1 or 1.0.'),
  badHost: () => new Refusal(400, 'The Host header is not valid, or sent more than once.'),
  badTransferEncoding: () =>
    new Refusal(400, 'The only Transfer-Encoding that is understood is chunked, in HTTP/1.1.'),
  tooManyHeaders: (limit: number) => new Refusal(431, `A request may not have more than ${limit} headers.`),
  badPath: () => new Refusal(400, 'The path is not a valid URL.'),
  noScope: (scope: string) => new Refusal(403, `This key lacks the scope ${scope}.`),
  notFound: () => new Refusal(404, 'There is nothing at this path.'),
  wrongMethod: (methods: readonly string[]) =>
    new Refusal(405, `This path accepts ${methods.join(' and ')} only.`, { allow: methods.join(', ') }),
  tooManyBytes: (limit: number) => new Refusal(413, `The body may not be larger than ${limit} bytes.`),
  tooManyRecords: (limit: number) => new Refusal(413, `A batch may not hold more than ${limit} records.`),
  tooManyProblems: () =>
    new Refusal(413, 'The batch has more problems than can be listed: send fewer records at a time.'),
  tooLargeRecord: (limit: number) => new Refusal(413, `A record may not be larger than ${limit} bytes.`),
  notJson: () => new Refusal(415, 'The Content-Type must be application/json.'),
  noRecords: () =>
    new Refusal(415, 'The Content-Type must be application/x-ndjson, or application/json for an array.'),
  encoded: (encoding: string) =>
    new Refusal(415, `The Content-Encoding ${encoding} is not supported: send the body uncompressed.`),
  tooManyRequests: (seconds: number) =>
    new Refusal(429, `Too many requests. Send this one again in ${seconds} seconds.`, {
      'retry-after': String(seconds),
    }),
  tooManySignIns: (seconds: number) =>
    new Refusal(429, `Too many sign-ins have failed at this address. Try again in ${seconds} seconds.`, {
      'retry-after': String(seconds),
    }),
  tooManyImports: (limit: number) =>
    new Refusal(429, `${limit} imports of this tenant are under way: wait until one has ended.`, {
      'retry-after': '10',
    }),
  noArray: () =>
    new Refusal(400, 'The body must be a JSON array, or have the Content-Type application/x-ndjson.'),
  keyEnded: () => new Refusal(401, 'The key is not live any more.'),
  brokeOff: () => new Refusal(400, 'The request broke off.'),
  badBody: (message: string) => new Refusal(400, message),
  invalid: (problems: readonly PointedProblem[]) =>
    new Refusal(400, 'The request is not valid.', {}, problems),
  noSuch: (what: string) => new Refusal(404, `There is no ${what}.`),
  conflict: (message: string, code?: string) => new Refusal(409, message, {}, [], code),
  stopping: () => new Refusal(503, 'The service is stopping. Send this record and those behind it again.'),
  tooManyBodies: () =>
    new Refusal(503, 'Too many large bodies are arriving. Send the request again in a moment.', {
      'retry-after': '1',
    }),
  tooManyReads: () =>
    new Refusal(503, 'Too many reads are waiting. Send the request again in a moment.', {
      'retry-after': '1',
    }),
  overloaded: () =>
    new Refusal(503, 'Too many writes are waiting. Send the request again in a moment.', {
      'retry-after': '1',
    }),
} as const;
