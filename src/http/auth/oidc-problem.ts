/**
 * Why a sign-in by OpenID Connect failed. The code is an interface: the sign-in page and `docs/errors.md` name what to do
 * about each. The reason is for the log, and has no token, code or claim.
 */
export class OidcProblem extends Error {
  constructor(
    readonly code: OidcProblemCode,
    readonly reason: string,
  ) {
    super(`${code}: ${reason}`);
  }
}

export const OIDC_PROBLEM_CODES = [
  /** The user declined, or may not use this application. */
  'oidc_cancelled',
  /** The provider answered with another error. */
  'oidc_refused',
  /** The sign-in was begun too long ago, in another browser, or is finished already. */
  'oidc_expired',
  /** The answer of the provider belongs to another sign-in. */
  'oidc_state_mismatch',
  /** The ID token is not valid, or not for this service. */
  'oidc_token_invalid',
  /** The provider does not answer in time, or not as OpenID Connect requires. */
  'oidc_unreachable',
  /** Too many sign-ins wait for the provider. */
  'oidc_busy',
  /** The person has no role here, by claims or invitations. */
  'oidc_no_role',
  /** The provider has not verified the e-mail address of a person who is no user yet. */
  'oidc_email_unverified',
  /** Another identity has the e-mail address. */
  'oidc_email_taken',
] as const;
export type OidcProblemCode = (typeof OIDC_PROBLEM_CODES)[number];

/** What the library has in its errors; only these parts are safe to log. */
interface LibraryError extends Error {
  readonly code?: string;
  /** The error code of the provider's response. */
  readonly error?: string;
  readonly status?: number;
}

/** Codes of errors that mean: the provider did answer, but its ID token must not be trusted. */
const INVALID_TOKEN = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_UNSUPPORTED_OPERATION',
]);

/** The problem that an error of the library stands for; any other error is returned as it is. */
export function asOidcProblem(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof OidcProblem) return error;
  const { code, error: answered, status } = error as LibraryError;
  if (code === 'OAUTH_RESPONSE_BODY_ERROR') {
    return new OidcProblem('oidc_refused', `the provider answered ${printableCode(answered)}`);
  }
  if (code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE') {
    return new OidcProblem('oidc_refused', `the provider answered with status ${status}`);
  }
  if (INVALID_TOKEN.has(code ?? '')) return new OidcProblem('oidc_token_invalid', innermost(error).message);
  return asUnreachable(error);
}

/** The same for the search for the provider, where every error of the library means that it cannot be used. */
export function asUnreachable(error: unknown): unknown {
  if (!(error instanceof Error) || !isOfProvider(error)) return error;
  if (error.cause instanceof Response) {
    return new OidcProblem('oidc_unreachable', `${error.message}: ${error.cause.status}`);
  }
  const { name, code, message } = innermost(error);
  if (name === 'TimeoutError') return new OidcProblem('oidc_unreachable', 'no answer in time');
  const isSystem = /^(E[A-Z]|UND_ERR|CERT|DEPTH|SELF|UNABLE|ERR_TLS)/.test(code ?? '');
  return new OidcProblem('oidc_unreachable', isSystem ? `${code}` : message);
}

const OF_LIBRARY = new Set(['ClientError', 'OperationProcessingError', 'UnsupportedOperationError']);

/** Errors of `fetch` and of the library, which names its classes; a TypeError of another kind is a fault of ours. */
function isOfProvider(error: Error): boolean {
  return OF_LIBRARY.has(error.name) || (error instanceof TypeError && error.message === 'fetch failed');
}

function innermost(error: Error): LibraryError {
  return error.cause instanceof Error ? innermost(error.cause) : error;
}

/** RFC 6749 has short codes; another text of a provider is not logged. */
export function printableCode(code: string | undefined): string {
  return /^[\w.-]{1,60}$/.test(code ?? '') ? `${code}` : 'an error';
}
