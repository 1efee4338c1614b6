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
  DEPRECATION,
  type Description,
  type Example,
  LINK,
  RETRY_AFTER,
  type ResponseDescription,
  type Responses,
  WWW_AUTHENTICATE,
} from '../openapi/description.js';
import { RunHeader } from '../runs/run-header.js';

const orNull = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

const Identifier = Type.Union([Type.String(), Type.Integer()]);

/** For the OpenAPI document only: `validateAccount` checks records, with more rules than a schema can express. */
export const AccountRecord = Type.Object(
  {
    account_id: Identifier,
    parent_account_id: Type.Optional(orNull(Identifier)),
    name: Type.Optional(orNull(Type.String({ maxLength: 191 }))),
  },
  {
    additionalProperties: true,
    description:
      'Every other field is an attribute. Fields that are not sent keep their value; `null` removes a value. ' +
      'Identifiers have up to 191 characters and are case-insensitive.',
  },
);

const Success = Type.Object({ success: Type.Literal(true) }, { title: 'Success' });

export const Failure = Type.Object(
  {
    success: Type.Literal(false),
    errors: Type.Array(Type.String(), { minItems: 1, maxItems: 1 }),
    errors_by_attributes: Type.Array(Type.Unknown(), { maxItems: 0 }),
  },
  { title: 'Failure', description: 'An error that is not about one attribute.' },
);

const Messages = Type.Record(Type.String(), Type.Array(Type.String()));

const RejectedAccount = Type.Object(
  {
    success: Type.Literal(false),
    errors: Type.Array(Type.String(), { minItems: 1 }),
    errors_by_attributes: Type.Array(Messages, { minItems: 1, maxItems: 1 }),
  },
  { title: 'RejectedAccount', description: 'All problems of the record, as a list and by attribute.' },
);

const RejectedBatch = Type.Object(
  {
    success: Type.Literal(false),
    errors: Type.Array(Type.Array(Type.String()), { minItems: 1 }),
    errors_by_attributes: Type.Array(Messages, { minItems: 1 }),
  },
  {
    title: 'RejectedBatch',
    description: 'One entry per record, in the order sent; empty for valid records.',
  },
);

export const Unauthenticated = Type.Object(
  { success: Type.Literal(false), error: Type.String(), status: Type.Literal(403) },
  {
    title: 'Unauthenticated',
    description: 'The `status` in the body is 403, although the HTTP status is 401.',
  },
);

type Examples = Readonly<Record<string, Example>>;

const json = (schema: TSchema, examples: Examples) => ({ 'application/json': { schema, examples } });

const failure = (message: string): Example => ({
  value: { success: false, errors: [message], errors_by_attributes: [] },
});

const failed = (
  description: string,
  examples: Examples,
  headers: ResponseDescription['headers'] = {},
): ResponseDescription => ({
  description,
  content: json(Failure, examples),
  headers,
});

const tooLarge = { 'too-large': failure(httpError('body_too_large', 10_485_760).message) };
const tooMany = { 'too-many': failure(httpError('too_many_records', 5_000).message) };

/** Errors that are the same for both operations. */
const COMMON_ERRORS: Responses = {
  401: {
    description: 'No key was sent, or the key is not live or not valid for this host.',
    content: json(Unauthenticated, {
      unauthenticated: { value: { success: false, error: UNAUTHENTICATED, status: 403 } },
    }),
    headers: { 'WWW-Authenticate': WWW_AUTHENTICATE },
  },
  403: failed('The key lacks the required scope.', {
    forbidden: failure(httpError('scope_missing', 'sync').message),
  }),
  404: failed('The run that the request names does not exist.', {
    'no-run': failure(httpError('run_not_found', '12').message),
  }),
  409: failed('The run that the request names has ended, or belongs to another source.', {
    'run-ended': failure(httpError('run_ended', 12).message),
    'run-of-other-source': failure(httpError('run_of_other_source', 12, 'billing', 'crm').message),
  }),
  413: failed('The body is larger than the operator allows.', tooLarge),
  415: failed('The body is not JSON, or it is compressed.', {
    'not-json': failure(httpError('content_type_not_json').message),
    compressed: failure(httpError('content_encoding_unsupported', 'gzip').message),
  }),
  429: failed(
    'Too many requests; send the request again after `Retry-After`.',
    { limited: failure('Too many requests. Send this one again in 42 seconds.') },
    { 'Retry-After': RETRY_AFTER },
  ),
  500: failed('The server failed; the data may or may not be stored. Send the request again later.', {
    failed: failure(INTERNAL_ERROR),
  }),
  503: failed(
    'The server is overloaded. Nothing was stored; send the request again after `Retry-After`.',
    {
      overloaded: failure(httpError('write_queue_full').message),
      crowded: failure(httpError('too_many_bodies').message),
      busy: failure(httpError('database_busy').message),
    },
    { 'Retry-After': RETRY_AFTER },
  ),
};

