import type { Attribute } from '@account-sync/client';
import { Button, Paper, Table, Text, Title } from '@mantine/core';
import { EmptyState } from '../../components/empty-state';
import { IconListSearch } from '../../icons/icons.js';
import type { Actions } from './attribute-details';
import { AttributeRow } from './attribute-row';
import { SortHead } from './sort-head';
import { attributesFound, sorted, type View } from './use-view';

interface DeclaredSectionProps {
  readonly attributes: readonly Attribute[];
  readonly total: number | undefined;
  readonly view: View;
  readonly actions: Actions | undefined;
  readonly saved: SavedAttribute | undefined;
}

/** The attribute that was declared or changed just now. */
interface SavedAttribute {
  readonly name: string;
  readonly note: string;
}

export function DeclaredSection({ attributes, total, view, actions, saved }: DeclaredSectionProps) {
  const found = sorted(attributesFound(attributes, view.search), view.sort);
  if (found.length === 0) {
    return (
      <EmptyState
        icon={IconListSearch}
        title="No matching attributes"
        action={
          <Button variant="default" onClick={() => view.onSearch('')}>
            Clear search
          </Button>
        }
      >
        No declared attribute has “{view.search}” in its name or label.
      </EmptyState>
    );
  }
  const { sort, onSort } = view;
  return (
    <Paper p="md" component="section" aria-labelledby="declared">
      <Title order={2} size="h4" id="declared" mb="xs">
        Declared
      </Title>
      {attributes.every((attribute) => attribute.built_in) && (
        <NoCustomAttributes mayDeclare={actions !== undefined} />
      )}
      <Table verticalSpacing="sm" horizontalSpacing={0}>
        <Table.Thead>
          <Table.Tr>
            <SortHead sort="name" current={sort} onSort={onSort}>
              Name
            </SortHead>
            <SortHead sort="type" current={sort} onSort={onSort} visibleFrom="sm">
              Type
            </SortHead>
            <Table.Th visibleFrom="sm">Index</Table.Th>
            <SortHead sort="use" current={sort} onSort={onSort}>
              Accounts
            </SortHead>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {found.map((attribute) => (
            <AttributeRow
              key={attribute.name}
              attribute={attribute}
              total={total}
              isOpen={view.open === attribute.name}
              onOpen={view.onOpen}
              actions={actions}
              note={saved?.name === attribute.name ? saved.note : undefined}
            />
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

function NoCustomAttributes({ mayDeclare }: { mayDeclare: boolean }) {
  return (
    <Text size="sm" c="dimmed" maw={760} mb="sm">
      This tenant has only the built-in attributes so far. Values of a declared attribute are checked before
      they are stored, and accounts can be filtered by them.{' '}
      {mayDeclare
        ? 'You can declare an attribute before or after systems send it.'
        : 'Declaring an attribute needs a key with the scope admin.'}
    </Text>
  );
}
