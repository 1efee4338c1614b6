import { Button, Group, Kbd, Menu, Paper, Text, Textarea } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { plural } from '../../components/format';
import { IconChecklist, IconChevronDown, IconSend } from '../../icons/icons.js';
import { EXAMPLES } from './examples';
import type { Reading } from './read-input';

interface EditorProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly reading: Reading;
  readonly isSending: { readonly isDryRun: boolean } | undefined;
  readonly onSend: (isDryRun: boolean) => void;
}

export function Editor({ text, onText, reading, isSending, onSend }: EditorProps) {
  const problem = reading !== undefined && 'problem' in reading ? reading.problem : undefined;
  const isReady = reading !== undefined && problem === undefined && isSending === undefined;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && isReady) onSend(true);
  };
  return (
    <Paper p="md" miw={0}>
      <Textarea
        label="Records"
        description="An object, an array, or one object per line. Fields that you leave out do not change. Null clears a field."
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        error={problem}
        autosize
        minRows={12}
        maxRows={28}
        spellCheck={false}
        autoComplete="off"
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
      />
      <Group mt="md" justify="space-between">
        <Group gap="xs">
          <Button
            leftSection={<IconChecklist size={17} aria-hidden />}
            onClick={() => onSend(true)}
            disabled={!isReady}
            loading={isSending?.isDryRun === true}
          >
            Validate
          </Button>
          <Button
            variant="default"
            leftSection={<IconSend size={17} aria-hidden />}
            onClick={() => onSend(false)}
            disabled={!isReady}
            loading={isSending?.isDryRun === false}
          >
            Send
          </Button>
        </Group>
        <Menu position="bottom-end" withinPortal={false}>
          <Menu.Target>
            <Button variant="subtle" rightSection={<IconChevronDown size={15} aria-hidden />}>
              Examples
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {Object.entries(EXAMPLES).map(([name, example]) => (
              <Menu.Item key={name} onClick={() => onText(example)}>
                {name}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </Group>
      <Text size="xs" c="dimmed" mt="sm">
        {reading !== undefined && !('problem' in reading) && `${plural(reading.records, 'record')}. `}
        <Text span inherit visibleFrom="sm">
          <Kbd size="xs">Ctrl</Kbd> + <Kbd size="xs">Enter</Kbd> validates.
        </Text>
      </Text>
    </Paper>
  );
}
