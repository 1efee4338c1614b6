import type { Kysely } from 'kysely';
import type { Tables } from '../tables.js';
import { firstTables } from './0001-first-tables.js';
import { readAndTrace } from './0002-read-and-trace.js';
import { rateLimits } from './0003-rate-limits.js';
import { sessions } from './0004-sessions.js';
import { retention } from './0005-retention.js';

export type Dialect = 'sqlite' | 'postgres';

export interface Migration {
  readonly name: string;
  run(db: Kysely<Tables>, dialect: Dialect): Promise<void>;
}

/** Numbered by their place, from 1; only ever appended to, never edited once released. */
export const allMigrations: readonly Migration[] = [
  { name: 'first tables', run: firstTables },
  { name: 'read and trace', run: readAndTrace },
  { name: 'rate limits', run: rateLimits },
  { name: 'sessions', run: sessions },
  { name: 'retention', run: retention },
];
