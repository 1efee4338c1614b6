import type { Kysely } from 'kysely';
import type { Dialect } from '../migrations/all-migrations.js';
import type { ChangeFeed } from '../reading/change-feed.js';
import type { Tables } from '../tables.js';
import { AttributeIndex } from './attribute-index.js';
import { eraseHistory } from './erase-history.js';
import { Rejections, type TenantRejections } from './rejections.js';
import { Tally } from './tally.js';

/** Writes that nobody waits for as they wait for an account: done where they do not stop the event loop. */
export interface Chores {
  /** Counts the changes of a tenant; false where some could not be read yet. */
  countChanges(tenantId: number, now: number): Promise<boolean>;
  recordRejections(all: readonly TenantRejections[], now: number, oldest: number): Promise<void>;
  forgetRejections(oldest: number): Promise<void>;
  /** Erases what is known of an account that is about to be deleted, but for the account itself. */
  eraseTraces(tenantId: number, accountId: string): Promise<void>;
  /** Removes what was refused of an account. */
  forgetRefused(tenantId: number, accountId: string): Promise<void>;
  buildIndex(tenantId: number, attribute: string): Promise<void>;
  dropIndex(tenantId: number, attribute: string): Promise<void>;
}

export function choresOver(db: Kysely<Tables>, feed: ChangeFeed, dialect: Dialect): Chores {
  const tally = new Tally(db, feed);
  const rejections = new Rejections(db);
  const index = new AttributeIndex(db, dialect);
  return {
    countChanges: (tenantId, now) => tally.catchUp(tenantId, now),
    recordRejections: (all, now, oldest) => rejections.record(all, now, oldest),
    forgetRejections: (oldest) => rejections.forget(oldest),
    eraseTraces: async (tenantId, accountId) => {
      await eraseHistory(db, dialect, tenantId, accountId);
      await rejections.forgetAccount(tenantId, accountId);
    },
    forgetRefused: (tenantId, accountId) => rejections.forgetAccount(tenantId, accountId),
    buildIndex: (tenantId, attribute) => index.build(tenantId, attribute),
    dropIndex: (tenantId, attribute) => index.drop(tenantId, attribute),
  };
}
