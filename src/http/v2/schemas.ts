import Type from 'typebox';
import { Json, nullable, Timestamp } from '../../wire/schemas.js';
import { ERRORS, type ErrorCode } from '../errors.js';

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
