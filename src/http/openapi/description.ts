import type { TSchema } from 'typebox';
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
