import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http';
import { Agent as HttpsAgent, type RequestOptions, request as requestHttps } from 'node:https';
import { urlToHttpOptions } from 'node:url';
import type { Secrets } from '../store/webhooks/webhook-row.js';
import { VERSION } from '../version.js';
import { type HostPolicy, PrivateAddress } from './host-policy.js';
import { type Message, signMessage } from './sign-message.js';

/** What came back for a message. */
export interface Answer {
  /** Null if there was none. */
  readonly status: number | null;
  /** Why the message was not taken; null if it was. */
  readonly error: string | null;
  readonly tookMs: number;
  /** The beginning of the body. */
  readonly text: string | null;
  /** How long the receiver asks to wait. */
  readonly retryAfterMs: number | null;
}

export interface PostLimits {
  /** From the start to the head of the answer. */
  readonly answerMs: number;
  /** How long the body of the answer may take after that. */
  readonly bodyMs: number;
}

export const DEFAULT_LIMITS: PostLimits = { answerMs: 15_000, bodyMs: 2_000 };

/** What is stored of an answer. */
const KEPT_BYTES = 2_048;
/** What is read of an answer, so that its connection can be used again. */
const READ_BYTES = 64 * 1024;
const IDLE_MS = 30_000;
/** More URLs than are delivered to at a time. */
const KNOWN_URLS = 1_000;
const NEVER = new AbortController().signal;

/** What a URL is parsed to. */
interface Target {
  /** Why nothing is sent to it; undefined if it may be called. */
  readonly problem: string | undefined;
  readonly options: RequestOptions;
}

