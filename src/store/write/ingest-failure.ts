import { DiskFailure, NoFreeConnection } from '../errors.js';

/** Between threads an error loses its class and its properties. */
export interface IngestFailure {
  readonly error: Error;
  /** Such as the code and the detail of a database. */
  readonly properties: Readonly<Record<string, string | number>>;
  /** Of a class that others distinguish. */
  readonly className: keyof typeof CLASSES | undefined;
}

const CLASSES = { DiskFailure, NoFreeConnection };

export function failure(error: Error): IngestFailure {
  const known = Object.entries(CLASSES).find(([, known]) => error instanceof known);
  const className = known?.[0] as IngestFailure['className'];
  const properties = Object.entries(error).filter(([, value]) => ['string', 'number'].includes(typeof value));
  return { error, properties: Object.fromEntries(properties), className };
}

/** The error as it was in the thread. */
export function errorOf({ error, properties, className }: IngestFailure): Error {
  if (className !== undefined) return new CLASSES[className](error.message, { cause: error });
  return Object.assign(error, properties);
}
