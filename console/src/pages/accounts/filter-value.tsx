import type { Attribute } from '@account-sync/client';
import { Button, Group, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Field } from '../../api/fields';
import { ARCHIVED, SPANS } from './filter-labels';

interface FilterValueProps {
  readonly by: string;
  /** Without an attribute for other filters. */
  readonly field: Field;
  readonly onValue: (value: string) => void;
}

/** A list of values if there are few, otherwise a text field. */
export function FilterValue({ by, field: { label, attribute }, onValue }: FilterValueProps) {
  const offered = offeredFor(by, attribute);
  const isTyped = offered.length === 0 || by === 'changed';
  return (
    <Stack gap="sm">
      {offered.length > 0 && (
        <ScrollArea.Autosize mah={240} type="auto">
          <Stack gap={2} role="group" aria-label={`Values of ${label}`}>
            {offered.map(({ value, label }) => (
              <Button
                key={value}
                variant="subtle"
                justify="flex-start"
                size="compact-md"
                onClick={() => onValue(value)}
              >
                {label}
              </Button>
            ))}
          </Stack>
        </ScrollArea.Autosize>
      )}
      {isTyped && <TypedValue by={by} attribute={attribute} onValue={onValue} />}
      {attribute?.index === 'none' && (
        <Text size="xs" c="dimmed">
          This attribute has no index, so all accounts are scanned. This can take a while.
        </Text>
      )}
    </Stack>
  );
}

function offeredFor(by: string, attribute: Attribute | undefined) {
  if (by === 'changed') return Object.entries(SPANS).map(([value, label]) => ({ value, label }));
  if (by === 'archived') return Object.entries(ARCHIVED).map(([value, label]) => ({ value, label }));
  if (attribute?.type === 'boolean') {
    return [
      { value: 'true', label: 'Yes' },
      { value: 'false', label: 'No' },
    ];
  }
  return (attribute?.choices ?? []).map((value) => ({ value, label: value }));
}

interface TypedValueProps {
  readonly by: string;
  readonly attribute: Attribute | undefined;
  readonly onValue: (value: string) => void;
}

function TypedValue({ by, attribute, onValue }: TypedValueProps) {
  const type = attribute?.type;
  const [text, setText] = useState('');
  const isTime = type === 'datetime' || by === 'changed';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The input is in local time. The API expects UTC.
    if (text.trim() !== '') onValue(isTime ? new Date(text).toISOString() : text.trim());
  };
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          label={labelFor(by)}
          type={isTime ? 'datetime-local' : type === 'date' ? 'date' : 'text'}
          inputMode={type === 'integer' || type === 'decimal' ? 'decimal' : undefined}
          step={type === 'datetime' ? 1 : undefined}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          flex={1}
          autoFocus={by !== 'changed'}
        />
        <Button type="submit" disabled={text.trim() === ''}>
          Add
        </Button>
      </Group>
    </form>
  );
}

function labelFor(by: string): string {
  if (by === 'changed') return 'Or since a time';
  return by === 'parent' ? 'Parent id' : 'Value';
}
