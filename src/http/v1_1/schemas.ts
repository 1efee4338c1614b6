import Type from 'typebox';

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

export const RefusedAccount = Type.Object(
  {
    success: Type.Literal(false),
    errors: Type.Array(Type.String(), { minItems: 1 }),
    errors_by_attributes: Type.Array(Messages, { minItems: 1, maxItems: 1 }),
  },
  { title: 'RefusedAccount', description: 'Every problem at once, and again by attribute.' },
);

export const RefusedBatch = Type.Object(
  {
    success: Type.Literal(false),
    errors: Type.Array(Type.Array(Type.String()), { minItems: 1 }),
    errors_by_attributes: Type.Array(Messages, { minItems: 1 }),
  },
  {
    title: 'RefusedBatch',
    description: 'An entry for every record, in the order sent; empty for those without fault.',
  },
);

export const Unauthenticated = Type.Object(
  { success: Type.Literal(false), error: Type.String(), status: Type.Literal(403) },
  { title: 'Unauthenticated', description: 'Its `status` is 403, though that of the answer is 401.' },
);
