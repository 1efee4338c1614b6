import Type from 'typebox';
import { CHANGE_KINDS } from '../../store/schema/change-set.js';
import { ERRORS, type ErrorCode } from '../errors.js';

export const Timestamp = Type.String({
  format: 'date-time',
  description: 'UTC, with milliseconds.',
  examples: ['2027-01-31T12:00:00.000Z'],
});
export const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const Limit = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 50,
    description: 'Maximum number of entries of a page.',
  }),
);
export const Cursor = Type.Optional(
  Type.String({
    maxLength: 20_000,
    description: '`next` of the previous page. Send the same filters again.',
  }),
);
export const PageQuery = Type.Object({ limit: Limit, cursor: Cursor }, { additionalProperties: false });

export const DEFAULT_LIMIT = 50;

export const AccountIdParams = Type.Object({
  id: Type.String({
    minLength: 1,
    description: 'The `account_id`, case-insensitive and percent-encoded.',
    examples: ['acme'],
  }),
});

/** Any JSON value. */
export const Json = Type.Unknown();

/** An example of an account, which examples of children extend. */
export const ACCOUNT = {
  account_id: 'acme',
  parent_account_id: null,
  name: 'Acme Inc.',
  fields: { licenses: 25, custom_Tier: 'gold' },
  undeclared: ['custom_Tier'],
  revision: 2,
  created_at: '2027-01-31T12:00:00.000Z',
  updated_at: '2027-02-01T09:30:00.250Z',
  archived_at: null,
};

export const AccountSchema = Type.Object(
  {
    account_id: Type.String(),
    parent_account_id: nullable(Type.String()),
    name: nullable(Type.String()),
    fields: Type.Record(Type.String(), Json, { description: 'All other fields, as values of their types.' }),
    undeclared: Type.Array(Type.String(), { description: 'Names in `fields` that no attribute declares.' }),
    revision: Type.Integer({ minimum: 1 }),
    created_at: Timestamp,
    updated_at: Timestamp,
    archived_at: nullable(Timestamp),
  },
  {
    title: 'Account',
    examples: [ACCOUNT],
  },
);

/** An example of a change, which examples of the feed extend. */
export const CHANGE = {
  revision: 2,
  kind: 'updated',
  at: '2027-02-01T09:30:00.250Z',
  request_id: 'job-7:1',
  key_id: 'k3f9a2b7',
  source: 'crm',
  run_id: '12',
  is_erased: false,
  changes: [{ field: 'licenses', from: 20, to: 25 }],
};

export const ChangeSchema = Type.Object(
  {
    revision: Type.Integer({ minimum: 1 }),
    kind: Type.Enum([...CHANGE_KINDS], {
      description: '`restored`: an archived account was sent again, or taken out of the archive by an undo.',
    }),
    at: Timestamp,
    request_id: Type.String(),
    key_id: Type.String(),
    source: nullable(Type.String({ description: 'Null if it is not known any more.' })),
    run_id: nullable(Type.String({ description: 'Null if the request belongs to no run.' })),
    is_erased: Type.Boolean({ description: 'Whether the account was deleted, and these values with it.' }),
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

/** The schema of one page of a listing. */
export const pageOf = <T extends Type.TSchema>(item: T) =>
  Type.Object({ data: Type.Array(item), next: nullable(Type.String()) });

export const ProblemSchema = Type.Object(
  {
    type: Type.String({ description: 'urn:problem:account-sync:<name>' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    code: Type.Enum(Object.keys(ERRORS) as ErrorCode[], {
      description: 'The error code: stable, for use by programs.',
    }),
    request_id: Type.String(),
    errors: Type.Array(
      Type.Object({
        pointer: Type.String({ description: 'A JSON pointer into `{ path, query, headers, body }`.' }),
        detail: Type.String(),
      }),
    ),
  },
  { title: 'Problem' },
);
