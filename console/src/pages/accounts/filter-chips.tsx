import { Button, Group } from '@mantine/core';
import type { AccountFilter } from '../../api/account-list';
import { IconX } from '../../icons/icons.js';
import type { Chip } from './filter-labels';

interface FilterChipsProps {
  readonly chips: readonly Chip[];
  readonly onFilter: (changes: Partial<AccountFilter>) => void;
  readonly onClear: () => void;
}

/** The active filters. A click on one removes it. */
export function FilterChips({ chips, onFilter, onClear }: FilterChipsProps) {
  if (chips.length === 0) return null;
  return (
    <Group component="section" gap={6} mb="sm" aria-label="Filters">
      {chips.map(({ label, title, without }) => (
        <Button
          key={label}
          variant="light"
          c="var(--mantine-color-text)"
          size="compact-sm"
          radius="xl"
          fw={500}
          maw="100%"
          rightSection={<IconX size={14} aria-hidden />}
          title={title}
          aria-label={`Remove filter ${label}`}
          onClick={() => onFilter(without)}
        >
          {label}
        </Button>
      ))}
      {chips.length > 1 && (
        <Button variant="subtle" size="compact-sm" onClick={onClear}>
          Clear filters
        </Button>
      )}
    </Group>
  );
}
