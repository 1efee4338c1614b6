import { Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useBlock } from '../../api/blocked-ids';
import { fieldError } from '../../api/field-error';

/** Calls `onBlocked` with the pattern in its stored form. */
export function BlockForm({ onBlocked }: { onBlocked: (pattern: string) => void }) {
  const [pattern, setPattern] = useState('');
  const block = useBlock();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    block.mutate(pattern, {
      onSuccess: (response) => {
        setPattern('');
        onBlocked(response.pattern);
      },
    });
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-start" gap="sm" wrap="nowrap">
        <TextInput
          flex={1}
          label="Id or suffix"
          description="An exact id, or *.suffix for all ids with this suffix, such as *.test.example"
          placeholder="*.test.example"
          value={pattern}
          onChange={(event) => {
            setPattern(event.currentTarget.value);
            block.reset();
          }}
          error={block.error && (fieldError(block.error, 'pattern') ?? block.error.message)}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
        <Button type="submit" loading={block.isPending} mt={25}>
          Block
        </Button>
      </Group>
    </form>
  );
}
