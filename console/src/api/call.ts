import { AccountSync, type ErrorCode } from '@account-sync/client';

/** One invalid part of a request, with a JSON pointer to it. */
interface InvalidInput {
  readonly pointer: string;
  readonly detail: string;
}

/** An error response of the API. Status 0: there was no response. */
export class ApiError extends Error {
  readonly status: number;
  readonly requestId: string | undefined;
  readonly errors: readonly InvalidInput[];
  /** Names the kind of error; undefined if the response is not from the service. */
  readonly code: ErrorCode | undefined;

  constructor(
    status: number,
    detail: string,
    requestId?: string,
    errors: readonly InvalidInput[] = [],
    code?: ErrorCode,
  ) {
    super(detail);
    this.status = status;
    this.requestId = requestId;
    this.errors = errors;
    this.code = code;
  }

  /** Whether a retry may succeed. A rejected request would be rejected again. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** Whether what was asked for does not exist, or not any more. */
export function isNotFound(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 404;
}

type Parameters = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly parameters?: Parameters;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** Calls an operation of /api/v2 and returns its response body. Throws an `ApiError` otherwise. */
export async function call<T>(path: string, options?: Call): Promise<T> {
  return (await callWithRequestId<T>(path, options)).body;
}

interface Answer<T> {
  readonly body: T;
  /** The history names a change by it. Null if a proxy has removed the header. */
  readonly requestId: string | null;
}

/** The same, for a change that can be undone by the id of its request. */
export async function callWithRequestId<T>(
  path: string,
  { method = 'GET', parameters = {}, headers, body, signal }: Call = {},
): Promise<Answer<T>> {
  const response = await signedFetch(`/api/v2${path}${queryText(parameters)}`, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiError(
      0,
      'The server does not respond. Check that it is running and that this computer is connected to it.',
    );
  });
  if (!response.ok) throw await readApiError(response);
  const answer = (response.status === 204 ? undefined : await response.json()) as T;
  return { body: answer, requestId: response.headers.get('x-request-id') };
}

/**
 * Fetch with the session cookie. The header protects against cross-site request forgery: pages of other origins
 * cannot send it.
 */
export const signedFetch: typeof fetch = (input, init = {}) => {
  const headers = new Headers(init.headers);
  headers.set('X-Account-Sync-Console', '1');
  return fetch(input, { ...init, headers, credentials: 'same-origin' });
};

/** For operations that take more than one call, such as reading all pages of a list. */
export const client = new AccountSync({ url: location.origin, fetch: signedFetch });

/** Account ids may contain any character, including slashes. */
export function encodePathSegment(text: string): string {
  return encodeURIComponent(text);
}

function queryText(parameters: Parameters): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== '') query.append(name, String(one));
    }
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

export async function readApiError(response: Response): Promise<ApiError> {
  const { status } = response;
  const body = await response.json().catch(() => undefined);
  const detail = body?.detail ?? `The server responded with status ${status}.`;
  return new ApiError(status, detail, body?.request_id, body?.errors, body?.code);
}
