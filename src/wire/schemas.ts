import Type from 'typebox';

export const Timestamp = Type.String({
  format: 'date-time',
  description: 'UTC, with milliseconds.',
  examples: ['2027-01-31T12:00:00.000Z'],
});

export const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** Any JSON value. */
export const Json = Type.Unknown();

export function isoTime(at: number): string {
  return new Date(at).toISOString();
}
