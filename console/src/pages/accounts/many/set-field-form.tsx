import type { Attribute } from '@account-sync/client';
import { Button, Group, Radio, Stack } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { controlFor } from '../../../components/value-control';
import { hintOf, ValueInput } from '../../../components/value-input';
import { editOf, type FieldDraft } from './field-draft';
import { FieldSelect } from './field-select';

interface SetFieldFormProps {
  readonly fields: readonly Attribute[];
  readonly draft: FieldDraft;
  /** The server's message about the value. */
  readonly error: string | undefined;
  readonly onDraft: (draft: FieldDraft) => void;
  readonly onSubmit: () => void;
  readonly onCancel: () => void;
}

/** Chooses a field and its value. */
export function SetFieldForm({ fields, draft, error, onDraft, onSubmit, onCancel }: SetFieldFormProps) {
  const [isIncomplete, setIncomplete] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const select = useRef<HTMLInputElement>(null);
  const field = fields.find(({ name }) => name === draft.field);
  const missing = isIncomplete ? 'Enter a value completely, or choose Clear the value.' : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per error
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [error, missing]);
  // The button that led back from the preview is gone.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the form appears
  useEffect(() => {
    if (draft.field !== null && error === undefined) select.current?.focus();
  }, []);
  const change = (changes: Partial<FieldDraft>) => {
    setIncomplete(false);
    onDraft({ ...draft, ...changes });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isComplete = field !== undefined && editOf(draft, field) !== undefined;
    setIncomplete(!isComplete);
    if (isComplete) onSubmit();
  };
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack>
        <FieldSelect
          ref={select}
          fields={fields}
          value={draft.field}
          onField={(name) => change({ field: name, text: '', isCleared: false })}
        />
        {field !== undefined && (
          <FieldChange field={field} draft={draft} error={missing ?? error} onChange={change} />
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" disabled={field === undefined}>
            Preview
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface FieldChangeProps {
  readonly field: Attribute;
  readonly draft: FieldDraft;
  readonly error: string | undefined;
  readonly onChange: (changes: Partial<FieldDraft>) => void;
}

function FieldChange({ field, draft, error, onChange }: FieldChangeProps) {
  const control = controlFor(field);
  const { name, unit, description } = field;
  return (
    <>
      <Radio.Group
        label="Change"
        value={draft.isCleared ? 'clear' : 'set'}
        onChange={(value) => onChange({ isCleared: value === 'clear' })}
      >
        <Group mt={4}>
          <Radio value="set" label="Set a value" />
          <Radio value="clear" label="Clear the value" />
        </Group>
      </Radio.Group>
      {!draft.isCleared && (
        <ValueInput
          key={name}
          field={field}
          control={control}
          label={unit === null ? 'Value' : `Value (${unit})`}
          text={draft.text}
          onText={(text) => onChange({ text })}
          description={
            [description, hintOf(name, control, { isRequired: true })].filter(Boolean).join(' · ') ||
            undefined
          }
          error={error}
          isRequired
        />
      )}
    </>
  );
}
