import { Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useBlock } from '../../api/blocked-ids';
import { fieldProblem } from '../../api/field-problem';

/** Tells the pattern in the form in which the server keeps it. */
export function BlockForm({ onBlocked }: { onBlocked: (pattern: string) => void }) {
  const [pattern, setPattern] = useState('');
  const block = useBlock();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    block.mutate(pattern, {
      onSuccess: (answer) => {
        setPattern('');
        onBlocked(answer.pattern);
      },
    });
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-start" gap="sm" wrap="nowrap">
        <TextInput
          flex={1}
          label="Id or suffix"
          description="An id, or *.suffix for every id that ends in it: *.test.example"
          placeholder="*.test.example"
          value={pattern}
          onChange={(event) => {
            setPattern(event.currentTarget.value);
            block.reset();
          }}
          error={block.error && (fieldProblem(block.error, 'pattern') ?? block.error.message)}
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
