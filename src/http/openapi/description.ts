import Type, { type TSchema } from 'typebox';
import type { Access } from '../auth/access.js';

/** A value, or a reference to one in the document. */
export type Example = { readonly summary?: string; readonly value: unknown } | { readonly $ref: string };

/**
 * Examples of a request and of a response with the same name belong together. Without examples, the schema's own is
 * used.
 */
export interface Media {
  readonly schema: TSchema;
  readonly examples?: Readonly<Record<string, Example>>;
}

/** Bodies by media type. */
export type Content = Readonly<Record<string, Media>>;

export interface ResponseDescription {
  readonly description: string;
  /** Schema of a JSON body. */
  readonly schema?: TSchema;
  /** For a body that is not JSON, or not only JSON. Without `schema` and `content` there is no body. */
  readonly content?: Content;
  /** In addition to those of every response. */
  readonly headers?: Readonly<Record<string, TSchema>>;
}

export type Responses = Readonly<Record<number, ResponseDescription>>;

/** Inputs of a request other than its body. */
export interface Parameters {
  readonly params?: TSchema;
  readonly querystring?: TSchema;
  readonly headers?: TSchema;
}

/** How the OpenAPI document describes an operation. Requests are validated by the `schema` of their route instead. */
export interface Description extends Parameters {
  /** The operation's name in logs, metrics and the document. */
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  /** Undefined: no key is needed. */
  readonly access?: Exclude<Access, 'none'>;
  /** Accepted credentials; only keys by default. */
  readonly credentials?: readonly ('key' | 'session')[];
  readonly body?: Content;
  readonly responses: Responses;
}

const text = (description: string, example: string) => Type.String({ description, examples: [example] });

export const REQUEST_ID = text(
  "Identifies the request in the log, in histories and in problems: the client's own id, or a new one.",
  'job-7:1',
);

export const RETRY_AFTER = Type.Integer({
  description: 'Seconds to wait before sending the request again.',
  examples: [1],
});

/** Headers of responses to a key, if the operator has set a limit. */
export const RATE_LIMIT = {
  RateLimit: text(
    'If a limit is set: requests left (`r`), and seconds until the window ends (`t`).',
    '"key";r=599;t=42',
  ),
  'RateLimit-Policy': text(
    'If a limit is set: requests (`q`) per window of seconds (`w`).',
    '"key";q=600;w=60',
  ),
};

export const ETAG = text(
  'Changes when the account changes. Send it as `If-None-Match` to read the account again, as `If-Match` to edit it.',
  '"7-kVw2mC8cZ0Jt1nQyT5b6Xg"',
);

export const WWW_AUTHENTICATE = text('How to send a key.', 'Bearer');

export const SET_COOKIE = text(
  'The session token, not readable by scripts; `Secure` over HTTPS.',
  'account_sync_session=…; Path=/api/v2; HttpOnly; SameSite=Strict; Max-Age=43200; Secure',
);

export const DEPRECATION = text(
  'The date since which the operation is deprecated (RFC 9745).',
  '@1622419200',
);

export const LINK = text(
  'The operation that replaces this one.',
  '</api/v2/accounts/import>; rel="successor-version"',
);
