import type { Kysely } from 'kysely';
import type { DialectName } from '../dialect.js';
import { firstTables } from './migrations/0001-first-tables.js';
import { readAndTrace } from './migrations/0002-read-and-trace.js';
import { rateLimits } from './migrations/0003-rate-limits.js';
import { sessions } from './migrations/0004-sessions.js';
import { retention } from './migrations/0005-retention.js';
import { changeSets } from './migrations/0006-change-sets.js';
import { indexProgress } from './migrations/0007-index-progress.js';
import { sourcesAndRuns } from './migrations/0008-sources-and-runs.js';
import { archiveAndUndo } from './migrations/0009-archive-and-undo.js';
import { mirror } from './migrations/0010-mirror.js';
import { ownershipAndModes } from './migrations/0011-ownership-and-modes.js';
import { webhooks } from './migrations/0012-webhooks.js';
import { users } from './migrations/0013-users.js';
import { attributePresentation } from './migrations/0014-attribute-presentation.js';
import type { Tables } from './tables.js';

export interface Migration {
  readonly name: string;
  /** Whether servers of earlier versions fail once the migration has run, so that they have to be stopped before. */
  readonly excludesServers?: true;
  /** `report` receives the progress of a migration that can take long. */
  run(db: Kysely<Tables>, dialect: DialectName, report: (done: number, total: number) => void): Promise<void>;
}

export interface MigrationProgress {
  readonly migration: string;
  readonly done: number;
  readonly total: number;
}

/** The schema version is the position in this list, from 1. Released migrations are never edited or reordered. */
export const allMigrations: readonly Migration[] = [
  { name: 'first tables', run: firstTables },
  { name: 'read and trace', run: readAndTrace },
  { name: 'rate limits', run: rateLimits },
  { name: 'sessions', run: sessions },
  { name: 'retention', run: retention },
  { name: 'change sets', run: changeSets, excludesServers: true },
  { name: 'index progress', run: indexProgress },
  { name: 'sources and runs', run: sourcesAndRuns },
  { name: 'archive and undo', run: archiveAndUndo },
  { name: 'mirror', run: mirror },
  { name: 'ownership and modes', run: ownershipAndModes },
  { name: 'webhooks', run: webhooks },
  { name: 'users', run: users },
  { name: 'attribute presentation', run: attributePresentation },
];
