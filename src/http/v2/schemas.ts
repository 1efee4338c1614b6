import Type from 'typebox';
import { ERRORS, type ErrorCode } from '../errors.js';

export const Moment = Type.String({
  format: 'date-time',
  description: 'UTC, with milliseconds',
  examples: ['2027-01-31T12:00:00.000Z'],
});
export const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const Limit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 1000, default: 50, description: 'the most entries of a page' }),
);
export const Cursor = Type.Optional(
  Type.String({ maxLength: 20_000, description: '`next` of the page before; the same filters again' }),
);
export const PageQuery = Type.Object({ limit: Limit, cursor: Cursor }, { additionalProperties: false });

export const DEFAULT_LIMIT = 50;

export const AccountIdParams = Type.Object({
  id: Type.String({
    minLength: 1,
    description: 'account_id, in any case; percent-encoded',
    examples: ['acme'],
  }),
});

/** Any JSON. */
export const Json = Type.Unknown();

/** Written out once: children tell more of it. */
export const ACCOUNT = {
  account_id: 'acme',
  parent_account_id: null,
  name: 'Acme Inc.',
  fields: { licenses: 25, custom_Tier: 'gold' },
  undeclared: ['custom_Tier'],
  revision: 2,
  created_at: '2027-01-31T12:00:00.000Z',
  updated_at: '2027-02-01T09:30:00.250Z',
};

export const AccountSchema = Type.Object(
  {
    account_id: Type.String(),
    parent_account_id: nullable(Type.String()),
    name: nullable(Type.String()),
    fields: Type.Record(Type.String(), Json, { description: 'all others, in their types' }),
    undeclared: Type.Array(Type.String(), { description: 'those in `fields` that no attribute declares' }),
    revision: Type.Integer({ minimum: 1 }),
    created_at: Moment,
    updated_at: Moment,
  },
  {
    title: 'Account',
    examples: [ACCOUNT],
  },
);

/** Written out once: the feed tells of it with its place. */
export const CHANGE = {
  revision: 2,
  kind: 'updated',
  at: '2027-02-01T09:30:00.250Z',
  request_id: 'job-7:1',
  key_id: 'crm',
  is_erased: false,
  changes: [{ field: 'licenses', from: 20, to: 25 }],
};

export const ChangeSchema = Type.Object(
  {
    revision: Type.Integer({ minimum: 1 }),
    kind: Type.Enum(['created', 'updated', 'deleted']),
    at: Moment,
    request_id: Type.String(),
    key_id: Type.String(),
    is_erased: Type.Boolean({ description: 'the account was deleted, and with it these values' }),
    changes: Type.Array(
      Type.Object({
        field: Type.String(),
        from: Json,
        to: Json,
      }),
    ),
  },
  { title: 'Change', examples: [CHANGE] },
);

/** A page of a listing. */
export const pageOf = <T extends Type.TSchema>(item: T) =>
  Type.Object({ data: Type.Array(item), next: nullable(Type.String()) });

export const ProblemSchema = Type.Object(
  {
    type: Type.String({ description: 'urn:problem:account-sync:<name>' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    code: Type.Enum(Object.keys(ERRORS) as ErrorCode[], {
      description: 'which error it is; stable, for programs',
    }),
    request_id: Type.String(),
    errors: Type.Array(
      Type.Object({
        pointer: Type.String({ description: 'JSON pointer into { path, query, headers, body }' }),
        detail: Type.String(),
      }),
    ),
  },
  { title: 'Problem' },
);
