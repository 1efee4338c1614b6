import { Deadline } from './deadline.js';
import { AccountSyncError, UnavailableError, UnexpectedAnswerError } from './errors.js';
import { readRefusal } from './read-refusal.js';
import { type Retry, type RetryPolicy, withRetries } from './retries.js';

export interface ConnectionOptions {
  /** Where the server is, as in `https://accounts.example.com`. */
  readonly url: string | URL;
  /** An API key, `acs_…`; left out where a cookie of the browser says who is asking. */
  readonly key?: string;
  /** How long one attempt may take; 30,000 by default. */
  readonly timeoutMs?: number;
  /** How often an attempt is repeated; 5 by default, 0 for never. */
  readonly retries?: number;
  /** How long to go on repeating after a first failure, however often; then `retries` is not limited by itself. */
  readonly retryForMs?: number;
  /** Told before each wait, for whoever wants to show it. */
  readonly onRetry?: (retry: Retry) => void;
  /** Told when what was repeated has succeeded. */
  readonly onRecovered?: () => void;
  /** In place of the global `fetch`. */
  readonly fetch?: Fetch;
}

/** As much of an answer as is looked at. */
export interface Answer extends Pick<Response, 'ok' | 'status' | 'type' | 'body' | 'text'> {
  readonly headers: Pick<Headers, 'get'>;
}

/** As much of `fetch` as is used. */
export type Fetch = (url: URL, init: RequestInit) => Promise<Answer>;

export interface Call {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  /** Below the server's address, without a slash at its start. */
  readonly path: string;
  readonly query?: object;
  readonly accept?: string;
  readonly contentType?: string;
  readonly body?: string | ReadableStream<Uint8Array>;
  readonly signal?: AbortSignal | undefined;
  /** Whether it is an answer, and no error, that there is no such account. */
  readonly mayBeMissing?: boolean;
  /** What an error shows as sent. */
  readonly record?: unknown;
}

/** How OpenSSL and Node.js call what they find wrong with a certificate: it does not pass by itself. */
const BAD_CERTIFICATE = /CERT|ISSUER|LEAF_SIGNATURE|INVALID_CA|HOSTNAME_MISMATCH/;
const UNKNOWN_ISSUER = /ISSUER|SELF_SIGNED|LEAF_SIGNATURE/;
const TRUST =
  'If an authority of your own issued it, start with NODE_EXTRA_CA_CERTS set to the file of its certificate.';

interface NodeError extends Partial<Error> {
  readonly code?: string;
}

export class Connection {
  readonly retryPolicy: RetryPolicy;
  readonly timeoutMs: number;
  readonly #base: URL;
  readonly #authorization: { readonly authorization?: string };
  readonly #fetch: Fetch;

  constructor({ url, timeoutMs = 30_000, fetch, ...options }: ConnectionOptions) {
    this.#base = baseOf(url);
    // Not where it is undefined: that is a setting that was forgotten.
    this.#authorization = 'key' in options ? { authorization: authorizationOf(options.key) } : {};
    this.timeoutMs = timeoutMs;
    const { retryForMs = Number.POSITIVE_INFINITY, onRetry, onRecovered } = options;
    const { retries = options.retryForMs === undefined ? 5 : Number.POSITIVE_INFINITY } = options;
    this.retryPolicy = { retries, retryForMs, onRetry, onRecovered };
    this.#fetch = fetch ?? ((url, init) => globalThis.fetch(url, init));
  }

  /** A whole answer, repeated while the failure is a passing one. */
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
      { ...this.retryPolicy, signal: call.signal },
    );
  }

  json<Result>(call: Call): Promise<Result> {
    return this.send(call, async (response) => parseJson(await response.text(), this.#where(call)));
  }

  /** One attempt, up to the head of a successful answer. */
  async open(call: Call, deadline: Deadline): Promise<Answer> {
    const response = await this.#fetch(this.#urlOf(call), {
      method: call.method ?? 'GET',
      headers: {
        ...this.#authorization,
        accept: call.accept ?? 'application/json',
        ...(call.contentType !== undefined && { 'content-type': call.contentType }),
      },
      ...(call.body !== undefined && { body: call.body }),
      // Types do not know it yet; a stream cannot be sent without it.
      ...(call.body instanceof ReadableStream && { duplex: 'half' }),
      redirect: 'manual',
      signal: deadline.signal,
    });
    if (response.ok || (call.mayBeMissing && isMissing(response))) return response;
    throw readRefusal(response, await response.text(), this.#where(call), call.record);
  }

  /** What to throw for what went wrong under this deadline. */
  explain(error: unknown, call: Call, { exceededMs }: Deadline): unknown {
    if (error instanceof AccountSyncError) return error;
    if (call.signal?.aborted) return call.signal.reason;
    const where = this.#where(call);
    if (exceededMs !== undefined) {
      return new UnavailableError(`${where} was silent for ${exceededMs} ms.`, { cause: error });
    }
    const { code, reason } = causeOf(error);
    if (BAD_CERTIFICATE.test(code)) {
      const message = `The certificate of ${this.#base.host} is not accepted: ${reason}.`;
      return new AccountSyncError(UNKNOWN_ISSUER.test(code) ? `${message} ${TRUST}` : message, {
        cause: error,
      });
    }
    return new UnavailableError(`The connection for ${where} broke: ${reason}.`, { cause: error });
  }

  #urlOf({ path, query = {} }: Call): URL {
    const url = new URL(path, this.#base);
    for (const [name, value] of Object.entries(query)) {
      for (const one of [value].flat()) if (one !== undefined) url.searchParams.append(name, String(one));
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
    const message = `${where} answered with something else than JSON. Is url the address of account-sync?`;
    throw new UnexpectedAnswerError(message, { cause });
  }
}

/** Said by the operation itself; a path that does not exist at all is answered in another form. */
function isMissing({ status, headers }: Answer): boolean {
  return status === 404 && headers.get('content-type')?.startsWith('application/problem+json') === true;
}

function authorizationOf(key: string | undefined): string {
  if (typeof key !== 'string' || key.trim() === '')
    throw new TypeError('The key is missing: give an API key.');
  // Here, where the caller sees it: in fetch it would pass for a broken connection.
  if (!/^[\t\x20-\x7e\x80-\xff]+$/.test(key.trim())) {
    throw new TypeError('The key holds characters that cannot be sent in a header.');
  }
  return `Bearer ${key.trim()}`;
}

function baseOf(url: string | URL): URL {
  const base = new URL(url);
  if (!/^https?:$/.test(base.protocol))
    throw new TypeError(`The url must begin with http:// or https://: ${url}`);
  if (base.username !== '' || base.password !== '')
    throw new TypeError('The url must not hold a user or a password: the key is all that is needed.');
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  // Below it every path is answered in the form of an account that is missing.
  const operations = /\/api\/(v1_1|v2)(\/accounts?)?\/$/.exec(base.pathname);
  if (operations !== null)
    throw new TypeError(`The url must be that of the server, without ${operations[0].slice(0, -1)}: ${url}`);
  return base;
}

/** Node.js says what happened only in the cause, and sometimes only as a code; the commands' own fetch says it directly. */
function causeOf(error: unknown): { readonly code: string; readonly reason: string } {
  const outer = error as NodeError;
  const { message, code = '' } = (outer.cause ?? outer) as NodeError;
  return { code, reason: message || code || outer.message || String(error) };
}
