import Type from 'typebox';
import { readValue, TYPE_NAMES, type TypeName } from '../../../domain/attribute-types.js';
import type { JsonValue } from '../../../domain/json.js';
import { firstCharacters, isLongerThan } from '../../../domain/text.js';
import { Json, nullable } from '../../../wire/schemas.js';
import { principalOf } from '../../auth/authenticate.js';
import { isScanKey, scanAccounts } from '../accounts/scan-accounts.js';
import { readCursor, writeCursor } from '../cursor.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { Cursor } from '../schemas.js';
import { AttributeNameParams } from './attribute-body.js';
import { readDefinition, TYPE_PROPERTIES } from './put-attribute.js';

const MAX_EXAMPLES = 5;
const MAX_DISTINCT = 20;
/** Longest value that is returned in full, in characters. */
const MAX_LENGTH = 200;

/** All types but `choice`, for which a value's fit depends on the choices, too. */
const PLAIN_TYPES = TYPE_NAMES.filter((type) => type !== 'choice');
export type PlainType = Exclude<TypeName, 'choice'>;

/** Counts which types the values of one field fit, and keeps some examples. */
class ValueStatistics {
  values = 0;
  unfit = 0;
  /** Number of values that fit each type. */
  readonly fits = Object.fromEntries(PLAIN_TYPES.map((type) => [type, 0])) as Record<PlainType, number>;
  readonly unfitExamples: { account_id: string; value: JsonValue }[] = [];
  readonly #fits: (value: JsonValue) => boolean;
  /** By JSON text, so that 1 and "1" are different. */
  readonly #examples = new Map<string, JsonValue>();
  #texts: Set<string> | undefined = new Set();

  constructor(fits: (value: JsonValue) => boolean) {
    this.#fits = fits;
  }

  add(accountId: string, value: JsonValue): void {
    this.values += 1;
    this.#addText(value);
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

  /** The distinct texts among the values; null if there are too many, or if one is too long. */
  get distinct(): string[] | null {
    return this.#texts === undefined ? null : [...this.#texts];
  }

  #addText(value: JsonValue): void {
    if (typeof value !== 'string') return;
    this.#texts?.add(value);
    const isTooMuch = (this.#texts?.size ?? 0) > MAX_DISTINCT || isLongerThan(value, MAX_LENGTH);
    if (isTooMuch) this.#texts = undefined;
  }
}

/** Truncates a long text; any other long value becomes the beginning of its JSON text. */
function clip(value: JsonValue): JsonValue {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return isLongerThan(text, MAX_LENGTH) ? `${firstCharacters(text, MAX_LENGTH)}…` : value;
}

const Body = Type.Object(
  { ...TYPE_PROPERTIES, cursor: Cursor },
  { additionalProperties: false, examples: [{ type: 'choice', choices: ['gold', 'silver'] }] },
);

const ResponseBody = Type.Object(
  {
    looked_at: Type.Integer({ description: 'Number of accounts checked.' }),
    values: Type.Integer({ description: 'Number of these accounts that have the field.' }),
    unfit: Type.Integer({ description: 'Number of values that do not fit the type.' }),
    fits: Type.Object(
      Object.fromEntries(PLAIN_TYPES.map((type) => [type, Type.Integer()])) as Record<
        PlainType,
        ReturnType<typeof Type.Integer>
      >,
      { description: 'Number of values that fit each type, also those not requested.' },
    ),
    examples: Type.Array(Json, { description: 'Up to 5 different values; long ones are truncated.' }),
    unfit_examples: Type.Array(Type.Object({ account_id: Type.String(), value: Json }), {
      description: 'Up to 5 values that do not fit.',
    }),
    distinct: nullable(
      Type.Array(Type.String(), {
        description:
          'The distinct texts among the values; null if there are more than 20, or one has over 200 characters.',
      }),
    ),
    next: nullable(
      Type.String({ description: 'The `cursor` of the next request; null after the last account.' }),
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
    summary: 'Check how stored values fit a type',
    description:
      'Works for declared attributes and for names that could be declared. Changes nothing. One request checks at ' +
      'most 10,000 accounts: continue with `next` and the same type, and add up the numbers.',
    schema: { params: AttributeNameParams, body: Body },
    responses: { 200: { description: 'The counts of one part of the accounts.', schema: ResponseBody } },
  });
  app.post('/attributes/:name/check', options, async (request) => {
    const { tenant } = principalOf(request);
    const { cursor, ...definition } = request.body;
    const { name, type, choices } = readDefinition(request.params.name, definition);
    const listing = ['check', name, type, choices];
    const after = cursor === undefined ? [] : readCursor(listing, cursor, isScanKey, '/body/cursor');
    const statistics = new ValueStatistics((value) => readValue(value, { type, choices }) !== undefined);
    const { scanned, next } = await scanAccounts(store, tenant.id, after, ({ accountId, fields }) => {
      const value = fields[name];
      if (value !== undefined) statistics.add(accountId, value);
    });
    return {
      looked_at: scanned,
      values: statistics.values,
      unfit: statistics.unfit,
      fits: statistics.fits,
      examples: statistics.examples,
      unfit_examples: statistics.unfitExamples,
      distinct: statistics.distinct,
      next: next === undefined ? null : writeCursor(listing, [...next]),
    };
  });
}
