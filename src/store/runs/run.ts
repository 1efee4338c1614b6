import type { Selectable } from 'kysely';
import type { WriteMode } from '../../domain/account.js';
import type { Position } from '../schema/position.js';
import type { Tables } from '../schema/tables.js';
import type { SendingUser } from './senders.js';

export const RUN_STATES = ['open', 'finished', 'abandoned'] as const;
export type RunState = (typeof RUN_STATES)[number];
export type EndState = Exclude<RunState, 'open'>;
export const RUN_KINDS = ['explicit', 'implicit', 'undo'] as const;
export type RunKind = (typeof RUN_KINDS)[number];

export interface Run {
  readonly id: number;
  readonly source: string;
  readonly kind: RunKind;
  readonly mode: WriteMode;
  readonly state: RunState;
  /** The key or user of its first request. */
  readonly senderId: string;
  readonly startedAt: number;
  /** The time of its last request, or of its start. */
  readonly lastAt: number;
  readonly endedAt: number | null;
  readonly requests: number;
  /** Requests that were rejected as a whole, or failed. */
  readonly failedRequests: number;
  readonly created: number;
  readonly updated: number;
  readonly archived: number;
  /** Archived accounts that were sent again, or restored by an undo. */
  readonly restored: number;
  readonly unchanged: number;
  /** Records that do not fit its mode. */
  readonly skipped: number;
  /** Values that were left as they are, because another source owns the field. */
  readonly kept: number;
  /** Records of requests that were rejected, and rejected records of imports. */
  readonly rejected: number;
  /** How often each field was changed. */
  readonly fields: Readonly<Record<string, number>>;
  /** Null unless it undoes another run. */
  readonly undo: UndoState | null;
  /** Null if it does not ask which accounts are missing. */
  readonly missing: MissingState | null;
}

/** A run as it is shown. */
export interface NamedRun extends Run {
  /** The user who began it; null for a key. */
  readonly user: SendingUser | null;
}

/** `archive`: accounts that are missing from a run are archived at its end. `report`: they are only counted. */
export const MISSING_ACTIONS = ['archive', 'report'] as const;
export type MissingAction = (typeof MISSING_ACTIONS)[number];

export interface MissingState {
  readonly action: MissingAction;
  /**
   * How many accounts the source had pushed before, and how many of them not since the run was opened; null before it is
   * finished.
   */
  readonly found: MissingCounts | null;
}

export interface MissingCounts {
  readonly accounts: number;
  readonly of: number;
}

/** What an undo takes back, and how far it is. */
export interface UndoState {
  readonly runId: number;
  /** Null if it undoes the whole run. */
  readonly requestId: string | null;
  readonly isForced: boolean;
  /** The undo continues before this position; null before its first step is stored. */
  readonly position: Position | null;
  readonly examined: number;
  readonly toExamine: number;
  /** Fields and accounts that it has left as they are. */
  readonly conflicts: number;
}

export function runFromRow(row: Selectable<Tables['run']>): Run {
  return {
    id: row.id,
    source: row.source,
    kind: row.kind as RunKind,
    mode: row.mode as WriteMode,
    state: row.state as RunState,
    senderId: row.key_id,
    startedAt: row.started_at,
    lastAt: row.last_at,
    endedAt: row.ended_at,
    requests: row.requests,
    failedRequests: row.failed_requests,
    created: row.created,
    updated: row.updated,
    archived: row.archived,
    restored: row.restored,
    unchanged: row.unchanged,
    skipped: row.skipped,
    kept: row.kept,
    rejected: row.rejected,
    fields: JSON.parse(row.fields),
    undo: undoFromRow(row),
    missing: missingFromRow(row),
  };
}

function missingFromRow(row: Selectable<Tables['run']>): MissingState | null {
  const { missing, missing_accounts: accounts, missing_of: of } = row;
  if (missing === null) return null;
  return {
    action: missing as MissingAction,
    found: accounts === null || of === null ? null : { accounts, of },
  };
}

function undoFromRow(row: Selectable<Tables['run']>): UndoState | null {
  const { undoes, undo_turn: commitOrder, undo_seq: seq, examined, to_examine, conflicts } = row;
  if (undoes === null) return null;
  return {
    runId: undoes,
    requestId: row.undoes_request,
    isForced: row.is_forced === 1,
    position: commitOrder === null || seq === null ? null : { commitOrder, seq },
    examined,
    toExamine: to_examine,
    conflicts,
  };
}
