import type { Account, Attribute, Attributes, EditResult } from '@account-sync/client';
import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { useAttributesAndOwnableFields } from '../../../api/attributes';
import { ApiError } from '../../../api/call';
import { isRevisionChanged, useEditAccount, useLaterChanges } from '../../../api/edit-account';
import { fieldsOf, inGroups } from '../../../api/fields';
import { openLinkInNewTab } from '../../../components/open-link-in-new-tab';
import { QueryView } from '../../../components/query-view';
import { SkeletonLines } from '../../../components/skeleton-lines';
import { useLeaveGuard } from '../../../components/use-leave-guard';
import { useReturnFocus } from '../../../components/use-return-focus';
import { isOwnProperty } from '../../../components/value-control';
import { type AccountDraft, editOf, newDraft, rebase, withText } from './account-draft';
import { EditConflict } from './edit-conflict';
import { EditForm } from './edit-form';
import { EditReview } from './edit-review';
import type { Leaving } from './step-footer';

interface EditDialogProps {
  readonly account: Account;
  readonly onClose: () => void;
  readonly onSaved: (result: EditResult) => void;
}

/**
 * Edits an account in three steps: a form, a review by a dry run, and, if the account was changed meanwhile, what has
 * changed. The form is based on the account as it was when the dialog opened: later changes never reach it unseen.
 */
export function EditDialog({ account, onClose, onSaved }: EditDialogProps) {
  useReturnFocus();
  const attributes = useAttributesAndOwnableFields();
  const isOnPhone = useMediaQuery('(max-width: 48em)');
  const [draft, setDraft] = useState(() => newDraft(account));
  const [isGuarded, setGuarded] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const focused = useRef<Element | null>(null);
  const leave = () => {
    if (draft.texts.size === 0) return onClose();
    if (!isAsking) focused.current = document.activeElement;
    setAsking(true);
  };
  const stay = () => {
    setAsking(false);
    (focused.current as HTMLElement | null)?.focus();
  };
  const leaving = { isAsking, onLeave: leave, onDiscard: onClose, onStay: stay };
  const change = (next: AccountDraft) => {
    setDraft(next);
    setGuarded(true);
  };
  const { name, account_id: id } = draft.base;
  return (
    <Modal opened onClose={leave} title={`Edit ${name ?? id}`} size="xl" fullScreen={isOnPhone === true}>
      {isGuarded && <LeaveGuard onAttempt={leave} />}
      <QueryView query={attributes} loading={<SkeletonLines lines={8} />}>
        {(all) => (
          <EditSteps
            draft={draft}
            onDraft={change}
            fields={editableFields(all)}
            leaving={leaving}
            onSaved={onSaved}
          />
        )}
      </QueryView>
    </Modal>
  );
}

/** Stays once something was changed: going back in the history to remove it takes a moment. */
function LeaveGuard({ onAttempt }: { onAttempt: () => void }) {
  useLeaveGuard(onAttempt);
  return null;
}

/** The name and the parent come first, then the attributes in the order of the account's page. */
function editableFields(attributes: Attributes): Attribute[] {
  const find = fieldsOf(attributes);
  const fields = attributes.data.filter((attribute) => !attribute.read_only);
  const own = fields.filter(({ name }) => isOwnProperty(name));
  const others = fields
    .filter(({ name }) => !isOwnProperty(name))
    .map((attribute) => ({
      ...find(attribute.name),
      attribute,
    }));
  return [...own, ...inGroups(others).flatMap((group) => group.fields.map(({ attribute }) => attribute))];
}

/** The server's message is about what was entered, and not about the request as a whole. */
function isAboutFields(error: Error): boolean {
  return error instanceof ApiError && error.errors.length > 0;
}

interface EditStepsProps {
  readonly draft: AccountDraft;
  readonly onDraft: (draft: AccountDraft) => void;
  readonly fields: readonly Attribute[];
  readonly leaving: Leaving;
  readonly onSaved: (result: EditResult) => void;
}

function EditSteps({ draft, onDraft, fields, leaving, onSaved }: EditStepsProps) {
  const { account_id: id, revision } = draft.base;
  const [step, setStep] = useState<'form' | 'review' | 'conflict'>('form');
  const review = useEditAccount(id);
  const save = useEditAccount(id);
  const later = useLaterChanges(id);
  const error = isRevisionChanged(save.error ?? review.error) ? null : (save.error ?? review.error);
  const onError = (failure: Error) => {
    if (isRevisionChanged(failure)) {
      setStep('conflict');
      later.mutate(revision);
    } else if (isAboutFields(failure)) setStep('form');
  };
  const edit = editOf(draft, fields);
  const showReview = () => {
    save.reset();
    review.mutate({ edit, revision, isDryRun: true }, { onSuccess: () => setStep('review'), onError });
  };
  const store = () => save.mutate({ edit, revision }, { onSuccess: onSaved, onError });
  const change = (field: Attribute, text: string | undefined) => {
    // What is reviewed must be what is saved.
    if (review.isPending) review.reset();
    onDraft(withText(draft, field, text));
  };
  const showForm = (next: AccountDraft) => {
    onDraft(next);
    review.reset();
    save.reset();
    later.reset();
    setStep('form');
  };
  return (
    <div onClickCapture={openLinkInNewTab}>
      <EditForm
        draft={draft}
        fields={fields}
        onText={change}
        error={error}
        isShown={step === 'form'}
        isReviewing={review.isPending}
        onReview={showReview}
        leaving={leaving}
      />
      {step === 'review' && review.data !== undefined && (
        <EditReview
          result={review.data}
          error={error}
          isSaving={save.isPending}
          onBack={() => showForm(draft)}
          onSave={store}
          leaving={leaving}
        />
      )}
      {step === 'conflict' && (
        <EditConflict
          draft={draft}
          fields={fields}
          later={later}
          onContinue={(current) => showForm(rebase(draft, current, fields))}
          leaving={leaving}
        />
      )}
    </div>
  );
}
