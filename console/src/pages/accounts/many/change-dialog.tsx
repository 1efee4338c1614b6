import type { AccountEdit } from '@account-sync/client';
import { Button, Group, Modal, Stack, VisuallyHidden } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { useAttributesAndOwnableFields } from '../../../api/attributes';
import { type ChangeMany, useChangeMany } from '../../../api/change-many';
import { fieldError } from '../../../api/field-error';
import { plural } from '../../../components/format';
import { openLinkInNewTab } from '../../../components/open-link-in-new-tab';
import { useReturnFocus } from '../../../components/use-return-focus';
import { valueProblem } from '../../../components/value-problem';
import { ACTIONS, type Action, EDITS } from './actions';
import { ChangePreview } from './change-preview';
import { ChangeProblem } from './change-problem';
import { ChangeProgress } from './change-progress';
import { ChangeResult } from './change-result';
import { changedBy } from './changed-by';
import { ConfirmDeletion } from './confirm-deletion';
import { editOf, type FieldDraft, NEW_DRAFT, valuePath } from './field-draft';
import { type Selection, selectionBody } from './selection';
import { SetFieldForm } from './set-field-form';

interface ChangeDialogProps {
  readonly action: Action;
  readonly selection: Selection;
  readonly isOpen: boolean;
  /** Called when all accounts are done. */
  readonly onDone: () => void;
  readonly onClose: () => void;
  /** Called when it is closed and its transition has ended. */
  readonly onClosed: () => void;
}

/** A preview by a dry run, then the change with its progress and result. Closing it while accounts change stops that. */
export function ChangeDialog(props: ChangeDialogProps) {
  const { action, isOpen, onClose, onClosed } = props;
  useReturnFocus();
  const change = useChangeMany();
  const close = () => (isRunning(change) ? change.stop() : onClose());
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      onExitTransitionEnd={onClosed}
      title={ACTIONS[action].title}
      size="xl"
    >
      <div onClickCapture={openLinkInNewTab}>
        <Steps {...props} change={change} onClose={close} />
      </div>
    </Modal>
  );
}

/** Whether accounts are being changed. */
function isRunning({ isPending, request }: ChangeMany): boolean {
  return isPending && request?.isDryRun === false;
}

function Steps({ action, selection, change, onDone, onClose }: ChangeDialogProps & { change: ChangeMany }) {
  const [draft, setDraft] = useState<FieldDraft>(NEW_DRAFT);
  const [edit, setEdit] = useState<AccountEdit | null>(action === 'set' ? {} : EDITS[action]);
  const [matched, setMatched] = useState(0);
  const [isConfirmed, setConfirmed] = useState(action !== 'delete');
  const body = selectionBody(selection);
  const attributes = useAttributesAndOwnableFields().data?.data ?? [];
  const fields = attributes.filter((attribute) => !attribute.read_only);
  const field = fields.find(({ name }) => name === draft.field);
  const { request, summary, error, isPending, begin, clear } = change;
  const valueError =
    field && fieldError(error, valuePath(field.name), (detail) => valueProblem(detail, draft.text));
  const preview = (previewed: AccountEdit | null) => {
    setEdit(previewed);
    begin({ selection: body, edit: previewed, isDryRun: true });
  };
  const carryOut = (maxAccounts: number) => {
    setMatched(maxAccounts);
    begin({ selection: body, edit, isDryRun: false, maxAccounts });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the preview starts once, when the dialog opens
  useEffect(() => {
    if (action !== 'set') preview(edit);
  }, []);
  const isDone = summary?.dry_run === false;
  // biome-ignore lint/correctness/useExhaustiveDependencies: called once
  useEffect(() => {
    if (isDone) onDone();
  }, [isDone]);
  const submit = () => {
    const next = field && editOf(draft, field);
    if (next !== undefined) preview(next);
  };
  const status = <VisuallyHidden role="status">{announcementOf(change, action)}</VisuallyHidden>;
  if (action === 'set' && (request === undefined || valueError !== undefined)) {
    return (
      <>
        {status}
        <SetFieldForm
          fields={fields}
          draft={draft}
          error={valueError}
          onDraft={(next) => {
            clear();
            setDraft(next);
          }}
          onSubmit={submit}
          onCancel={onClose}
        />
      </>
    );
  }
  const isPreview = request?.isDryRun !== false;
  const isReady = summary?.dry_run === true && changedBy(summary) > 0;
  const confirm = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && isConfirmed) carryOut(summary.matched);
  };
  return (
    <Stack component="form" onSubmit={confirm}>
      {status}
      {isPending && <ChangeProgress change={change} action={action} matched={matched} />}
      {error !== null && (
        <ChangeProblem
          change={change}
          action={action}
          error={error}
          onRetry={() => (isPreview ? preview(edit) : carryOut(matched))}
          onPreview={() => preview(edit)}
        />
      )}
      {summary !== undefined &&
        (summary.dry_run ? (
          <ChangePreview change={change} action={action} summary={summary} />
        ) : (
          <ChangeResult change={change} action={action} summary={summary} />
        ))}
      {action === 'delete' && isReady && (
        <ConfirmDeletion accounts={changedBy(summary)} onConfirmed={setConfirmed} />
      )}
      <Group justify="flex-end" gap="sm">
        {isPreview && action === 'set' ? (
          <Button key="back" variant="default" autoFocus onClick={clear}>
            Back
          </Button>
        ) : (
          <CloseButton change={change} onClose={onClose} />
        )}
        {isReady && (
          <Button {...(action === 'delete' && { color: 'red.9' })} type="submit" disabled={!isConfirmed}>
            {ACTIONS[action].verb} {plural(changedBy(summary), 'account')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

/** Receives the focus at each step, because the button that had it is gone. */
function CloseButton({ change, onClose }: { change: ChangeMany; onClose: () => void }) {
  const step = change.request?.isDryRun !== false ? 'Cancel' : change.isPending ? 'Stop' : 'Close';
  return (
    <Button key={step} variant="default" autoFocus={step !== 'Cancel'} onClick={onClose}>
      {step}
    </Button>
  );
}

/** For screen readers. Errors are announced by themselves. */
function announcementOf({ request, isPending, summary }: ChangeMany, action: Action): string {
  if (isPending) return request?.isDryRun ? 'Preparing the preview.' : `${ACTIONS[action].doing}.`;
  if (summary === undefined) return '';
  return summary.dry_run ? 'The preview is ready.' : 'Done.';
}
