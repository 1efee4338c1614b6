import Type from 'typebox';

export const Moment = Type.String({ format: 'date-time', description: 'UTC, with milliseconds' });
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
  id: Type.String({ minLength: 1, description: 'account_id, in any case; percent-encoded' }),
});

/** Any JSON. */
export const Json = Type.Unknown();

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
  { title: 'Account' },
);

export const ChangeSchema = Type.Object({
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
});

/** A page of a listing. */
export const pageOf = <T extends Type.TSchema>(item: T) =>
  Type.Object({ data: Type.Array(item), next: nullable(Type.String()) });

export const ProblemSchema = Type.Object(
  {
    type: Type.String({ description: 'urn:problem:account-sync:<name>' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
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
