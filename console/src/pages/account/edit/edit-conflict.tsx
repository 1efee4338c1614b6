import type { Account, Attribute } from '@account-sync/client';
import { Box, Button, Stack, Text, Title } from '@mantine/core';
import { useId } from 'react';
import { isNotFound } from '../../../api/call';
import type { LaterChanges, useLaterChanges } from '../../../api/edit-account';
import { ErrorState } from '../../../components/error-state';
import { SkeletonLines } from '../../../components/skeleton-lines';
import { type Leaving, StepFooter } from '../../../components/step-footer';
import { FieldChangeLine } from '../field-change-line';
import { HistoryEntryView } from '../history-entry-view';
import { type AccountDraft, changedByBoth, enteredValue, storedValue } from './account-draft';
import { DeletedNote } from './deleted-note';
import { StepTitle } from './step-title';

interface EditConflictProps {
  readonly draft: AccountDraft;
  readonly fields: readonly Attribute[];
  readonly later: ReturnType<typeof useLaterChanges>;
  readonly isDeleted: boolean;
  readonly onContinue: (current: Account) => void;
  readonly leaving: Leaving;
}

/** Shows what was changed since the form was opened, before the person continues with these values. */
export function EditConflict({ draft, fields, later, isDeleted, onContinue, leaving }: EditConflictProps) {
  const { data, error } = later;
  const retry = () => later.mutate(draft.base.revision);
  const message =
    isDeleted || isNotFound(error) ? (
      <DeletedNote />
    ) : (
      error !== null && <ErrorState error={error} retry={retry} />
    );
  return (
    <>
      <Stack gap="sm">
        <StepTitle>The account was changed meanwhile</StepTitle>
        <Text size="sm">
          Your changes are not stored yet. Look at what has changed since you opened the form, and continue.
        </Text>
        {data !== undefined && <Entries {...data} />}
        {data !== undefined && <Both draft={draft} fields={fields} current={data.account} />}
        {later.isPending && <SkeletonLines lines={4} />}
      </Stack>
      <StepFooter leaving={leaving} message={message}>
        <Button variant="default" onClick={leaving.onLeave}>
          Cancel
        </Button>
        <Button disabled={data === undefined} onClick={() => data && onContinue(data.account)}>
          Continue with the current values
        </Button>
      </StepFooter>
    </>
  );
}

function Entries({ entries, hasMore }: LaterChanges) {
  return (
    <>
      <ul className="row-list" aria-label="Changes meanwhile, newest first">
        {entries.map((entry) => (
          <li key={entry.revision}>
            <HistoryEntryView entry={entry} />
          </li>
        ))}
      </ul>
      {hasMore && (
        <Text size="sm" c="dimmed">
          Older changes are not shown here.
        </Text>
      )}
    </>
  );
}

interface BothProps extends Pick<EditConflictProps, 'draft' | 'fields'> {
  readonly current: Account;
}

function Both({ draft, fields, current }: BothProps) {
  const titleId = useId();
  const both = changedByBoth(draft, current, fields);
  if (both.length === 0) return <Text size="sm">No field that you have changed is among them.</Text>;
  return (
    <Box component="section" aria-labelledby={titleId}>
      <Title order={4} size="h6" id={titleId}>
        You have changed these fields, too
      </Title>
      <Text size="sm" c="dimmed">
        From the current value to yours. The form keeps your values and marks them.
      </Text>
      <dl style={{ margin: '6px 0 0' }}>
        {both.map((field) => (
          <FieldChangeLine
            key={field.name}
            change={{
              field: field.name,
              from: storedValue(current, field.name),
              to: enteredValue(draft, field),
            }}
            isFirst={false}
          />
        ))}
      </dl>
    </Box>
  );
}
