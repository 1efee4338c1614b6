import {
  ActionIcon,
  Anchor,
  Code,
  Group,
  Paper,
  ScrollArea,
  Stack,
  Text,
  Title,
  Tooltip,
} from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useBlock, useUnblock } from '../../api/blocked-ids';
import { ErrorState } from '../../components/error-state';
import { SavedNote } from '../../components/saved-note';
import { IconTrash } from '../../icons/icons.js';
import { BlockForm } from './block-form';

/** The tenant's own patterns, and a confirmation of the last change. */
export function OwnPatterns({ patterns }: { patterns: readonly string[] }) {
  const [note, setNote] = useState<ReactNode>();
  const block = useBlock();
  const unblock = useUnblock();
  const failure = unblock.error ?? block.error;
  const blockAgain = (pattern: string) =>
    block.mutate(pattern, { onSuccess: () => setNote(<BlockedNote pattern={pattern} />) });
  const remove = (pattern: string) =>
    unblock.mutate(pattern, {
      onSuccess: () =>
        setNote(
          <>
            <Code>{pattern}</Code> is no longer blocked.{' '}
            <Anchor
              component="button"
              type="button"
              inherit
              underline="always"
              onClick={() => blockAgain(pattern)}
            >
              Undo
            </Anchor>
          </>,
        ),
    });
  return (
    <Paper p="lg" component="section" aria-label="Your patterns">
      <Title order={2} size="h4">
        Your patterns
      </Title>
      <Text c="dimmed" size="sm" mb="md">
        Records with these ids are rejected: <Code>account_id blocked by system.</Code> Accounts that are
        already stored stay.
      </Text>
      <BlockForm
        onBlocked={(pattern) =>
          setNote(<BlockedNote pattern={pattern} wasBlocked={patterns.includes(pattern)} />)
        }
      />
      <SavedNote>{note}</SavedNote>
      {failure && <ErrorState error={failure} />}
      {patterns.length === 0 ? (
        <Text size="sm" mt="md">
          No patterns yet. Block ids that faulty or test systems send, one by one or by suffix.
        </Text>
      ) : (
        <PatternList
          patterns={patterns}
          onRemove={remove}
          removing={unblock.isPending ? unblock.variables : undefined}
        />
      )}
    </Paper>
  );
}

function BlockedNote({ pattern, wasBlocked = false }: { pattern: string; wasBlocked?: boolean }) {
  return (
    <>
      <Code>{pattern}</Code> {wasBlocked ? 'was already blocked.' : 'is blocked from now on.'}
    </>
  );
}

interface PatternListProps {
  readonly patterns: readonly string[];
  readonly onRemove: (pattern: string) => void;
  readonly removing: string | undefined;
}

function PatternList({ patterns, onRemove, removing }: PatternListProps) {
  return (
    <ScrollArea.Autosize mah={360} type="auto" mt="md">
      <Stack component="ul" gap={4} m={0} p={0} aria-label="Blocked by you">
        {patterns.map((pattern) => (
          <Group key={pattern} component="li" justify="space-between" wrap="nowrap" gap="sm">
            <Code className="breakable">{pattern}</Code>
            <Tooltip label="Remove">
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Remove ${pattern}`}
                loading={removing === pattern}
                onClick={() => onRemove(pattern)}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </Tooltip>
          </Group>
        ))}
      </Stack>
    </ScrollArea.Autosize>
  );
}
