import Type, { type TSchema } from 'typebox';
import {
  ACCOUNT_ID_MISSING,
  INTERNAL_ERROR,
  INVALID_DATA,
  invalidValue,
  NO_DATA,
  UNAUTHENTICATED,
} from '../../domain/messages.js';
import { httpError } from '../errors.js';
import {
  type Answer,
  type Answers,
  DEPRECATION,
  type Description,
  type Example,
  LINK,
  RETRY_AFTER,
  WWW_AUTHENTICATE,
} from '../openapi/description.js';

const orNull = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

const Identifier = Type.Union([Type.String(), Type.Integer()]);

/** For the document alone: records are checked by hand, and more closely. */
export const AccountRecord = Type.Object(
  {
    account_id: Identifier,
    parent_account_id: Type.Optional(orNull(Identifier)),
    name: Type.Optional(orNull(Type.String({ maxLength: 191 }))),
  },
  {
    additionalProperties: true,
    description:
      'Every other field is an attribute. What is left out stays as it is; `null` removes a value. Identifiers have ' +
      'up to 191 characters, and are the same in any case.',
  },
);

export const Success = Type.Object({ success: Type.Literal(true) }, { title: 'Success' });

export const Failure = Type.Object(
  {
    success: Type.Literal(false),
    errors: Type.Array(Type.String(), { minItems: 1, maxItems: 1 }),
    errors_by_attributes: Type.Array(Type.Unknown(), { maxItems: 0 }),
  },
  { title: 'Failure', description: 'What is not about one attribute.' },
);

const Messages = Type.Record(Type.String(), Type.Array(Type.String()));

export const RejectedAccount = Type.Object(
  {
    success: Type.Literal(false),
    errors: Type.Array(Type.String(), { minItems: 1 }),
    errors_by_attributes: Type.Array(Messages, { minItems: 1, maxItems: 1 }),
  },
  { title: 'RejectedAccount', description: 'Every problem at once, and again by attribute.' },
);

export const RejectedBatch = Type.Object(
  {
    success: Type.Literal(false),
    errors: Type.Array(Type.Array(Type.String()), { minItems: 1 }),
    errors_by_attributes: Type.Array(Messages, { minItems: 1 }),
  },
  {
    title: 'RejectedBatch',
    description: 'An entry for every record, in the order sent; empty for those without fault.',
  },
);

export const Unauthenticated = Type.Object(
  { success: Type.Literal(false), error: Type.String(), status: Type.Literal(403) },
  { title: 'Unauthenticated', description: 'Its `status` is 403, though that of the answer is 401.' },
);

type Examples = Readonly<Record<string, Example>>;

const json = (schema: TSchema, examples: Examples) => ({ 'application/json': { schema, examples } });

const failure = (message: string): Example => ({
  value: { success: false, errors: [message], errors_by_attributes: [] },
});

const failed = (description: string, examples: Examples, headers: Answer['headers'] = {}): Answer => ({
  description,
  content: json(Failure, examples),
  headers,
});

const tooLarge = { 'too-large': failure(httpError('body_too_large', 10_485_760).message) };
const tooMany = { 'too-many': failure(httpError('too_many_records', 5_000).message) };

/** Those that both operations give in the same words. */
const REFUSALS: Answers = {
  401: {
    description: 'No key was sent, or none that is live and of this host.',
    content: json(Unauthenticated, {
      unauthenticated: { value: { success: false, error: UNAUTHENTICATED, status: 403 } },
    }),
    headers: { 'WWW-Authenticate': WWW_AUTHENTICATE },
  },
  403: failed('The key lacks the scope.', { forbidden: failure(httpError('scope_missing', 'sync').message) }),
  413: failed('The body is larger than the operator allows.', tooLarge),
  415: failed('The body is not JSON, or compressed.', {
    'not-json': failure(httpError('content_type_not_json').message),
    compressed: failure(httpError('content_encoding_unsupported', 'gzip').message),
  }),
  429: failed(
    'Too many requests; `Retry-After` says when to come back.',
    { limited: failure('Too many requests. Send this one again in 42 seconds.') },
    { 'Retry-After': RETRY_AFTER },
  ),
  500: failed('Something failed on our side; it may or may not be stored. Repeat it later.', {
    failed: failure(INTERNAL_ERROR),
  }),
  503: failed(
    'Too much is under way. Nothing was stored; repeat it after `Retry-After`.',
    {
      overloaded: failure(httpError('write_queue_full').message),
      crowded: failure(httpError('too_many_bodies').message),
    },
    { 'Retry-After': RETRY_AFTER },
  ),
};

const stored = (description: string, example: string): Answer => ({
  description: 'Everything is stored, safely on disk.',
  content: json(Success, { stored: { value: { success: true } } }),
  headers: { 'Account-Sync-Result': Type.String({ description, examples: [example] }) },
});

const many = invalidValue('acme', 'licenses', 'integer');

/** How the document describes the contract, whose routes neither check nor write by schemas. */
export const SINGLE: Description = {
  id: 'upsert-account',
  tag: 'Contract',
  scope: 'sync',
  summary: 'Create or update one account',
  description: 'Sending the same again changes nothing: repeating is always safe.',
  body: json(AccountRecord, {
    stored: { value: { account_id: 'acme', name: 'Acme Inc.', licenses: 25 } },
    refused: { summary: 'A value of the wrong type', value: { account_id: 'acme', licenses: 'many' } },
  }),
  answers: {
    200: stored('What was done: `created`, `updated` or `unchanged`.', 'created'),
    400: {
      description: 'The record is refused, with every problem; or the body is none.',
      content: json(Type.Union([RejectedAccount, Failure]), {
        refused: { value: { success: false, errors: [many], errors_by_attributes: [{ licenses: [many] }] } },
        'no-data': failure(NO_DATA),
      }),
    },
    ...REFUSALS,
  },
};

export const BATCH: Description = {
  id: 'upsert-batch',
  tag: 'Contract',
  scope: 'sync',
  deprecated: true,
  summary: 'Create or update all accounts of a batch, or none',
  description:
    'Deprecated since 31 May 2021; no date of removal exists. `POST /api/v2/accounts/import` takes more.',
  body: json(Type.Array(AccountRecord, { minItems: 1 }), {
    stored: { value: [{ account_id: 'acme' }, { account_id: 'acme-berlin', parent_account_id: 'acme' }] },
    refused: {
      summary: 'Records with and without fault: none is stored',
      value: [
        { account_id: 'acme', licenses: 'many' },
        { account_id: 'gamma' },
        { account_id: '', name: 'Nobody' },
      ],
    },
  }),
  answers: withDeprecation({
    200: stored('How many of each.', 'created=1, updated=1, unchanged=0'),
    400: {
      description:
        'Records are refused, with every problem of each; or the body is no batch. Nothing is stored.',
      content: json(Type.Union([RejectedBatch, Failure]), {
        refused: {
          value: {
            success: false,
            errors: [[many], [], [ACCOUNT_ID_MISSING]],
            errors_by_attributes: [{ licenses: [many] }, {}, { account_id: [ACCOUNT_ID_MISSING] }],
          },
        },
        'no-batch': failure(INVALID_DATA),
      }),
    },
    ...REFUSALS,
    413: failed('The body is larger, or has more records, than the operator allows.', {
      ...tooLarge,
      ...tooMany,
    }),
  }),
};

function withDeprecation(answers: Answers): Answers {
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => [
      status,
      { ...answer, headers: { ...answer.headers, Deprecation: DEPRECATION, Link: LINK } },
    ]),
  );
}
