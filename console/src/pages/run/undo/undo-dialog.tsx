import { Button, Group, Stack, VisuallyHidden } from '@mantine/core';
import { useEffect, useState } from 'react';
import { type UndoRun, useUndoRun } from '../../../api/undo-run';
import { changesIn } from '../../../components/run-counts';
import { ForceChoice } from './force-choice';
import { InterruptedUndo } from './interrupted-undo';
import { type Undone, type UndoPlan, undoneOf } from './undo-plan';
import { UndoPreview } from './undo-preview';
import { UndoProblem } from './undo-problem';
import { UndoProgress } from './undo-progress';
import { UndoResult } from './undo-result';

interface UndoDialogProps {
  readonly plan: UndoPlan;
  readonly onClose: () => void;
  /** Called when the undo is complete. */
  readonly onUndone?: (() => void) | undefined;
}

/** A preview by a dry run, then the undo with its progress and result. An interrupted undo has no preview. */
export function UndoDialog({ plan, onClose, onUndone }: UndoDialogProps) {
  const { runId, requestId, interrupted } = plan;
  const [force, setForce] = useState(plan.force);
  const undo = useUndoRun(onUndone);
  const undone = undoneOf(plan);
  const isUndoing = undo.request?.isDryRun === false;
  const preview = (isForced: boolean) => undo.begin({ runId, requestId, force: isForced, isDryRun: true });
  const carryOut = () => undo.begin({ runId, requestId, force, isDryRun: false });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the preview starts once, when the dialog opens
  useEffect(() => {
    if (interrupted === null) preview(force);
  }, []);
  const changeForce = (isForced: boolean) => {
    setForce(isForced);
    preview(isForced);
  };
  return (
    <Stack>
      <VisuallyHidden role="status">{announcementOf(undo)}</VisuallyHidden>
      {interrupted !== null && undo.request === undefined && (
        <InterruptedUndo plan={plan} undo={interrupted} />
      )}
      <Outcome undo={undo} undone={undone} onRetry={() => (isUndoing ? carryOut() : preview(force))} />
      {interrupted === null && !isUndoing && (
        <ForceChoice undo={undo} undone={undone} isForced={force} onChange={changeForce} />
      )}
      <Group justify="flex-end" gap="sm">
        <CloseButton undo={undo} onClose={onClose} />
        {!isUndoing && (
          <Button onClick={carryOut} disabled={!mayBegin(plan, undo)}>
            {interrupted !== null ? 'Continue undo' : undone === 'run' ? `Undo run ${runId}` : 'Undo request'}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

/** After a preview that would change something. */
function mayBegin({ interrupted }: UndoPlan, { summary }: UndoRun): boolean {
  return interrupted !== null || (summary !== undefined && changesIn(summary) > 0);
}

interface OutcomeProps {
  readonly undo: UndoRun;
  readonly undone: Undone;
  readonly onRetry: () => void;
}

function Outcome({ undo, undone, onRetry }: OutcomeProps) {
  const { request, isPending, error, summary, conflicts } = undo;
  if (isPending) return <UndoProgress undo={undo} />;
  if (error !== null)
    return <UndoProblem error={error} isUndoing={request?.isDryRun === false} onRetry={onRetry} />;
  if (summary === undefined) return null;
  const View = summary.dry_run ? UndoPreview : UndoResult;
  return <View summary={summary} conflicts={conflicts} undone={undone} />;
}

/** Receives the focus at each step of the undo, because the button that had it is gone. */
function CloseButton({ undo, onClose }: { undo: UndoRun; onClose: () => void }) {
  const step = undo.request?.isDryRun !== false ? 'Cancel' : undo.isPending ? 'Stop' : 'Close';
  return (
    <Button key={step} variant="default" autoFocus={step !== 'Cancel'} onClick={onClose}>
      {step}
    </Button>
  );
}

/** For screen readers. Errors are announced by themselves. */
function announcementOf({ request, isPending, summary }: UndoRun): string {
  if (isPending) return request?.isDryRun ? 'Preparing the preview.' : 'Undoing.';
  if (summary === undefined) return '';
  return summary.dry_run ? 'The preview is ready.' : 'The undo is complete.';
}