/** Sends messages to the URLs of webhooks, and keeps connections open between messages. */
export class MessageSender {
  readonly #policy: HostPolicy;
  readonly #limits: PostLimits;
  readonly #targets = new Map<string, Target>();
  readonly #agents = {
    'http:': new HttpAgent({ keepAlive: true, timeout: IDLE_MS }),
    'https:': new HttpsAgent({ keepAlive: true, timeout: IDLE_MS }),
  };

  constructor(policy: HostPolicy, limits: PostLimits = DEFAULT_LIMITS) {
    this.#policy = policy;
    this.#limits = limits;
  }

  /** Never rejects. `at` is the time of the attempt. */
  async send(
    url: string,
    message: Message,
    secrets: Secrets,
    at: number,
    signal: AbortSignal = NEVER,
  ): Promise<Answer> {
    const startedAt = performance.now();
    const answer = await this.#send(url, message, signMessage(message, secrets, at), signal);
    return { ...answer, tookMs: Math.round(performance.now() - startedAt) };
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  async #send(
    url: string,
    message: Message,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<Omit<Answer, 'tookMs'>> {
    const { problem, options } = this.#targetOf(url);
    if (problem !== undefined) return failure(`The URL ${problem}.`);
    let request: ClientRequest | undefined;
    const abort = () => request?.destroy();
    signal.addEventListener('abort', abort);
    const end = performance.now() + this.#limits.answerMs;
    try {
      for (let isNew = false; ; isNew = true) {
        try {
          request = this.#request(options, message.body, headers, isNew);
          return await this.#answer(request, end - performance.now());
        } catch (error) {
          const { code } = error as NodeJS.ErrnoException;
          // The receiver has closed a connection that was idle: a new one is used.
          const isStale = request?.reusedSocket === true && (code === 'ECONNRESET' || code === 'EPIPE');
          if (!isStale || isNew || signal.aborted)
            return failure(describe(error as NodeJS.ErrnoException, this.#limits));
        }
      }
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  #targetOf(url: string): Target {
    const known = this.#targets.get(url);
    if (known !== undefined) return known;
    if (this.#targets.size >= KNOWN_URLS) this.#targets.clear();
    const problem = this.#policy.problemOf(url);
    const { protocol, hostname, port, path } = problem === undefined ? urlToHttpOptions(new URL(url)) : {};
    const target = { problem, options: { protocol, hostname, port, path, lookup: this.#policy.lookup } };
    this.#targets.set(url, target);
    return target;
  }

  #request(
    options: RequestOptions,
    body: Buffer,
    headers: Record<string, string>,
    isNew: boolean,
  ): ClientRequest {
    const protocol = options.protocol as 'http:' | 'https:';
    const send = protocol === 'https:' ? requestHttps : requestHttp;
    const request = send({
      ...options,
      method: 'POST',
      agent: isNew ? false : this.#agents[protocol],
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': body.length,
        'user-agent': `account-sync/${VERSION}`,
      },
    });
    request.end(body);
    return request;
  }

  async #answer(request: ClientRequest, waitMs: number): Promise<Omit<Answer, 'tookMs'>> {
    const { bodyMs } = this.#limits;
    const timer = setTimeout(() => request.destroy(new NoAnswer()), waitMs);
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      let isOpen = true;
      request.once('response', (response) => {
        isOpen = false;
        resolve(response);
      });
      request.once('upgrade', (_response, socket) => {
        socket.destroy();
        reject(new UpgradeAsked());
      });
      // After an error, this has no effect.
      request.once('close', () => {
        if (isOpen) reject(new NoAnswer());
      });
      // Stays, for errors after the response.
      request.on('error', reject);
    }).finally(() => clearTimeout(timer));
    const text = await beginningOf(response, bodyMs);
    const { statusCode = 0, headers } = response;
    return {
      status: statusCode,
      error: statusCode >= 200 && statusCode < 300 ? null : describeStatus(statusCode),
      text,
      retryAfterMs: /^\d{1,6}$/.test(headers['retry-after'] ?? '')
        ? Number(headers['retry-after']) * 1_000
        : null,
    };
  }
}

class NoAnswer extends Error {}
class UpgradeAsked extends Error {}

/** The body is for people only: whether it ends properly does not matter. */
async function beginningOf(response: IncomingMessage, limitMs: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  const timer = setTimeout(() => response.destroy(), limitMs);
  response.on('data', (chunk: Buffer) => {
    if (size < KEPT_BYTES) chunks.push(chunk);
    size += chunk.length;
    if (size > READ_BYTES) response.destroy();
  });
  // Cut off, or not.
  response.on('error', () => {});
  await new Promise((resolve) => response.once('close', resolve));
  clearTimeout(timer);
  return Buffer.concat(chunks).subarray(0, KEPT_BYTES).toString().replaceAll('\0', '\ufffd');
}

function failure(error: string): Omit<Answer, 'tookMs'> {
  return { status: null, error, text: null, retryAfterMs: null };
}

function describeStatus(status: number): string {
  const isRedirect = status >= 300 && status < 400;
  return isRedirect ? `It answered ${status}; redirects are not followed.` : `It answered ${status}.`;
}

function describe(error: NodeJS.ErrnoException, { answerMs }: PostLimits): string {
  if (error instanceof NoAnswer) return `There was no answer within ${answerMs / 1_000} seconds.`;
  if (error instanceof UpgradeAsked) return describeStatus(101);
  if (error instanceof PrivateAddress) return `Its host resolves to a private address, which is not allowed.`;
  const { code = '' } = error;
  const known = KNOWN[code];
  if (known !== undefined) return known;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL')) return `It does not speak HTTPS (${code}).`;
  if (/CERT|TLS|SIGNATURE/.test(code)) return `Its certificate was not accepted (${code}).`;
  if (code.startsWith('HPE_')) return `Its answer is not valid HTTP (${code}).`;
  return `It could not be reached (${code === '' ? error.name : code}).`;
}

const KNOWN: Readonly<Record<string, string>> = {
  ENOTFOUND: 'Its host name cannot be resolved.',
  EAI_AGAIN: 'Its host name cannot be resolved now.',
  ECONNREFUSED: 'It refused the connection.',
  ECONNRESET: 'It closed the connection before it answered.',
  EPIPE: 'It closed the connection before it answered.',
};
