export {
  AccountSync,
  type ChangesOptions,
  type FinishOptions,
  type ImportOptions,
  type OpenRunOptions,
  type UpsertChunksOptions,
  type UpsertManyOptions,
  type UpsertResult,
  type WriteOptions,
} from './account-sync.js';
export type { CallOptions, ConnectionOptions as AccountSyncOptions } from './connection.js';
export type { EditOptions } from './edit-account.js';
export {
  AccountSyncError,
  ForbiddenError,
  IncompleteImportError,
  NotFoundError,
  RefusedError,
  UnauthenticatedError,
  UnavailableError,
  UnexpectedAnswerError,
} from './errors.js';
export type { Answer, Fetch } from './fetch.js';
export type { ImportRun } from './import-run.js';
export type { ManyOptions } from './many-accounts.js';
export type { ImportInput } from './record-lines.js';
export type { Retry } from './retries.js';
export type { Sequence } from './sequence.js';
export type { Subtree } from './subtree.js';
export type { UndoOptions } from './undo-run.js';
export { InvalidWebhookError, verifyWebhook, type WebhookHeaders } from './verify-webhook.js';
export type { ReplayFrom, Webhooks } from './webhooks.js';
export type * from './wire.js';
