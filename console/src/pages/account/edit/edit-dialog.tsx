import type { Account, Attribute, Attributes } from '@account-sync/client';
import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { useAttributesAndOwnableFields } from '../../../api/attributes';
import { ApiError, isNotFound } from '../../../api/call';
import {
  type EditOutcome,
  isRevisionChanged,
  useEditAccount,
  useLaterChanges,
} from '../../../api/edit-account';
import { fieldsOf } from '../../../api/fields';
import { LeaveGuard } from '../../../components/leave-guard';
import { openLinkInNewTab } from '../../../components/open-link-in-new-tab';
import { QueryView } from '../../../components/query-view';
import { SkeletonLines } from '../../../components/skeleton-lines';
import type { Leaving } from '../../../components/step-footer';
import { useReturnFocus } from '../../../components/use-return-focus';
import { useUnsaved } from '../../../components/use-unsaved';
import { isOwnProperty } from '../../../components/value-control';
import { withHeadings } from '../group-fields';
import { type AccountDraft, editOf, newDraft, rebase, withText } from './account-draft';
import { EditConflict } from './edit-conflict';
import type { EditGroup } from './edit-fields';
import { EditForm } from './edit-form';
import { EditReview } from './edit-review';

interface EditDialogProps {
  readonly account: Account;
  /** Whether it was deleted since the dialog opened. */
  readonly isDeleted: boolean;
  readonly onClose: () => void;
  readonly onSaved: (outcome: EditOutcome) => void;
}

/**
 * Edits an account in three steps: a form, a review by a dry run, and, if the account was changed meanwhile, what has
 * changed. The form is based on the account as it was when the dialog opened: later changes never reach it unseen.
 */
export function EditDialog({ account, isDeleted, onClose, onSaved }: EditDialogProps) {
  useReturnFocus();
  const attributes = useAttributesAndOwnableFields();
  const isOnPhone = useMediaQuery('(max-width: 48em)');
  const [draft, setDraft] = useState(() => newDraft(account));
  const [isGuarded, setGuarded] = useState(false);
  const leaving = useUnsaved(draft.texts.size > 0, onClose);
  const change = (next: AccountDraft) => {
    setDraft(next);
    setGuarded(true);
  };
  const { name, account_id: id } = draft.base;
  return (
    <Modal
      opened
      onClose={leaving.onLeave}
      title={`Edit ${name ?? id}`}
      size="xl"
      fullScreen={isOnPhone === true}
    >
      {isGuarded && <LeaveGuard onAttempt={leaving.onLeave} />}
      <QueryView query={attributes} loading={<SkeletonLines lines={8} />}>
        {(all) => (
          <EditSteps
            draft={draft}
            onDraft={change}
            groups={editableGroups(all)}
            isDeleted={isDeleted}
            leaving={leaving}
            onSaved={onSaved}
          />
        )}
      </QueryView>
    </Modal>
  );
}

/** The name and the parent come first, then the attributes under the headings of the account's page. */
function editableGroups(attributes: Attributes): EditGroup[] {
  const find = fieldsOf(attributes);
  const fields = attributes.data
    .filter((attribute) => !attribute.read_only)
    .map((attribute) => ({ ...find(attribute.name), attribute }));
  const own = { title: 'Identity', fields: fields.filter(({ name }) => isOwnProperty(name)) };
  return [own, ...withHeadings(fields.filter(({ name }) => !isOwnProperty(name)))].map((group) => ({
    title: group.title,
    fields: group.fields.map(({ attribute }) => attribute),
  }));
}

/** The server's message is about what was entered, and not about the request as a whole. */
function isAboutFields(error: Error): boolean {
  return error instanceof ApiError && error.errors.length > 0;
}

interface EditStepsProps {
  readonly draft: AccountDraft;
  readonly onDraft: (draft: AccountDraft) => void;
  readonly groups: readonly EditGroup[];
  readonly isDeleted: boolean;
  readonly leaving: Leaving;
  readonly onSaved: (outcome: EditOutcome) => void;
}

function EditSteps(props: EditStepsProps) {
  const { draft, onDraft, groups, leaving, onSaved } = props;
  const fields = groups.flatMap((group) => group.fields);
  const { account_id: id, revision } = draft.base;
  const [step, setStep] = useState<'form' | 'review' | 'conflict'>('form');
  const review = useEditAccount(id);
  const save = useEditAccount(id);
  const later = useLaterChanges(id);
  const error = isRevisionChanged(save.error ?? review.error) ? null : (save.error ?? review.error);
  const isDeleted = props.isDeleted || isNotFound(error);
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
        groups={groups}
        fields={fields}
        onText={change}
        error={error}
        isDeleted={isDeleted}
        isShown={step === 'form'}
        isReviewing={review.isPending}
        onReview={showReview}
        leaving={leaving}
      />
      {step === 'review' && review.data !== undefined && (
        <EditReview
          result={review.data}
          error={error}
          isDeleted={isDeleted}
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
          isDeleted={isDeleted}
          onContinue={(current) => showForm(rebase(draft, current, fields))}
          leaving={leaving}
        />
      )}
    </div>
  );
}
