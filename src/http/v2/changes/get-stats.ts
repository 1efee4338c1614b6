import Type from 'typebox';
import { UNIT_NAMES, UNITS, type Unit } from '../../../store/changes/period-counts.js';
import { principalOf } from '../../auth/authenticate.js';
import { isoTime } from '../accounts/account-body.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { readMoment } from '../request-validation.js';
import { Moment } from '../schemas.js';

/** As many as fit into a chart. */
const DEFAULT_PERIODS: Readonly<Record<Unit, number>> = { minute: 60, hour: 48, day: 30 };

const Query = Type.Object(
  {
    unit: Type.Optional(
      Type.Enum([...UNIT_NAMES], { default: 'hour', description: 'the length of a period' }),
    ),
    from: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'the first moment',
        examples: ['2027-01-31T00:00:00Z'],
      }),
    ),
    to: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'up to, and not with, this moment',
        examples: ['2027-02-01T00:00:00Z'],
      }),
    ),
  },
  { additionalProperties: false },
);

const Answer = Type.Object({
  accounts: Type.Integer({ description: 'how many there are, about a second ago', examples: [1234] }),
  unit: Type.Enum([...UNIT_NAMES], { examples: ['hour'] }),
  data: Type.Array(
    Type.Object(
      {
        start: Moment,
        created: Type.Integer(),
        updated: Type.Integer(),
        deleted: Type.Integer(),
        refused: Type.Integer(),
      },
      { examples: [{ start: '2027-02-01T09:00:00.000Z', created: 1, updated: 2, deleted: 0, refused: 3 }] },
    ),
    { description: 'oldest first; periods in which nothing happened are left out' },
  ),
});

export function getStats(app: V2App, parts: V2Parts): void {
  const { store, clock } = parts;
  const options = operation(parts, 'read', {
    id: 'get-stats',
    tag: 'Changes',
    summary: 'Count accounts, changes and refusals by minute, hour or day',
    description: 'Minutes are kept for two days, hours for two months, days for ever.',
    schema: { querystring: Query },
    answers: { 200: { description: 'The counts', schema: Answer } },
  });
  app.get('/stats', options, async (request) => {
    const { tenant } = principalOf(request);
    const unit = request.query.unit ?? 'hour';
    const to = readMoment(request.query.to, '/query/to') ?? clock() + 1;
    const from =
      readMoment(request.query.from, '/query/from') ?? to - DEFAULT_PERIODS[unit] * UNITS[unit].length;
    const periods = await store.statistics.periods(tenant.id, unit, from, to);
    return {
      accounts: await store.statistics.accounts(tenant.id),
      unit,
      data: periods.map(({ start, ...counts }) => ({ start: isoTime(start), ...counts })),
    };
  });
}
