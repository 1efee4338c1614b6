import Type from 'typebox';
import { readValue, TYPE_NAMES, type TypeName } from '../../../domain/attribute-types.js';
import type { JsonValue } from '../../../domain/json.js';
import { firstCharacters, isLongerThan } from '../../../domain/text.js';
import { principalOf } from '../../auth/authenticate.js';
import { isStepKey, scanAccounts } from '../accounts/scan-accounts.js';
import { readCursor, writeCursor } from '../cursor.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { Cursor, Json, nullable } from '../schemas.js';
import { AttributeNameParams } from './attribute-body.js';
import { readDefinition, TYPE_PROPERTIES } from './put-attribute.js';

const MAX_EXAMPLES = 5;
const MAX_DISTINCT = 20;
/** Of a value that is shown. */
const MAX_LENGTH = 200;

/** Whether a value fits a choice depends on its choices; every other type says so itself. */
export const PLAIN_TYPES = TYPE_NAMES.filter((type) => type !== 'choice');
export type PlainType = Exclude<TypeName, 'choice'>;

/** Counts the values of one field, and keeps some to show. */
export class ValueTally {
  values = 0;
  unfit = 0;
  /** How many values each type would take. */
  readonly fits = Object.fromEntries(PLAIN_TYPES.map((type) => [type, 0])) as Record<PlainType, number>;
  readonly unfitExamples: { account_id: string; value: JsonValue }[] = [];
  readonly #fits: (value: JsonValue) => boolean;
  /** By their JSON: 1 and "1" are two. */
  readonly #examples = new Map<string, JsonValue>();
  #texts: Set<string> | undefined = new Set();

  constructor(fits: (value: JsonValue) => boolean) {
    this.#fits = fits;
  }

  add(accountId: string, value: JsonValue): void {
    this.values += 1;
    this.#noteText(value);
    for (const type of PLAIN_TYPES) {
      if (readValue(value, { type, choices: [] }) !== undefined) this.fits[type] += 1;
    }
    if (this.#examples.size < MAX_EXAMPLES) {
      const shown = clip(value);
      this.#examples.set(JSON.stringify(shown), shown);
    }
    if (this.#fits(value)) return;
    this.unfit += 1;
    if (this.unfitExamples.length < MAX_EXAMPLES) {
      this.unfitExamples.push({ account_id: accountId, value: clip(value) });
    }
  }

  get examples(): JsonValue[] {
    return [...this.#examples.values()];
  }

  /** The texts among the values; null where they are too many, or too long, to choose from. */
  get distinct(): string[] | null {
    return this.#texts === undefined ? null : [...this.#texts];
  }

  #noteText(value: JsonValue): void {
    if (typeof value !== 'string') return;
    this.#texts?.add(value);
    const isTooMuch = (this.#texts?.size ?? 0) > MAX_DISTINCT || isLongerThan(value, MAX_LENGTH);
    if (isTooMuch) this.#texts = undefined;
  }
}

/** A long text is cut; another long value is shown as the beginning of its JSON. */
function clip(value: JsonValue): JsonValue {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return isLongerThan(text, MAX_LENGTH) ? `${firstCharacters(text, MAX_LENGTH)}…` : value;
}

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
    const { lookedAt, next } = await scanAccounts(store, tenant.id, after, ({ accountId, fields }) => {
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
