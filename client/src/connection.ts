import { Deadline } from './deadline.js';
import { AccountSyncError, UnavailableError, UnexpectedAnswerError } from './errors.js';
import type { Answer, Fetch } from './fetch.js';
import { readError } from './read-error.js';
import { type Retry, type RetryPolicy, withRetries } from './retries.js';

export interface ConnectionOptions {
  /** The address of the server, for example `https://accounts.example.com`. */
  readonly url: string | URL;
  /** An API key, `acs_…`. Leave it out if the browser's session cookie authenticates the requests. */
  readonly key?: string;
  /** How long one attempt may take; 30,000 by default. */
  readonly timeoutMs?: number;
  /** Number of retries; 5 by default, 0 for none. */
  readonly retries?: number;
  /** Retries for this long after the first failure. Without `retries`, the number of retries is then unlimited. */
  readonly retryForMs?: number;
  /** Called before each wait. */
  readonly onRetry?: (retry: Retry) => void;
  /** Called when a retry succeeds. */
  readonly onRecovered?: () => void;
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the address of the server, without a leading slash. */
  readonly path: string;
  readonly query?: object;
  readonly accept?: string;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | ReadableStream<Uint8Array>;
  readonly signal?: AbortSignal | undefined;
  /** The run to which the request belongs. */
  readonly run?: string | undefined;
  /** If true, 404 for the account is a normal response and no error. */
  readonly mayBeMissing?: boolean;
  /** If true, it is not retried: if it was done and its response lost, it would be done twice. */
  readonly once?: boolean;
  /** The record that an error of this call contains. */
  readonly record?: unknown;
}

/** Error codes of OpenSSL and Node.js for certificates. The client does not retry: these errors are permanent. */
const BAD_CERTIFICATE = /CERT|ISSUER|LEAF_SIGNATURE|INVALID_CA|HOSTNAME_MISMATCH/;
const UNKNOWN_ISSUER = /ISSUER|SELF_SIGNED|LEAF_SIGNATURE/;
const TRUST_ADVICE =
  'If your own certificate authority issued it, set NODE_EXTRA_CA_CERTS to the file of its certificate.';

interface NodeError extends Partial<Error> {
  readonly code?: string;
}

/** Sends requests to one server: address, authentication, time limits, retries and the conversion of errors. */
export class Connection {
  readonly retryPolicy: RetryPolicy;
  readonly timeoutMs: number;
  readonly #base: URL;
  readonly #authorization: { readonly authorization?: string };
  readonly #fetch: Fetch;

  constructor({ url, timeoutMs = 30_000, fetch, ...options }: ConnectionOptions) {
    this.#base = baseOf(url);
    // A key that is present but undefined is a missing setting, not a choice of the session: it is an error.
    this.#authorization = 'key' in options ? { authorization: authorizationOf(options.key) } : {};
    this.timeoutMs = timeoutMs;
    const { retryForMs = Number.POSITIVE_INFINITY, onRetry, onRecovered } = options;
    const { retries = options.retryForMs === undefined ? 5 : Number.POSITIVE_INFINITY } = options;
    this.retryPolicy = { retries, retryForMs, onRetry, onRecovered };
    this.#fetch = fetch ?? ((url, init) => globalThis.fetch(url, init));
  }

  /** Sends a request and reads the whole response; retries temporary failures. */
  send<Result>(call: Call, read: (response: Answer, attempt: number) => Promise<Result>): Promise<Result> {
    return withRetries(
      async (attempt) => {
        const deadline = new Deadline(call.signal);
        deadline.start(this.timeoutMs);
        try {
          return await read(await this.open(call, deadline), attempt);
        } catch (error) {
          throw this.explain(error, call, deadline);
        } finally {
          deadline.close();
        }
      },
      { ...this.retryPolicy, ...(call.once && { retries: 0 }), signal: call.signal },
    );
  }

