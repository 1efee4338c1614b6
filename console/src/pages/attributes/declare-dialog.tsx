import type { Attribute } from '@account-sync/client';
import { Button, Modal, Stack, Text } from '@mantine/core';
import { useDebouncedValue, useMediaQuery } from '@mantine/hooks';
import { type FormEvent, useEffect, useState } from 'react';
import { useAttributeCheck } from '../../api/attribute-check';
import { isOwnableField, useDeclare } from '../../api/attributes';
import { nameError, otherError } from '../../api/field-error';
import { ErrorState } from '../../components/error-state';
import { LeaveGuard } from '../../components/leave-guard';
import { type Leaving, StepFooter } from '../../components/step-footer';
import { useReturnFocus } from '../../components/use-return-focus';
import { useUnsaved } from '../../components/use-unsaved';
import { type AllowedChanges, DeclareFields } from './declare-fields';
import {
  type Draft,
  declarationOf,
  draftOf,
  draftOfField,
  NEW_DRAFT,
  PRESENTATION,
  valueTypeOf,
} from './draft';
import { PresentationFields } from './presentation-fields';
import { StoredValues } from './stored-values';
import { isDeclarable, type UndeclaredField } from './type-descriptions';
import { TypeProposal } from './type-proposal';

export type Subject =
  | { readonly kind: 'new' }
  | { readonly kind: 'undeclared'; readonly field: UndeclaredField }
  | { readonly kind: 'declared'; readonly attribute: Attribute };

interface DeclareDialogProps {
  readonly subject: Subject;
  readonly declared: readonly Attribute[];
  readonly total: number | undefined;
  readonly onClose: () => void;
  readonly onDone: (name: string) => void;
}

interface DeclareFormProps extends Omit<DeclareDialogProps, 'onClose'> {
  readonly first: Draft;
  readonly onUnsaved: (isUnsaved: boolean) => void;
  readonly leaving: Leaving;
}

/** Declares or edits an attribute. Shows first whether the stored values match its type. */
export function DeclareDialog(props: DeclareDialogProps) {
  const { subject, onClose } = props;
  useReturnFocus();
  const isOnPhone = useMediaQuery('(max-width: 48em)');
  const [isUnsaved, setUnsaved] = useState(false);
  const [isGuarded, setGuarded] = useState(false);
  if (isUnsaved && !isGuarded) setGuarded(true);
  const leaving = useUnsaved(isUnsaved, onClose);
  const form = { ...props, leaving, onUnsaved: setUnsaved };
  return (
    <Modal
      opened
      onClose={leaving.onLeave}
      title={titleOf(subject)}
      size="lg"
      fullScreen={isOnPhone === true}
    >
      {isGuarded && <LeaveGuard onAttempt={leaving.onLeave} />}
      {subject.kind === 'undeclared' ? (
        <TypeProposal field={subject.field}>
          {(type) => <DeclareForm {...form} first={draftOfField(subject.field.name, type)} />}
        </TypeProposal>
      ) : (
        <DeclareForm {...form} first={subject.kind === 'declared' ? draftOf(subject.attribute) : NEW_DRAFT} />
      )}
    </Modal>
  );
}

function DeclareForm(props: DeclareFormProps) {
  const { subject, first, declared, total, onDone, onUnsaved, leaving } = props;
  const [draft, setDraft] = useState(first);
  const { name } = draft;
  const saving = useDeclare(name);
  const current = declared.find((attribute) => attribute.name === name);
  const allowed = allowedChanges(subject);
  const isDeclared = subject.kind === 'new' && (saving.isIdle || saving.isError) && current !== undefined;
  const onDraft = (next: Draft) => {
    setDraft(next);
    onUnsaved(JSON.stringify(next) !== JSON.stringify(first));
    if (saving.isError) saving.reset();
  };
  const { check, isSettled, isEnabled } = useDraftCheck(draft);
  const isChecked = !isEnabled || (isSettled && !check.isRunning);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (isChecked && !isDeclared)
      saving.mutate(declarationOf(draft, first), { onSuccess: () => onDone(name) });
  };
  const isBuilding = saving.isPending && current?.index === 'building';
  // What is saved can be left while its index is being built.
  useEffect(() => {
    if (isBuilding) onUnsaved(false);
  }, [isBuilding, onUnsaved]);
  const error = nameError(saving.error) === undefined ? otherError(saving.error, FIELDS) : null;
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <DeclareFields
          draft={draft}
          onDraft={onDraft}
          isNew={subject.kind === 'new'}
          allowed={allowed}
          isDeclared={isDeclared}
          error={saving.error}
        />
        {allowed === 'all' && isEnabled && (
          <StoredValues name={name} draft={draft} onDraft={onDraft} check={check} total={total} />
        )}
        {allowed !== 'owner' && (
          <PresentationFields
            draft={draft}
            onDraft={onDraft}
            groups={groupsOf(declared)}
            error={saving.error}
          />
        )}
        {error !== null && <ErrorState error={error} />}
        <Text size="sm" role="status">
          {isBuilding && 'Saved. The index is being built. You can close this dialog.'}
        </Text>
      </Stack>
      <StepFooter leaving={leaving}>
        <Button variant="default" onClick={leaving.onLeave}>
          {isBuilding ? 'Close' : 'Cancel'}
        </Button>
        <Button type="submit" loading={saving.isPending} disabled={!isChecked || isDeclared}>
          {subject.kind === 'declared' ? 'Save' : 'Declare'}
        </Button>
      </StepFooter>
    </form>
  );
}

const FIELDS = ['type', 'choices', 'read_only', 'indexed', 'owner', ...PRESENTATION];

function groupsOf(attributes: readonly Attribute[]): string[] {
  const groups = attributes.map(({ group }) => group).filter((group) => group !== null);
  return [...new Set(groups)].sort();
}

function allowedChanges(subject: Subject): AllowedChanges {
  if (subject.kind !== 'declared' || !subject.attribute.built_in) return 'all';
  return isOwnableField(subject.attribute) ? 'owner' : 'all but type';
}

/** Checks stored values after a pause in typing. Skips requests that the server would reject. */
function useDraftCheck(draft: Draft) {
  const [settled] = useDebouncedValue(draft, 300);
  const valueType = valueTypeOf(settled);
  const isEnabled =
    isDeclarable(settled.name) && (valueType.type !== 'choice' || valueType.choices.length > 0);
  const check = useAttributeCheck(settled.name, valueType, { isEnabled, checksAll: true });
  return { check, isEnabled, isSettled: isSameCheck(settled, draft) };
}

function isSameCheck(a: Draft, b: Draft): boolean {
  return a.name === b.name && a.type === b.type && a.choices === b.choices;
}

function titleOf(subject: Subject): string {
  if (subject.kind === 'new') return 'Declare an attribute';
  return subject.kind === 'declared' ? `Edit ${subject.attribute.name}` : `Declare ${subject.field.name}`;
}
