import type { WebhookSettings } from '@account-sync/client';
import { Button, Group, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useFields } from '../../../api/attributes';
import { fieldError, otherError } from '../../../api/field-error';
import { ErrorState } from '../../../components/error-state';
import { FIELDS } from './fields';
import { SettingsFields } from './settings-fields';
import { settingsOf, type WebhookDraft } from './webhook-draft';

interface WebhookFormProps {
  readonly first: WebhookDraft;
  readonly action: string;
  readonly saving: { readonly error: Error | null; readonly isPending: boolean; readonly reset: () => void };
  readonly onSubmit: (settings: WebhookSettings) => void;
  readonly onCancel: () => void;
}

/** Form of a new or existing webhook. */
export function WebhookForm({ first, action, saving, onSubmit, onCancel }: WebhookFormProps) {
  const [draft, setDraft] = useState(first);
  const find = useFields();
  const other = otherError(saving.error, FIELDS);
  const onDraft = (next: WebhookDraft) => {
    setDraft(next);
    if (saving.error !== null) saving.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(settingsOf(draft, (field) => find(field).attribute?.type));
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <SettingsFields
          draft={draft}
          onDraft={onDraft}
          problem={(field) => fieldError(saving.error, field)}
        />
        {other && <ErrorState error={other} />}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={saving.isPending} disabled={draft.events.length === 0}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
