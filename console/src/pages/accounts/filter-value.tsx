import type { Attribute } from '@account-sync/client';
import { Button, Group, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { SPANS } from './filter-words';

interface FilterValueProps {
  readonly by: string;
  /** Undefined where it is no attribute. */
  readonly attribute: Attribute | undefined;
  readonly onValue: (value: string) => void;
}

/** The values to choose from where they are few, a field to type into otherwise. */
export function FilterValue({ by, attribute, onValue }: FilterValueProps) {
  const offered = offeredFor(by, attribute);
  const isTyped = offered.length === 0 || by === 'changed';
  return (
    <Stack gap="sm">
      {offered.length > 0 && (
        <ScrollArea.Autosize mah={240} type="auto">
          <Stack gap={2} role="group" aria-label={`Values of ${by}`}>
            {offered.map(({ value, words }) => (
              <Button
                key={value}
                variant="subtle"
                justify="flex-start"
                size="compact-md"
                onClick={() => onValue(value)}
              >
                {words}
              </Button>
            ))}
          </Stack>
        </ScrollArea.Autosize>
      )}
      {isTyped && <TypedValue by={by} type={attribute?.type} onValue={onValue} />}
      {attribute?.index === 'none' && (
        <Text size="xs" c="dimmed">
          This attribute has no index: accounts are looked through one by one, which may take a while.
        </Text>
      )}
    </Stack>
  );
}

function offeredFor(by: string, attribute: Attribute | undefined) {
  if (by === 'changed') return Object.entries(SPANS).map(([value, words]) => ({ value, words }));
  if (attribute?.type === 'boolean') {
    return [
      { value: 'true', words: 'Yes' },
      { value: 'false', words: 'No' },
    ];
  }
  return (attribute?.choices ?? []).map((value) => ({ value, words: value }));
}

interface TypedValueProps {
  readonly by: string;
  readonly type: Attribute['type'] | undefined;
  readonly onValue: (value: string) => void;
}

function TypedValue({ by, type, onValue }: TypedValueProps) {
  const [text, setText] = useState('');
  const isMoment = type === 'datetime' || by === 'changed';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // What is typed is the time here; what is asked for is the moment.
    if (text.trim() !== '') onValue(isMoment ? new Date(text).toISOString() : text.trim());
  };
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          label={labelFor(by)}
          type={isMoment ? 'datetime-local' : type === 'date' ? 'date' : 'text'}
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
  if (by === 'changed') return 'Or since';
  return by === 'parent' ? 'Id of the parent' : 'Value';
}
