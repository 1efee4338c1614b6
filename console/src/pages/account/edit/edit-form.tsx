import type { Attribute } from '@account-sync/client';
import { Button, Stack, Text } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { fieldError, otherError } from '../../../api/field-error';
import { ErrorState } from '../../../components/error-state';
import { type Leaving, StepFooter } from '../../../components/step-footer';
import { isOwnProperty } from '../../../components/value-control';
import { valueProblem } from '../../../components/value-problem';
import { OneValue } from '../field-change-line';
import { FieldGroup, FieldLine } from '../field-group';
import { type AccountDraft, changedFields, storedValue, textOf } from './account-draft';
import { DeletedNote } from './deleted-note';
import { EditFields, type EditGroup } from './edit-fields';

interface EditFormProps {
  readonly draft: AccountDraft;
  readonly groups: readonly EditGroup[];
  /** Of all groups. */
  readonly fields: readonly Attribute[];
  readonly onText: (field: Attribute, text: string | undefined) => void;
  readonly error: Error | null;
  readonly isDeleted: boolean;
  /** False while another step covers the form. */
  readonly isShown: boolean;
  readonly isReviewing: boolean;
  readonly onReview: () => void;
  readonly leaving: Leaving;
}

/** Why there is nothing to review. */
interface Problem {
  /** Undefined if it is about all fields. */
  readonly field?: string;
  readonly text: string;
}

export function EditForm(props: EditFormProps) {
  const { draft, groups, fields, onText, error, isDeleted, isShown, isReviewing, onReview, leaving } = props;
  const [problem, setProblem] = useState<Problem>();
  const form = useFocusAtError(isShown, error, problem);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const incomplete = incompleteIn(event.currentTarget);
    const isUnchanged = changedFields(draft, fields).length === 0;
    const next = problemOf(incomplete, isUnchanged);
    setProblem(next);
    if (next === undefined) onReview();
  };
  const change = (field: Attribute, text: string | undefined) => {
    setProblem(undefined);
    onText(field, text);
  };
  const errorOf = (field: Attribute) =>
    problem?.field === field.name
      ? problem.text
      : fieldError(error, pathOf(field.name), (detail) => valueProblem(detail, textOf(draft, field)));
  const paths = fields.map(({ name }) => pathOf(name));
  const other = otherError(error, paths);
  return (
    <form ref={form} onSubmit={submit} noValidate hidden={!isShown} aria-label="Fields">
      <Stack gap="md">
        <EditFields draft={draft} groups={groups} onText={change} errorOf={errorOf} />
        <Undeclared draft={draft} />
      </Stack>
      <StepFooter leaving={leaving} message={messageOf(isDeleted, other, problem)}>
        <Button variant="default" onClick={leaving.onLeave}>
          Cancel
        </Button>
        <Button type="submit" loading={isReviewing}>
          Review change
        </Button>
      </StepFooter>
    </form>
  );
}

/** What is not about one field; null if there is nothing to say. */
function messageOf(isDeleted: boolean, error: Error | null, problem: Problem | undefined): ReactNode {
  if (isDeleted) return <DeletedNote />;
  if (error !== null) return <ErrorState error={error} />;
  return problem !== undefined && problem.field === undefined ? <Text size="sm">{problem.text}</Text> : null;
}

function problemOf(incomplete: HTMLInputElement | undefined, isUnchanged: boolean): Problem | undefined {
  if (incomplete !== undefined)
    return { field: incomplete.name, text: 'Enter the date completely, or clear it.' };
  return isUnchanged ? { text: 'You have not changed anything yet.' } : undefined;
}

/** In the body of the request. The names of attributes have no character that a pointer escapes. */
function pathOf(name: string): string {
  return isOwnProperty(name) ? name : `fields/${name}`;
}

/** The focus goes to the first field with an error or, when the form appears, to one that needs a look, or the first. */
function useFocusAtError(isShown: boolean, error: Error | null, problem: Problem | undefined) {
  const form = useRef<HTMLFormElement>(null);
  const focusFirst = (selector: string): boolean => {
    const input = form.current?.querySelector<HTMLElement>(selector);
    input?.focus();
    return input != null;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per error, when its field is shown
  useEffect(() => {
    focusFirst(INVALID);
  }, [error, problem]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the form appears
  useEffect(() => {
    if (isShown) focusFirst(INVALID) || focusFirst(OVERTAKEN) || focusFirst(ENABLED);
  }, [isShown]);
  return form;
}

const INVALID = '[aria-invalid=true]';
const ENABLED = ':is(input, textarea, select):enabled';
/** A field that both have changed, after a conflict. */
const OVERTAKEN = `[data-overtaken] ${ENABLED}`;

/** An input with a part of a date, which has no value. */
function incompleteIn(form: HTMLFormElement): HTMLInputElement | undefined {
  return [...form.querySelectorAll('input')].find(({ validity }) => validity.badInput);
}

function Undeclared({ draft: { base } }: { draft: AccountDraft }) {
  if (base.undeclared.length === 0) return null;
  return (
    <FieldGroup
      title="Not editable"
      note="No attribute declares these fields, so they have no type. They can be edited once they are declared."
    >
      {base.undeclared.map((name) => (
        <FieldLine key={name} name={name}>
          <OneValue field={name} value={storedValue(base, name)} />
        </FieldLine>
      ))}
    </FieldGroup>
  );
}
