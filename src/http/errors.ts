import { INVALID_DATA, NO_DATA } from '../domain/messages.js';
import { FAILED } from '../formats/import-lines.js';
import { JSON_PROBLEMS, type JsonProblem } from '../formats/json-problem.js';
import type { MissingCounts } from '../store/runs/run.js';
import type { RequestProblem } from '../store/write/prepare-request.js';

/**
 * Every error that an HTTP request can be answered with: its code, status and message. Codes are an interface: they are
 * never renamed, and never used for anything else. `docs/errors.md` has a row for each with what to do about it.
 */

interface ErrorKind<Args extends unknown[]> {
  readonly status: number;
  readonly message: (...args: Args) => string;
  /** For the header `Retry-After`, in seconds. */
  readonly retryAfter?: ((...args: Args) => number) | undefined;
}

function kind<Args extends unknown[] = []>(
  status: number,
  message: string | ((...args: Args) => string),
  retryAfter?: number | ((...args: Args) => number),
): ErrorKind<Args> {
  return {
    status,
    message: typeof message === 'string' ? () => message : message,
    retryAfter: typeof retryAfter === 'number' ? () => retryAfter : retryAfter,
  };
}

export const ERRORS = {
  // The head of a request.
  malformed_http: kind(400, 'The request is not valid HTTP.'),
  http_version_unsupported: kind(400, 'The version of HTTP must be 1.1 or 1.0.'),
  host_missing: kind(400, 'The Host header is missing.'),
  host_invalid: kind(400, 'The Host header is not valid, or sent more than once.'),
  path_invalid: kind(400, 'The path is not a valid URL.'),
  transfer_encoding_unsupported: kind(
    400,
    'The only Transfer-Encoding that is understood is chunked, in HTTP/1.1.',
  ),
  connect_unsupported: kind(400, 'This service is no proxy: it takes no CONNECT.'),
  expectation_unsupported: kind(417, 'The only expectation that is met is 100-continue.'),
  too_many_headers: kind(431, (limit: number) => `A request may not have more than ${limit} headers.`),
  headers_too_large: kind(431, 'The headers are too large.'),
  path_not_found: kind(404, 'There is nothing at this path.'),
  method_not_allowed: kind(
    405,
    (methods: readonly string[]) => `This path accepts ${methods.join(' and ')} only.`,
  ),

  // Who sends it.
  unauthenticated: kind(401, 'Send a key that is live: Authorization: Bearer <key>.'),
  key_ended: kind(401, 'The key is not live any more.'),
  scope_missing: kind(403, (scope: string) => `This key lacks the scope ${scope}.`),
  role_missing: kind(
    403,
    (needed: string, own: string) => `This needs the role ${needed}, and yours is ${own}.`,
  ),
  rate_limited: kind(
    429,
    (seconds: number) => `Too many requests. Send this one again in ${seconds} seconds.`,
    (seconds) => seconds,
  ),
  sign_in_failed: kind(401, 'The e-mail address or the password is not right.'),
  sign_in_method_off: kind(
    403,
    (method: string) => `Signing in with a ${method} is switched off on this server.`,
  ),
  no_tenant: kind(
    403,
    'This user belongs to no tenant here. An administrator has to invite the user, or to enable it.',
  ),
  user_throttled: kind(
    429,
    (seconds: number) =>
      `Too many sign-ins with this e-mail address have failed. Try again in ${seconds} seconds.`,
    (seconds) => seconds,
  ),
  sign_in_busy: kind(503, 'Too many people are signing in. Try again in a moment.', 2),
  sign_in_throttled: kind(
    429,
    (seconds: number) => `Too many sign-ins have failed at this address. Try again in ${seconds} seconds.`,
    (seconds) => seconds,
  ),

  // Its body.
  content_type_not_json: kind(415, 'The Content-Type must be application/json.'),
  content_type_not_records: kind(
    415,
    'The Content-Type must be application/x-ndjson, or application/json for an array.',
  ),
  content_encoding_unsupported: kind(
    415,
    (encoding: string) => `The Content-Encoding ${encoding} is not supported: send the body uncompressed.`,
  ),
  body_too_large: kind(413, (limit: number) => `The body may not be larger than ${limit} bytes.`),
  record_too_large: kind(413, JSON_PROBLEMS.record_too_large),
  too_many_records: kind(413, (limit: number) => `A batch may not hold more than ${limit} records.`),
  too_many_messages: kind(
    413,
    'The batch has more problems than can be listed: send fewer records at a time.',
  ),
  body_timeout: kind(408, 'The request took too long to arrive.'),
  request_aborted: kind(400, 'The request broke off.'),
  not_utf8: kind(400, JSON_PROBLEMS.not_utf8),
  invalid_json: kind(400, JSON_PROBLEMS.invalid_json),
  forbidden_key: kind(400, JSON_PROBLEMS.forbidden_key),
  nested_too_deep: kind(400, JSON_PROBLEMS.nested_too_deep),
  too_many_keys: kind(400, JSON_PROBLEMS.too_many_keys),
  too_many_containers: kind(400, JSON_PROBLEMS.too_many_containers),
  too_many_values: kind(400, JSON_PROBLEMS.too_many_values),
  not_an_array: kind(400, 'The body must be a JSON array, or have the Content-Type application/x-ndjson.'),
  malformed_array: kind(400, JSON_PROBLEMS.malformed_array),
  no_data: kind(400, NO_DATA),
  invalid_data: kind(400, INVALID_DATA),

  // What it asks for.
  invalid_request: kind(400, 'The request is not valid.'),
  /** An error of the framework that is the caller's fault and has no code of its own here. */
  bad_request: kind(400, (message: string) => message),
  not_found: kind(404, (what: string) => `There is no ${what}.`),
  revision_required: kind(
    428,
    'Say which revision you change: send the ETag of the account as If-Match, or * for any revision.',
  ),
  revision_changed: kind(
    412,
    (id: string, sent: number, now: number) =>
      `Account ${id} has changed since: you have revision ${sent}, and it is at ${now}. Read it again.`,
  ),
  too_many_matching: kind(
    409,
    (limit: number) =>
      `More accounts match than the ${limit} that the request allows. It has stopped there: look again at which match.`,
  ),
  run_not_found: kind(404, (id: string) => `There is no run ${id}.`),
  run_of_other_source: kind(
    409,
    (id: number, source: string, own: string) =>
      `Run ${id} belongs to the source ${source}, and this key to ${own}. Open a run with this key.`,
  ),
  run_ended: kind(409, (id: number) => `Run ${id} has ended. Open a new one.`),
  missing_not_asked: kind(
    409,
    (id: number) =>
      `Run ${id} does not ask for missing accounts: open a run with {"missing":"report"} or {"missing":"archive"}.`,
  ),
  tracking_ended: kind(
    409,
    (id: number, source: string) =>
      `Source ${source} was not tracked all the time since run ${id} was opened, so it is not known what is missing. ` +
      'End the run with {"abandon":true}, and open another.',
  ),
  too_many_missing: kind(
    409,
    (id: number, source: string, { accounts, of }: MissingCounts, allowed: number) =>
      `${accounts} of the ${of} accounts that source ${source} has pushed ${accounts === 1 ? 'is' : 'are'} missing from ` +
      `run ${id}, more than ` +
      `${allowed} %. None is archived, and the run is still open. If they are gone, finish it with ` +
      `{"max_missing_percent":${Math.ceil((100 * accounts) / of)}}; if not, end it with {"abandon":true}.`,
  ),
  run_open: kind(
    409,
    (id: number) => `Run ${id} has not ended. Finish it first: POST /api/v2/runs/${id}/finish.`,
  ),
  run_is_undo: kind(
    409,
    (id: number) =>
      `Run ${id} is an undo. It takes no requests, and ends by itself or with {"abandon":true}.`,
  ),
  request_not_found: kind(
    404,
    (id: number, request: string) => `Run ${id} has no changes of the request ${request}.`,
  ),
  undo_of_other_source: kind(
    403,
    (id: number, source: string, own: string) =>
      `Run ${id} belongs to the source ${source}, and this key to ${own}. Undo it with a key of ${source}, or with ` +
      'one that has the scope admin.',
  ),
  undo_unfinished: kind(
    409,
    (id: number, undo: number) =>
      `Run ${id} is being undone by run ${undo}, with other options. Undo it with the same options to continue, or ` +
      `end that first: POST /api/v2/runs/${undo}/finish with {"abandon":true}.`,
  ),
  history_removed: kind(
    409,
    (id: number, found: number, all: number) =>
      `${found} of the ${all} changes of run ${id} are stored: older ones were removed, and cannot be undone.`,
  ),
  undo_taken_over: kind(409, 'The undo was ended, or is continued by another request.'),
  unknown_source: kind(409, (message: string) => message),
  source_in_use: kind(409, (message: string) => message),
  too_many_sources: kind(409, (message: string) => message),
  too_many_webhooks: kind(409, (message: string) => message),
  no_session: kind(409, 'A key was sent, and no session: there is nothing to sign out of.'),
  no_user: kind(409, 'This is possible for a signed-in user only, and not with a key.'),
  own_user: kind(
    409,
    'Another administrator has to do this: you cannot change your own role, disable or remove yourself, or make a link ' +
      'for your own password.',
  ),
  user_exists: kind(409, (message: string) => message),
  too_many_users: kind(409, (message: string) => message),
  user_of_other_tenants: kind(
    409,
    (email: string) =>
      `${email} belongs to other tenants, too, so only the operator can make this link, with account-sync user ` +
      'reset-password.',
  ),
  user_of_provider: kind(
    409,
    (email: string) =>
      `${email} signs in by OpenID Connect, so only the operator can make this link, with account-sync user ` +
      'reset-password.',
  ),
  link_not_found: kind(
    404,
    'This link is not valid: it has expired, was used, or was replaced by another. Ask for a new one.',
  ),
  link_needs_identity: kind(
    409,
    'This user signs in without a password. Sign in that way, with the same e-mail address: that accepts the invitation.',
  ),
  key_not_live: kind(409, (id: string, state: string) => `The key ${id} is ${state} already.`),
  last_admin_key: kind(
    409,
    (id: string) => `${id} is the last key with the scope admin. Make another first.`,
  ),
  too_many_attributes: kind(409, (message: string) => message),
  too_many_imports: kind(
    429,
    (limit: number) => `${limit} imports of this tenant are under way: wait until one has ended.`,
    10,
  ),
  too_many_undos: kind(
    429,
    (limit: number) => `${limit} undos of this tenant are under way: wait until one has ended.`,
    10,
  ),
  too_many_edits: kind(
    429,
    (limit: number) =>
      `${limit} edits or deletions of many accounts are under way for this tenant: wait until one has ended.`,
    10,
  ),
  too_many_streams: kind(
    429,
    (limit: number) => `${limit} streams are open for this tenant: close one first.`,
    10,
  ),

  // The state of the service.
  write_queue_full: kind(503, 'Too many writes are waiting. Send the request again in a moment.', 1),
  too_many_reads: kind(503, 'Too many reads are waiting. Send the request again in a moment.', 1),
  too_many_bodies: kind(503, 'Too many large bodies are arriving. Send the request again in a moment.', 1),
  database_busy: kind(
    503,
    'All connections to the database are in use. Send the request again in a moment.',
    1,
  ),
  stopping: kind(503, 'The service is stopping. Send this record and those behind it again.'),
  undo_not_ready: kind(
    503,
    'Some changes cannot be read yet, because an older transaction is still running. Send the request again later.',
    5,
  ),
  undo_interrupted: kind(
    503,
    'The service is stopping. Send the request again: the undo continues where it was.',
    1,
  ),
  edit_interrupted: kind(
    503,
    'The service is stopping. What was done so far is stored: send the request again for the rest.',
    1,
  ),
  internal_error: kind(500, FAILED),
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** One thing that is wrong with a request; `pointer` leads into `{ path, query, headers, body }`. */
export interface PointedProblem {
  readonly pointer: string;
  readonly detail: string;
}

interface ErrorExtras {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly problems?: readonly PointedProblem[];
}

/** A request that is answered with an error; `replies/error-replies.ts` gives it the shape of its interface. */
export class HttpError extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly problems: readonly PointedProblem[];

  constructor(
    readonly code: ErrorCode,
    message: string,
    { status = ERRORS[code].status, headers = {}, problems = [] }: ErrorExtras = {},
  ) {
    super(message);
    this.status = status;
    this.headers = headers;
    this.problems = problems;
  }
}

/** An error of the table; `args` are what its message names. */
export function httpError<Code extends ErrorCode>(
  code: Code,
  ...args: Parameters<(typeof ERRORS)[Code]['message']>
): HttpError {
  const { message, retryAfter } = ERRORS[code] as unknown as ErrorKind<unknown[]>;
  const seconds = retryAfter?.(...args);
  const headers = seconds === undefined ? {} : { 'retry-after': String(seconds) };
  return new HttpError(code, message(...args), { headers });
}

/** The error of the table for a problem that another layer has found. */
export function errorFor({ code, args }: Pick<JsonProblem, 'code' | 'args'> | RequestProblem): HttpError {
  return httpError(code, ...(args as never));
}

/** A request that breaks a schema or a rule, with everything that is wrong with it. */
export function invalidRequest(problems: readonly PointedProblem[]): HttpError {
  return new HttpError('invalid_request', ERRORS.invalid_request.message(), { problems });
}

export function methodNotAllowed(methods: readonly string[]): HttpError {
  const message = ERRORS.method_not_allowed.message(methods);
  return new HttpError('method_not_allowed', message, { headers: { allow: methods.join(', ') } });
}
