import type { Kysely } from 'kysely';
import { AccountReader } from './account-reader.js';
import { Directory } from './directory.js';
import { type CommitGroup, GroupCommit, type GroupCommitOptions } from './group-commit.js';
import type { KeyUse, Store } from './store.js';
import type { Tables } from './tables.js';

/** What differs from database to database. */
export interface StoreParts {
  readonly location: string;
  readonly db: Kysely<Tables>;
  readonly writer: { readonly write: CommitGroup; recordKeyUse(uses: readonly KeyUse[]): Promise<void> };
  readonly queue: GroupCommitOptions;
  /** Called when nothing is written any more. */
  close(): Promise<void>;
}

export function assembleStore({ location, db, writer, queue, close }: StoreParts): Store {
  const directory = new Directory(db);
  const reader = new AccountReader(db);
  const writes = new GroupCommit((group) => writer.write(group), queue);
  return {
    location,
    directory,
    upsert: (request) => writes.submit(request),
    findAccount: (tenantId, accountId) => reader.find(tenantId, accountId),
    history: (tenantId, accountId) => reader.history(tenantId, accountId),
    fieldValues: (tenantId, field) => reader.fieldValues(tenantId, field),
    recordKeyUse: (uses) => writer.recordKeyUse(uses),
    check: async () => {
      await directory.version();
    },
    close: async () => {
      await writes.idle();
      await close();
    },
  };
}
