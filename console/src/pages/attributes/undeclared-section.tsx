import { Badge, Button, Group, Paper, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { matchesSearch } from '../../components/matches-search';
import { StatusLine } from '../../components/status-line';
import type { UndeclaredField } from './type-descriptions';
import { UndeclaredRow } from './undeclared-row';
import type { View } from './use-view';

/** More are shown on request, so that the declared attributes stay visible. */
const SHOWN_FIRST = 6;

interface UndeclaredSectionProps {
  readonly fields: readonly UndeclaredField[];
  readonly total: number | undefined;
  readonly view: View;
  /** Undefined if the key lacks the scope admin. */
  readonly onDeclare: ((field: UndeclaredField) => void) | undefined;
}

/** Fields that were sent without a declaration: a spelling mistake, or a future attribute. */
export function UndeclaredSection({ fields, total, view, onDeclare }: UndeclaredSectionProps) {
  const [showsAll, setShowsAll] = useState(false);
  const found = fields
    .filter(({ name }) => matchesSearch([name], view.search))
    .toSorted(
      (a, b) => b.accounts - a.accounts || a.name.localeCompare(b.name, undefined, { numeric: true }),
    );
  if (fields.length > 0 && found.length === 0) return null;
  const shown = showsAll ? found : found.slice(0, SHOWN_FIRST);
  return (
    <Paper p="md" component="section" aria-labelledby="undeclared">
      <Group gap="xs" mb={4}>
        <Title order={2} size="h4" id="undeclared">
          Undeclared fields
        </Title>
        {fields.length > 0 && (
          <Badge variant="default" className="numbers">
            {found.length}
          </Badge>
        )}
      </Group>
      {fields.length === 0 ? (
        <StatusLine>
          All fields are declared. When a system sends an undeclared field, it appears here.
        </StatusLine>
      ) : (
        <Text size="sm" c="dimmed" mb="xs" maw={760}>
          Systems sent these fields without a declaration. Their values are stored unchecked, and accounts
          cannot be filtered by them. If a name is misspelt, correct it in the sending system. Otherwise
          declare the field.
        </Text>
      )}
      {shown.map((field) => (
        <UndeclaredRow
          key={field.name}
          field={field}
          total={total}
          isOpen={view.open === field.name}
          onOpen={view.onOpen}
          onDeclare={onDeclare}
        />
      ))}
      {shown.length < found.length && (
        <Button variant="subtle" size="xs" mt="xs" onClick={() => setShowsAll(true)}>
          Show all {found.length}
        </Button>
      )}
    </Paper>
  );
}
