import type { EventType } from '@account-sync/client';
import { Button, Checkbox, SimpleGrid, Stack } from '@mantine/core';
import { EVENT_MEANINGS, EVENT_TYPES } from '../event-types';

interface EventChoicesProps {
  readonly events: readonly EventType[];
  readonly onEvents: (events: readonly EventType[]) => void;
  readonly error: string | undefined;
}

export function EventChoices({ events, onEvents, error }: EventChoicesProps) {
  const hasAll = events.length === EVENT_TYPES.length;
  return (
    <Checkbox.Group
      label="Events"
      value={[...events]}
      onChange={(values) => onEvents(values as EventType[])}
      error={events.length === 0 ? 'Select at least one event.' : error}
    >
      <Stack gap="sm" my="xs" align="flex-start">
        <Button variant="default" size="compact-sm" onClick={() => onEvents(hasAll ? [] : EVENT_TYPES)}>
          {hasAll ? 'Select none' : 'Select all'}
        </Button>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" verticalSpacing="xs">
          {EVENT_TYPES.map((event) => (
            <Checkbox key={event} value={event} label={event} description={EVENT_MEANINGS[event]} />
          ))}
        </SimpleGrid>
      </Stack>
    </Checkbox.Group>
  );
}
