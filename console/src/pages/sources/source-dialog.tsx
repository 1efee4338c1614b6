import type { Source } from '@account-sync/client';
import { Button, Group, Modal, Stack, Switch, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { fieldError, nameError, otherError } from '../../api/field-error';
import { useSaveSource } from '../../api/sources';
import { ErrorState } from '../../components/error-state';
import { IntervalInput } from './interval-input';
import { changesOf, draftOf, isComplete, NEW_SOURCE, type SourceDraft } from './source-draft';

const FIELDS = ['label', 'expect_every_seconds', 'grace_seconds'];

interface SourceDialogProps {
  /** Undefined to create one. */
  readonly source: Source | undefined;
  readonly sources: readonly Source[];
  readonly onClose: () => void;
  /** Receives a confirmation. */
  readonly onDone: (note: string) => void;
}

/** Creates or edits a source. */
export function SourceDialog({ source, sources, onClose, onDone }: SourceDialogProps) {
  const [draft, setDraft] = useState(source === undefined ? NEW_SOURCE : draftOf(source));
  const saving = useSaveSource(draft.name);
  const isNew = source === undefined;
  // Saving it would change the stored source.
  const isTaken = isNew && saving.isIdle && sources.some(({ name }) => name === draft.name);
  const { error } = saving;
  const other = nameError(error) === undefined ? otherError(error, FIELDS) : null;
  const set = (part: Partial<SourceDraft>) => {
    setDraft({ ...draft, ...part });
    saving.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate(changesOf(draft, source), {
      onSuccess: ({ label }) => onDone(`${label} was ${isNew ? 'created' : 'changed'}.`),
    });
  };
  return (
    <Modal opened onClose={onClose} title={isNew ? 'New source' : `Edit ${source.label}`} size="lg">
      <form onSubmit={submit} noValidate>
        <Stack>
          {isNew && (
            <TextInput
              label="Name"
              description="Lower-case letters, digits and hyphens. It cannot be changed later."
              placeholder="crm"
              value={draft.name}
              onChange={(event) => set({ name: event.currentTarget.value.trim() })}
              error={isTaken ? `${draft.name} exists already. Edit that source instead.` : nameError(error)}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              data-autofocus
            />
          )}
          <TextInput
            label="Label"
            description="The name that people know it by"
            placeholder="Salesforce"
            value={draft.label}
            onChange={(event) => set({ label: event.currentTarget.value })}
            error={fieldError(error, 'label')}
            autoComplete="off"
            data-autofocus={!isNew || undefined}
          />
          <Switch
            label="Expected regularly"
            description="The overview warns if a run does not finish in time."
            checked={draft.isExpected}
            onChange={(event) => set({ isExpected: event.currentTarget.checked })}
          />
          {draft.isExpected && (
            <>
              <IntervalInput
                label="A run finishes every"
                description="From one finished run to the next"
                value={draft.every}
                onChange={(every) => set({ every })}
                error={
                  // The server's message is about seconds.
                  fieldError(error, 'expect_every_seconds') && 'Enter at least 1 minute and at most 366 days.'
                }
              />
              <IntervalInput
                label="Grace"
                description="How much later a run may finish"
                value={draft.grace}
                onChange={(grace) => set({ grace })}
                error={fieldError(error, 'grace_seconds') && 'Enter at most 366 days.'}
              />
            </>
          )}
          <Switch
            label="Remember which accounts it pushes"
            description="A run can then tell which accounts are missing, and archive them."
            checked={draft.isTracked}
            onChange={(event) => set({ isTracked: event.currentTarget.checked })}
          />
          {other && <ErrorState error={other} />}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={saving.isPending} disabled={isTaken || !isComplete(draft)}>
              {isNew ? 'Create source' : 'Save'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
