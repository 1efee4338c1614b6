import { Badge, Button, Group, Paper, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { Sign } from '../../parts/sign';
import type { UndeclaredField } from './type-words';
import { UndeclaredRow } from './undeclared-row';
import { isFound, type View } from './use-view';

/** As many as are read before one goes on to the declared ones. */
const SHOWN_FIRST = 6;

interface UndeclaredSectionProps {
  readonly fields: readonly UndeclaredField[];
  readonly total: number | undefined;
  readonly view: View;
  /** Undefined where the key may change nothing. */
  readonly onDeclare: ((field: UndeclaredField) => void) | undefined;
}

/** What was sent without being declared: perhaps a mistake, perhaps an attribute to be. */
export function UndeclaredSection({ fields, total, view, onDeclare }: UndeclaredSectionProps) {
  const [showsAll, setShowsAll] = useState(false);
  const found = fields
    .filter((field) => isFound(field, view.search))
    .toSorted(
      (a, b) => b.accounts - a.accounts || a.name.localeCompare(b.name, undefined, { numeric: true }),
    );
  if (fields.length > 0 && found.length === 0) return null;
  const shown = showsAll ? found : found.slice(0, SHOWN_FIRST);
  return (
    <Paper p="md" component="section" aria-labelledby="undeclared">
      <Group gap="xs" mb={4}>
        <Title order={2} size="h4" id="undeclared">
          Sent, but not declared
        </Title>
        {fields.length > 0 && (
          <Badge variant="default" className="numbers">
            {found.length}
          </Badge>
        )}
      </Group>
      {fields.length === 0 ? (
        <Sign>Every field that accounts hold is declared. One that is new to this tenant shows up here.</Sign>
      ) : (
        <Text size="sm" c="dimmed" mb="xs" maw={760}>
          Accounts hold these fields, but no type is known for them: their values are kept as they came,
          unchecked, and accounts cannot be listed by them. A misspelt name shows up here, too.
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
