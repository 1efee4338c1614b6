import type { Kysely } from 'kysely';
import { AccountReader } from './account-reader.js';
import { Directory } from './directory.js';
import type { Store } from './store.js';
import type { Observation } from './store-observer.js';
import type { Tables } from './tables.js';

/** What differs from database to database. */
export interface StoreParts {
  readonly location: string;
  readonly db: Kysely<Tables>;
  readonly writer: Pick<Store, 'upsert' | 'recordKeyUse' | 'waitingRecords'>;
  readonly leaseRequests: Store['leaseRequests'];
  readonly observation: Observation;
  readonly close: Store['close'];
}

export function assembleStore({ location, db, writer, observation, ...others }: StoreParts): Store {
  const directory = new Directory(db);
  const reader = new AccountReader(db);
  return {
    location,
    directory,
    upsert: (request) => writer.upsert(request),
    findAccount: (tenantId, accountId) => reader.find(tenantId, accountId),
    history: (tenantId, accountId) => reader.history(tenantId, accountId),
    fieldValues: (tenantId, field) => reader.fieldValues(tenantId, field),
    recordKeyUse: (uses) => writer.recordKeyUse(uses),
    observe: (observer) => {
      observation.observer = observer;
    },
    waitingRecords: () => writer.waitingRecords(),
    check: async () => {
      await directory.version();
    },
    ...others,
  };
}
