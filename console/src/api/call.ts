import { AccountSync } from '@account-sync/client';

/** One thing that was wrong with a request, and where. */
interface PointedProblem {
  readonly pointer: string;
  readonly detail: string;
}

/** What the server answered instead of what was asked for; or that nobody answered (status 0). */
export class Problem extends Error {
  readonly status: number;
  readonly requestId: string | undefined;
  readonly errors: readonly PointedProblem[];

  constructor(status: number, detail: string, requestId?: string, errors: readonly PointedProblem[] = []) {
    super(detail);
    this.status = status;
    this.requestId = requestId;
    this.errors = errors;
  }

  /** What is refused would be refused again; what fails in passing may not. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

type Parameters = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly parameters?: Parameters;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** The answer of an operation of /api/v2; throws a `Problem` where it is refused. */
export async function call<T>(
  path: string,
  { method = 'GET', parameters = {}, body, signal }: Call = {},
): Promise<T> {
  const response = await signedFetch(`/api/v2${path}${queryText(parameters)}`, {
    method,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new Problem(0, 'The server does not answer. Is it running, and is this machine connected?');
  });
  if (!response.ok) throw await readProblem(response);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

/**
 * Signs requests by the cookie. The header tells the server that they come from a page of its own: pages of others cannot send
 * it.
 */
export const signedFetch: typeof fetch = (input, init = {}) => {
  const headers = new Headers(init.headers);
  headers.set('X-Account-Sync-Console', '1');
  return fetch(input, { ...init, headers, credentials: 'same-origin' });
};

/** For what the client does better than single calls: following changes, sending records. */
export const client = new AccountSync({ url: location.origin, fetch: signedFetch });

/** Names in paths: accounts may be called anything. */
export function segment(text: string): string {
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

export async function readProblem(response: Response): Promise<Problem> {
  const { status } = response;
  const body = await response.json().catch(() => undefined);
  const detail = body?.detail ?? `The server answered with status ${status}.`;
  return new Problem(status, detail, body?.request_id, body?.errors);
}
