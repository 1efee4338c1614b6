import Type from 'typebox';
import { UNIT_NAMES, UNITS, type Unit } from '../../../store/changes/period-counts.js';
import { isoTime, Timestamp } from '../../../wire/schemas.js';
import { principalOf } from '../../auth/authenticate.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { readTimestamp } from '../request-validation.js';

/** As many periods as fit into a chart. */
const DEFAULT_PERIODS: Readonly<Record<Unit, number>> = { minute: 60, hour: 48, day: 30 };

const Query = Type.Object(
  {
    unit: Type.Optional(Type.Enum([...UNIT_NAMES], { default: 'hour', description: 'Length of a period.' })),
    from: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Start of the time range, inclusive.',
        examples: ['2027-01-31T00:00:00Z'],
      }),
    ),
    to: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'End of the time range, exclusive.',
        examples: ['2027-02-01T00:00:00Z'],
      }),
    ),
  },
  { additionalProperties: false },
);

const ResponseBody = Type.Object({
  accounts: Type.Integer({
    description: 'Number of accounts that are not archived, about a second old.',
    examples: [1234],
  }),
  archived: Type.Integer({ description: 'Number of archived accounts.', examples: [12] }),
  unit: Type.Enum([...UNIT_NAMES], { examples: ['hour'] }),
  data: Type.Array(
    Type.Object(
      {
        start: Timestamp,
        created: Type.Integer(),
        updated: Type.Integer(),
        archived: Type.Integer(),
        restored: Type.Integer({ description: 'Accounts that left the archive: restored, or deleted.' }),
        deleted: Type.Integer(),
        refused: Type.Integer(),
      },
      {
        examples: [
          {
            start: '2027-02-01T09:00:00.000Z',
            created: 1,
            updated: 2,
            archived: 0,
            restored: 0,
            deleted: 0,
            refused: 3,
          },
        ],
      },
    ),
    { description: 'Oldest first, without periods in which nothing happened.' },
  ),
});

export function getStats(app: V2App, parts: V2Parts): void {
  const { store, clock } = parts;
  const options = operation(parts, 'read', {
    id: 'get-stats',
    tag: 'Changes',
    summary: 'Count accounts, changes and rejections by minute, hour or day',
    description: 'Keeps minutes for two days, hours for two months, and days without limit.',
    schema: { querystring: Query },
    responses: { 200: { description: 'The counts.', schema: ResponseBody } },
  });
  app.get('/stats', options, async (request) => {
    const { tenant } = principalOf(request);
    const unit = request.query.unit ?? 'hour';
    const to = readTimestamp(request.query.to, '/query/to') ?? clock() + 1;
    const from =
      readTimestamp(request.query.from, '/query/from') ?? to - DEFAULT_PERIODS[unit] * UNITS[unit].length;
    const periods = await store.statistics.periods(tenant.id, unit, from, to);
    return {
      ...(await store.statistics.counts(tenant.id)),
      unit,
      data: periods.map(({ start, ...counts }) => ({ start: isoTime(start), ...counts })),
    };
  });
}
