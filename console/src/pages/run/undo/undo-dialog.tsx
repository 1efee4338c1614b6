import { Button, Group, Stack, VisuallyHidden } from '@mantine/core';
import { useEffect, useState } from 'react';
import { type UndoRun, useUndoRun } from '../../../api/undo-run';
import { changesIn } from '../../../components/run-counts';
import { ForceChoice } from './force-choice';
import { InterruptedUndo } from './interrupted-undo';
import type { UndoPlan } from './undo-plan';
import { UndoPreview } from './undo-preview';
import { UndoProblem } from './undo-problem';
import { UndoProgress } from './undo-progress';
import { UndoResult } from './undo-result';

interface UndoDialogProps {
  readonly plan: UndoPlan;
  readonly onClose: () => void;
}

/** A preview by a dry run, then the undo with its progress and result. An interrupted undo has no preview. */
export function UndoDialog({ plan, onClose }: UndoDialogProps) {
  const { runId, requestId, interrupted } = plan;
  const [force, setForce] = useState(plan.force);
  const undo = useUndoRun();
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
  const isDone = isUndoing && undo.summary !== undefined;
  const mayBegin = interrupted !== null || (undo.summary !== undefined && changesIn(undo.summary) > 0);
  return (
    <Stack>
      <VisuallyHidden role="status">{announcementOf(undo)}</VisuallyHidden>
      {interrupted !== null && undo.request === undefined && (
        <InterruptedUndo plan={plan} undo={interrupted} />
      )}
      {undo.isPending && <UndoProgress undo={undo} />}
      {undo.error !== null && (
        <UndoProblem
          error={undo.error}
          isUndoing={isUndoing}
          onRetry={() => (isUndoing ? carryOut() : preview(force))}
        />
      )}
      {undo.summary !== undefined && !isUndoing && (
        <UndoPreview summary={undo.summary} conflicts={undo.conflicts} />
      )}
      {undo.summary !== undefined && isUndoing && (
        <UndoResult summary={undo.summary} conflicts={undo.conflicts} />
      )}
      {interrupted === null && !isUndoing && (
        <ForceChoice undo={undo} isForced={force} onChange={changeForce} />
      )}
      <Group justify="flex-end" gap="sm">
        {/* Another key for each step, because the button of the step before may be gone, and the focus with it. */}
        <Button
          key={isDone ? 'done' : isUndoing ? 'undoing' : 'before'}
          variant="default"
          autoFocus={isUndoing}
          onClick={onClose}
        >
          {isUndoing ? (undo.isPending ? 'Stop' : 'Close') : 'Cancel'}
        </Button>
        {!isUndoing && (
          <Button onClick={carryOut} disabled={!mayBegin}>
            {interrupted === null ? `Undo run ${runId}` : 'Continue undo'}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

/** For screen readers. Errors are announced by themselves. */
function announcementOf({ request, isPending, summary }: UndoRun): string {
  if (isPending) return request?.isDryRun ? 'Preparing the preview.' : 'Undoing.';
  if (summary === undefined) return '';
  return summary.dry_run ? 'The preview is ready.' : 'The undo is complete.';
}