  json<Result>(call: Call): Promise<Result> {
    return this.send(call, async (response) => parseJson(await response.text(), this.#where(call)));
  }

  /** Makes one attempt and returns once the head of a successful response has arrived. */
  async open(call: Call, deadline: Deadline): Promise<Answer> {
    const response = await this.#fetch(this.#urlOf(call), {
      method: call.method ?? 'GET',
      headers: {
        ...this.#authorization,
        accept: call.accept ?? 'application/json',
        ...(call.contentType !== undefined && { 'content-type': call.contentType }),
        ...(call.run !== undefined && { 'account-sync-run': call.run }),
        ...call.headers,
      },
      ...(call.body !== undefined && { body: call.body }),
      // fetch rejects a stream as body without `duplex`. The type RequestInit does not have it yet.
      ...(call.body instanceof ReadableStream && { duplex: 'half' }),
      redirect: 'manual',
      signal: deadline.signal,
    });
    if (response.ok || (call.mayBeMissing && isMissing(response))) return response;
    throw readError(response, await response.text(), this.#where(call), call.record);
  }

  /** Converts a failure of an attempt with this deadline to the error that the caller receives. */
  explain(error: unknown, call: Call, { exceededMs }: Deadline): unknown {
    if (error instanceof AccountSyncError) return error;
    if (call.signal?.aborted) return call.signal.reason;
    const where = this.#where(call);
    if (exceededMs !== undefined) {
      return new UnavailableError(`${where} did not respond for ${exceededMs} ms.`, { cause: error });
    }
    const { code, reason } = causeOf(error);
    if (BAD_CERTIFICATE.test(code)) {
      const message = `The certificate of ${this.#base.host} is not accepted: ${reason}.`;
      return new AccountSyncError(UNKNOWN_ISSUER.test(code) ? `${message} ${TRUST_ADVICE}` : message, {
        cause: error,
      });
    }
    return new UnavailableError(`The connection for ${where} failed: ${reason}.`, { cause: error });
  }

  #urlOf({ path, query = {} }: Call): URL {
    const url = new URL(path, this.#base);
    for (const [name, value] of Object.entries(query)) {
      for (const item of [value].flat()) if (item !== undefined) url.searchParams.append(name, String(item));
    }
    return url;
  }

  #where(call: Call): string {
    return `${call.method ?? 'GET'} ${new URL(call.path, this.#base)}`;
  }
}

export function parseJson(text: string, where: string) {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = `${where} returned a body that is not JSON. Check that url is the address of account-sync.`;
    throw new UnexpectedAnswerError(message, { cause });
  }
}

/** Only the operation itself sends a problem body; the 404 for an unknown path has another form. */
function isMissing({ status, headers }: Answer): boolean {
  return status === 404 && headers.get('content-type')?.startsWith('application/problem+json') === true;
}

function authorizationOf(key: string | undefined): string {
  if (typeof key !== 'string' || key.trim() === '')
    throw new TypeError('The key is missing. Pass an API key.');
  // Checked here because fetch would fail with an error that looks like a failed connection.
  if (!/^[\t\x20-\x7e\x80-\xff]+$/.test(key.trim())) {
    throw new TypeError('The key contains characters that cannot be sent in a header.');
  }
  return `Bearer ${key.trim()}`;
}

function baseOf(url: string | URL): URL {
  const base = new URL(url);
  if (!/^https?:$/.test(base.protocol))
    throw new TypeError(`The url must begin with http:// or https://: ${url}`);
  if (base.username !== '' || base.password !== '')
    throw new TypeError('The url must not contain a user name or a password. The key is enough.');
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  // With such an address every request would get a 404 that looks like a missing account.
  const apiPath = /\/api\/(v1_1|v2)(\/accounts?)?\/$/.exec(base.pathname);
  if (apiPath !== null)
    throw new TypeError(
      `The url must be the address of the server, without ${apiPath[0].slice(0, -1)}: ${url}`,
    );
  return base;
}

/**
 * The code and message of a network error. The fetch of Node.js has them in `cause`, sometimes only the code; a `fetch`
 * that the caller passes may throw the network error itself.
 */
function causeOf(error: unknown): { readonly code: string; readonly reason: string } {
  const outer = error as NodeError;
  const { message, code = '' } = (outer.cause ?? outer) as NodeError;
  return { code, reason: message || code || outer.message || String(error) };
}
