import * as admin from './admin-operations.js';
import * as counted from './counted-operations.js';
import { type EditAccount, editAccount } from './edit-account.js';
import { type FollowChanges, followChanges } from './follow-changes.js';
import { type Import, importAccounts } from './import-accounts.js';
import * as key from './key-operations.js';
import { type MirrorRun, mirrorRun } from './mirror-run.js';
import type { Definition } from './operation.js';
import * as read from './read-operations.js';
import { type UndoRequest, undoRequest } from './undo-request.js';
import * as write from './write-operations.js';

export type Write = write.Upsert | write.Batch | Import | EditAccount | write.Delete;
type Admin =
  | admin.PatchSettings
  | admin.PutAttribute
  | admin.DeleteAttribute
  | admin.Block
  | admin.Unblock
  | key.CreateKey
  | key.RotateKey
  | key.RevokeKey
  | key.ListKeys;
type Read =
  | read.GetAccount
  | read.GetHistory
  | read.ListAccounts
  | read.ListChildren
  | read.GetAncestors
  | read.GetSubtree
  | counted.ListRejections
  | counted.GetStats
  | counted.ListAttributes
  | FollowChanges;

/** One request, or a listing page by page. */
export type Operation = Write | UndoRequest | MirrorRun | Admin | Read;

/** A step of a run. `by` is an index of the keys of the tenant, modulo their number. */
export type Step =
  | { readonly kind: 'call'; readonly tenant: number; readonly by: number; readonly operation: Operation }
  | { readonly kind: 'concurrent'; readonly tenant: number; readonly operations: readonly Write[] }
  | { readonly kind: 'wait'; readonly minutes: number }
  | { readonly kind: 'restart' };

type Kinds = { [O in Operation as O['kind']]: Definition<O> };

const DEFINITIONS: Kinds = {
  upsert: write.upsert,
  batch: write.batch,
  import: importAccounts,
  edit: editAccount,
  delete: write.deleteAccount,
  'undo-request': undoRequest,
  'mirror-run': mirrorRun,
  'patch-settings': admin.patchSettings,
  'put-attribute': admin.putAttribute,
  'delete-attribute': admin.deleteAttribute,
  block: admin.block,
  unblock: admin.unblock,
  'create-key': key.createKey,
  'rotate-key': key.rotateKey,
  'revoke-key': key.revokeKey,
  'list-keys': key.listKeys,
  'get-account': read.getAccount,
  'get-history': read.getHistory,
  'list-accounts': read.listAccounts,
  'list-children': read.listChildren,
  'get-ancestors': read.getAncestors,
  'get-subtree': read.getSubtree,
  'list-rejections': counted.listRejections,
  'get-stats': counted.getStats,
  'list-attributes': counted.listAttributes,
  'follow-changes': followChanges,
};

export function definitionOf(operation: Operation): Definition<Operation> {
  return DEFINITIONS[operation.kind] as Definition<Operation>;
}
