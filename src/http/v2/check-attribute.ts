import Type from 'typebox';
import { readValue } from '../../domain/attribute-types.js';
import { principalOf } from '../authenticate.js';
import { isStepKey, stepThroughAccounts } from './account-step.js';
import { AttributeNameParams } from './attribute-body.js';
import { readCursor, writeCursor } from './cursor.js';
import { operation, type V2App, type V2Parts } from './operation.js';
import { readDefinition, TYPE_PROPERTIES } from './put-attribute.js';
import { Cursor, Json, nullable } from './schemas.js';
import { PLAIN_TYPES, type PlainType, ValueTally } from './value-tally.js';

const Body = Type.Object(
  { ...TYPE_PROPERTIES, cursor: Cursor },
  { additionalProperties: false, examples: [{ type: 'choice', choices: ['gold', 'silver'] }] },
);

const Answer = Type.Object(
  {
    looked_at: Type.Integer({ description: 'accounts' }),
    values: Type.Integer({ description: 'how many of them hold the field' }),
    unfit: Type.Integer({ description: 'how many of these values a request could not send' }),
    fits: Type.Object(
      Object.fromEntries(PLAIN_TYPES.map((type) => [type, Type.Integer()])) as Record<
        PlainType,
        ReturnType<typeof Type.Integer>
      >,
      { description: 'how many of these values each type would take, whichever was asked for' },
    ),
    examples: Type.Array(Json, { description: 'up to 5 different values; long ones are cut' }),
    unfit_examples: Type.Array(Type.Object({ account_id: Type.String(), value: Json }), {
      description: 'up to 5',
    }),
    distinct: nullable(
      Type.Array(Type.String(), {
        description:
          'every different text among the values; null: more than 20, or longer than 200 characters',
      }),
    ),
    next: nullable(
      Type.String({ description: 'the `cursor` of the next request; null: all were looked at' }),
    ),
  },
  {
    title: 'AttributeCheck',
    examples: [
      {
        looked_at: 120,
        values: 12,
        unfit: 1,
        fits: { text: 12, integer: 0, decimal: 0, boolean: 0, date: 0, datetime: 0 },
        examples: ['gold', 'silver', 'Gold'],
        unfit_examples: [{ account_id: 'acme', value: 'Gold' }],
        distinct: ['gold', 'silver', 'Gold'],
        next: null,
      },
    ],
  },
);

export function checkAttribute(app: V2App, parts: V2Parts): void {
  const { store } = parts;
  const options = operation(parts, 'read', {
    id: 'check-attribute',
    tag: 'Schema',
    summary: 'Tell how stored values would fit a type',
    description:
      'Of a name that is declared or could be. Changes nothing. Looks at no more than 10,000 accounts at once: go on ' +
      'with `next` and the same type, and add up the numbers.',
    schema: { params: AttributeNameParams, body: Body },
    answers: { 200: { description: 'What a part of the accounts holds', schema: Answer } },
  });
  app.post('/attributes/:name/check', options, async (request) => {
    const { tenant } = principalOf(request);
    const { name, type, choices } = readDefinition(request.params.name, request.body);
    const { cursor } = request.body;
    const listing = ['check', name, type, choices];
    const after = cursor === undefined ? [] : readCursor(listing, cursor, isStepKey, '/body/cursor');
    const tally = new ValueTally((value) => readValue(value, { type, choices }) !== undefined);
    const { lookedAt, next } = await stepThroughAccounts(store, tenant.id, after, ({ accountId, fields }) => {
      const value = fields[name];
      if (value !== undefined) tally.add(accountId, value);
    });
    return {
      looked_at: lookedAt,
      values: tally.values,
      unfit: tally.unfit,
      fits: tally.fits,
      examples: tally.examples,
      unfit_examples: tally.unfitExamples,
      distinct: tally.distinct,
      next: next === undefined ? null : writeCursor(listing, [...next]),
    };
  });
}
