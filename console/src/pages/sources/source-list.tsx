import type { Source } from '@account-sync/client';
import { Group, Paper, Stack, Table, Text, VisuallyHidden } from '@mantine/core';
import { Fact } from '../../components/fact';
import { useIsNarrow } from '../../components/use-is-narrow';
import {
  Freshness,
  LastFinishedRun,
  NextRun,
  type SourceActions,
  SourceButtons,
  SourceName,
} from './source-parts';
import { Sparkline } from './sparkline';

interface SourceListProps {
  readonly sources: readonly Source[];
  readonly actions: SourceActions | undefined;
}

/** A table, or cards on narrow screens. */
export function SourceList(props: SourceListProps) {
  return useIsNarrow() ? <SourceCards {...props} /> : <SourceTable {...props} />;
}

function SourceTable({ sources, actions }: SourceListProps) {
  return (
    <Paper p="md">
      <Table verticalSpacing="sm" aria-label="Sources">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Source</Table.Th>
            <Table.Th>Freshness</Table.Th>
            <Table.Th>Last finished run</Table.Th>
            <Table.Th>Next expected</Table.Th>
            <Table.Th>Recent runs</Table.Th>
            {actions && (
              <Table.Th>
                <VisuallyHidden>Actions</VisuallyHidden>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sources.map((source) => (
            <Table.Tr key={source.name}>
              <Table.Th scope="row" fw="normal">
                <SourceName source={source} />
              </Table.Th>
              <Table.Td>
                <Freshness source={source} />
              </Table.Td>
              <Table.Td>
                <LastFinishedRun source={source} />
              </Table.Td>
              <Table.Td>
                <NextRun source={source} />
              </Table.Td>
              <Table.Td>
                <Sparkline source={source} />
              </Table.Td>
              {actions && (
                <Table.Td>
                  <SourceButtons source={source} {...actions} />
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

function SourceCards({ sources, actions }: SourceListProps) {
  return (
    <Stack component="ul" gap="xs" m={0} p={0} aria-label="Sources">
      {sources.map((source) => (
        <Paper key={source.name} component="li" p="md" style={{ listStyle: 'none' }}>
          <Group justify="space-between" align="flex-start" wrap="nowrap" mb="sm">
            <div>
              <SourceName source={source} />
            </div>
            <Text component="div" ta="right">
              <Freshness source={source} />
            </Text>
          </Group>
          <Group grow align="flex-start" mb="sm">
            <Fact name="Last finished run">
              <LastFinishedRun source={source} />
            </Fact>
            <Fact name="Next expected">
              <NextRun source={source} />
            </Fact>
          </Group>
          <Group justify="space-between" align="flex-end">
            <Sparkline source={source} />
            {actions && <SourceButtons source={source} {...actions} />}
          </Group>
        </Paper>
      ))}
    </Stack>
  );
}
