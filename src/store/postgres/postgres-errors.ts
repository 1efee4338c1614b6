import { StoreUnusable } from '../errors.js';

/** Advice by the error code of the operating system or of PostgreSQL. */
const ADVICE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Is it running there, and is DATABASE_URL right?',
  ENOTFOUND: 'Is the host in DATABASE_URL right?',
  '28P01': 'Is the password in DATABASE_URL right?',
  '28000': "Are the user in DATABASE_URL and the server's pg_hba.conf right?",
  '3D000': 'Create it, or name another in DATABASE_URL.',
  '42501': 'Let the user create tables there, or make it the owner of the database.',
};

/** An error with a message for the operator. It names hosts and database, and never the password. */
export function unusable(name: string, error: unknown): Error {
  if (error instanceof StoreUnusable) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  const reason = `The database ${name} cannot be used: ${message || code}.`;
  return new StoreUnusable([reason, ADVICE[code] ?? ''].join(' ').trim(), { cause: error });
}
