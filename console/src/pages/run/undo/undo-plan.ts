import type { Run, UndoState } from '@account-sync/client';
import { changesIn } from '../../../components/run-counts';

/** What the dialog is about. */
export interface UndoPlan {
  /** The run to take back. */
  readonly runId: string;
  /** Null for the whole run. */
  readonly requestId: string | null;
  readonly force: boolean;
  /** The undo to continue; null for a new one. */
  readonly interrupted: UndoState | null;
}

/** What is taken back, in sentences: “before the run”. */
export type Undone = 'run' | 'request';

export function undoneOf({ requestId }: Pick<UndoPlan, 'requestId'>): Undone {
  return requestId === null ? 'run' : 'request';
}

/** The title of the dialog. */
export function titleOf({ runId, requestId, interrupted }: UndoPlan): string {
  const what = requestId === null ? `run ${runId}` : `one request of run ${runId}`;
  return interrupted === null ? `Undo ${what}` : `Continue the undo of ${what}`;
}

/** Why a run cannot be undone now. */
export interface NoUndo {
  readonly reason: string;
}

/** `undoneBy` is the latest undo of the run. An undo that is open is continued. */
export function planUndo(run: Run, undoneBy: Run | undefined): UndoPlan | NoUndo {
  const interrupted = [run, undoneBy].find((one) => one?.state === 'open' && one.undo !== null)?.undo ?? null;
  if (interrupted !== null) {
    const { run_id: runId, request_id: requestId, force } = interrupted;
    return { runId, requestId, force, interrupted };
  }
  if (run.state === 'open') return { reason: 'A run can be undone once it has ended.' };
  if (changesIn(run) === 0) return { reason: 'This run has changed nothing that could be undone.' };
  return { runId: run.id, requestId: null, force: false, interrupted: null };
}

/** How a run was undone, before the link to the undo: such as “Undone by”. */
export function undoneText(undoneBy: Run | undefined): string {
  const what =
    undoneBy?.undo?.request_id == null ? 'undone by' : `request ${undoneBy.undo.request_id} undone by`;
  const text = { open: `being ${what}`, finished: what, abandoned: `partly ${what}` }[
    undoneBy?.state ?? 'finished'
  ];
  return text.charAt(0).toUpperCase() + text.slice(1);
}
