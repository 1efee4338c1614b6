import Type, { type TSchema } from 'typebox';
import type { Scope } from '../../domain/api-key.js';

/** A value, or a reference to one in the document. */
export type Example = { readonly summary?: string; readonly value: unknown } | { readonly $ref: string };

/**
 * Examples of a request and of an answer that have the same name belong together. Where none are given, it is that of
 * the schema.
 */
export interface Media {
  readonly schema: TSchema;
  readonly examples?: Readonly<Record<string, Example>>;
}

/** By media type. */
export type Content = Readonly<Record<string, Media>>;

export interface Answer {
  readonly description: string;
  /** Of a JSON body. */
  readonly schema?: TSchema;
  /** Of a body that is not JSON, or not only. Neither: there is no body. */
  readonly content?: Content;
  /** Beyond those that every answer has. */
  readonly headers?: Readonly<Record<string, TSchema>>;
}

export type Answers = Readonly<Record<number, Answer>>;

/** Where requests have other inputs than a body. */
export interface Parameters {
  readonly params?: TSchema;
  readonly querystring?: TSchema;
  readonly headers?: TSchema;
}

/** What the document says about an operation. Nothing of it is done: routes with a `schema` are checked by that. */
export interface Description extends Parameters {
  /** Its name in logs, metrics and the document. */
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  /** That a key needs, or `any` of them. None: no key is needed. */
  readonly scope?: Scope | 'any';
  /** How callers may show who they are; by a key where nothing is said. */
  readonly by?: readonly ('key' | 'session')[];
  readonly body?: Content;
  readonly answers: Answers;
}

const text = (description: string, example: string) => Type.String({ description, examples: [example] });

export const REQUEST_ID = text(
  "Names the request in the log, in histories and in problems: the caller's own, or a new one.",
  'job-7:1',
);

export const RETRY_AFTER = Type.Integer({
  description: 'Seconds to wait before the next try.',
  examples: [1],
});

/** Of answers to a key, where the operator has set a limit. */
export const RATE_LIMIT = {
  RateLimit: text(
    'Where a limit is set: how many requests are left (`r`), and for how many seconds (`t`).',
    '"key";r=599;t=42',
  ),
  'RateLimit-Policy': text(
    'Where a limit is set: requests (`q`) in a window of seconds (`w`).',
    '"key";q=600;w=60',
  ),
};

export const ETAG = text('Changes with the account; for `If-None-Match`.', '"kVw2mC8cZ0Jt1nQyT5b6Xg"');

export const WWW_AUTHENTICATE = text('How to send a key.', 'Bearer');

export const SET_COOKIE = text(
  'The token of the session, for the browser alone; `Secure` over HTTPS.',
  'account_sync_session=…; Path=/api/v2; HttpOnly; SameSite=Strict; Max-Age=43200; Secure',
);

export const DEPRECATION = text('Since when the operation is deprecated (RFC 9745).', '@1622419200');

export const LINK = text('What to use instead.', '</api/v2/accounts/import>; rel="successor-version"');