const stored = (description: string, example: string): ResponseDescription => ({
  description: 'Everything is stored durably.',
  content: json(Success, { stored: { value: { success: true } } }),
  headers: {
    'Account-Sync-Result': Type.String({ description, examples: [example] }),
    'Account-Sync-Kept': Type.String({
      description: 'How many values of which fields were not stored, because another source owns them.',
      examples: ['name=1'],
    }),
  },
});

const many = invalidValue('acme', 'licenses', 'integer');

/** Descriptions of the contract for the OpenAPI document; its routes use no schemas. */
export const SINGLE: Description = {
  id: 'upsert-account',
  tag: 'Contract',
  access: 'sync',
  summary: 'Create or update one account',
  description: 'Creates the account or updates the fields that are sent. Repeating the request is safe.',
  headers: RunHeader,
  body: json(AccountRecord, {
    stored: { value: { account_id: 'acme', name: 'Acme Inc.', licenses: 25 } },
    rejected: { summary: 'A value of the wrong type', value: { account_id: 'acme', licenses: 'many' } },
  }),
  responses: {
    200: stored('The result: `created`, `updated` or `unchanged`.', 'created'),
    400: {
      description: 'The record is rejected, with all its problems; or the body holds no record.',
      content: json(Type.Union([RejectedAccount, Failure]), {
        rejected: { value: { success: false, errors: [many], errors_by_attributes: [{ licenses: [many] }] } },
        'no-data': failure(NO_DATA),
      }),
    },
    ...COMMON_ERRORS,
  },
};

export const BATCH: Description = {
  id: 'upsert-batch',
  tag: 'Contract',
  access: 'sync',
  deprecated: true,
  summary: 'Create or update all accounts of a batch, or none',
  description:
    'Stores all records of the array, or none if one is rejected. Deprecated since 31 May 2021, without a removal ' +
    'date. Use `POST /api/v2/accounts/import`, which accepts any number of records.',
  headers: RunHeader,
  body: json(Type.Array(AccountRecord, { minItems: 1 }), {
    stored: { value: [{ account_id: 'acme' }, { account_id: 'acme-berlin', parent_account_id: 'acme' }] },
    rejected: {
      summary: 'One valid and two invalid records: none is stored',
      value: [
        { account_id: 'acme', licenses: 'many' },
        { account_id: 'gamma' },
        { account_id: '', name: 'No id' },
      ],
    },
  }),
  responses: withDeprecation({
    200: stored('The number of records by result.', 'created=1, updated=1, unchanged=0'),
    400: {
      description:
        'Records are rejected, with all problems of each; or the body is not a batch. Nothing is stored.',
      content: json(Type.Union([RejectedBatch, Failure]), {
        rejected: {
          value: {
            success: false,
            errors: [[many], [], [ACCOUNT_ID_MISSING]],
            errors_by_attributes: [{ licenses: [many] }, {}, { account_id: [ACCOUNT_ID_MISSING] }],
          },
        },
        'no-batch': failure(INVALID_DATA),
      }),
    },
    ...COMMON_ERRORS,
    413: failed('The body is larger or has more records than the operator allows.', {
      ...tooLarge,
      ...tooMany,
    }),
  }),
};

function withDeprecation(responses: Responses): Responses {
  return Object.fromEntries(
    Object.entries(responses).map(([status, answer]) => [
      status,
      { ...answer, headers: { ...answer.headers, Deprecation: DEPRECATION, Link: LINK } },
    ]),
  );
}
