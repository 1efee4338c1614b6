import { Button, Group, Radio, Select, Stack } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useFields } from '../../../api/attributes';
import type { FindField } from '../../../api/fields';
import { controlFor, type EnteredField, isOwnProperty } from '../../../components/value-control';
import { hintOf, ValueInput } from '../../../components/value-input';
import { editOf, type FieldDraft } from './field-draft';

interface SetFieldFormProps {
  readonly fields: readonly EnteredField[];
  readonly draft: FieldDraft;
  /** The server's message about the value. */
  readonly error: string | undefined;
  readonly onDraft: (draft: FieldDraft) => void;
  readonly onSubmit: () => void;
  readonly onCancel: () => void;
}

const LABELS: Readonly<Record<string, string>> = { name: 'Name', parent_account_id: 'Parent' };

/** Chooses a field and its value. */
export function SetFieldForm({ fields, draft, error, onDraft, onSubmit, onCancel }: SetFieldFormProps) {
  const [isIncomplete, setIncomplete] = useState(false);
  const find = useFields();
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
        <Select
          ref={select}
          label="Field"
          placeholder="Select"
          data={[
            {
              group: 'Account',
              items: optionsOf(
                fields.filter(({ name }) => isOwnProperty(name)),
                find,
              ),
            },
            {
              group: 'Attributes',
              items: optionsOf(
                fields.filter(({ name }) => !isOwnProperty(name)),
                find,
              ),
            },
          ]}
          value={draft.field}
          onChange={(name) => change({ field: name, text: '', isCleared: false })}
          searchable
          openOnFocus={draft.field === null}
          nothingFoundMessage="No matching field that can be changed"
          data-autofocus
        />
        {field !== undefined && (
          <>
            <Radio.Group
              label="Change"
              value={draft.isCleared ? 'clear' : 'set'}
              onChange={(value) => change({ isCleared: value === 'clear' })}
            >
              <Group mt={4}>
                <Radio value="set" label="Set a value" />
                <Radio value="clear" label="Clear the value" />
              </Group>
            </Radio.Group>
            {!draft.isCleared && (
              <ValueInput
                key={field.name}
                field={field}
                control={controlFor(field)}
                label="Value"
                text={draft.text}
                onText={(text) => change({ text })}
                description={hintOf(field.name, controlFor(field))}
                error={missing ?? error}
              />
            )}
          </>
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

function optionsOf(fields: readonly EnteredField[], find: FindField): { value: string; label: string }[] {
  return fields.map(({ name }) => ({ value: name, label: LABELS[name] ?? find(name).label }));
}
