import type { Run } from '@account-sync/client';
import { Group, Paper, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { useSourceLabel } from '../../api/sources';
import { Fact } from '../../components/fact';
import { formatNumber } from '../../components/format';
import { RUN_COUNTS } from '../../components/run-counts';
import { RunDuration } from '../../components/run-duration';
import { RunLink } from '../../components/run-link';
import { RunState } from '../../components/run-state';
import { Person } from '../../components/sender-name';
import { Timestamp } from '../../components/timestamp';
import { useIsNarrow } from '../../components/use-is-narrow';

const UNBROKEN = { whiteSpace: 'nowrap' } as const;

interface RunListProps {
  readonly runs: readonly Run[];
}

/** A table, or cards on narrow screens. */
export function RunList(props: RunListProps) {
  return useIsNarrow() ? <RunCards {...props} /> : <RunTable {...props} />;
}

function RunTable({ runs }: RunListProps) {
  const labelOf = useSourceLabel();
  return (
    <Paper p="md">
      <Table.ScrollContainer minWidth={840} type="native">
        <Table verticalSpacing="sm" aria-label="Runs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Run</Table.Th>
              <Table.Th>Source</Table.Th>
              <Table.Th>State</Table.Th>
              <Table.Th>Started</Table.Th>
              <Table.Th>Duration</Table.Th>
              {RUN_COUNTS.map(({ name, label }) => (
                <Table.Th key={name} ta="right">
                  {label}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {runs.map((run) => (
              <Table.Tr key={run.id}>
                <Table.Th scope="row" fw="normal" maw="12rem">
                  <span style={UNBROKEN}>
                    <RunLink id={run.id} />
                  </span>
                  <RunNote run={run} />
                </Table.Th>
                <Table.Td className="breakable" miw="7rem">
                  {labelOf(run.source)}
                </Table.Td>
                <Table.Td>
                  <RunState state={run.state} />
                </Table.Td>
                <Table.Td style={UNBROKEN}>
                  <Timestamp at={run.started_at} />
                </Table.Td>
                <Table.Td style={UNBROKEN}>
                  <RunDuration run={run} />
                </Table.Td>
                {RUN_COUNTS.map(({ name }) => (
                  <Table.Td key={name} ta="right" className="numbers">
                    <Count run={run} name={name} />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  );
}

function RunCards({ runs }: RunListProps) {
  const labelOf = useSourceLabel();
  return (
    <Stack component="ul" gap="xs" m={0} p={0} aria-label="Runs">
      {runs.map((run) => (
        <Paper key={run.id} component="li" p="md" style={{ listStyle: 'none' }}>
          <Group justify="space-between" wrap="nowrap" align="flex-start" mb="sm">
            <div>
              <Text fw={600} className="breakable">
                <RunLink id={run.id}>{`${labelOf(run.source)}, run ${run.id}`}</RunLink>
              </Text>
              <Text size="sm" c="dimmed">
                <Timestamp at={run.started_at} />, <RunDuration run={run} />
              </Text>
              <RunNote run={run} />
            </div>
            <RunState state={run.state} />
          </Group>
          <SimpleGrid cols={3} spacing="xs">
            {RUN_COUNTS.map(({ name, label }) => (
              <Fact key={name} name={label}>
                <span className="numbers">
                  <Count run={run} name={name} />
                </span>
              </Fact>
            ))}
          </SimpleGrid>
        </Paper>
      ))}
    </Stack>
  );
}

/** The person, whether the run is an undo, and counts that only few runs have. */
function RunNote({ run: { user, undo, archived, restored, missing, skipped, kept } }: { run: Run }) {
  // Those that are archived count as such.
  const counted = missing?.action === 'report' ? (missing.accounts ?? 0) : 0;
  const parts = [
    undo !== null && `Undo of ${undo.run_id}`,
    archived > 0 && `${formatNumber(archived)} archived`,
    restored > 0 && `${formatNumber(restored)} restored`,
    counted > 0 && `${formatNumber(counted)} missing`,
    skipped > 0 && `${formatNumber(skipped)} skipped`,
    kept > 0 && `${formatNumber(kept)} kept`,
  ].filter((part) => part !== false);
  if (parts.length === 0 && user === null) return null;
  return (
    <Text size="xs" c="dimmed">
      {user !== null && <Person user={user} />}
      {user !== null && parts.length > 0 && ' · '}
      {parts.join(' · ')}
    </Text>
  );
}

/** Rejected records stand out. */
function Count({ run, name }: { run: Run; name: (typeof RUN_COUNTS)[number]['name'] }) {
  const text = formatNumber(run[name]);
  if (name !== 'rejected' || run.rejected === 0) return text;
  return (
    <Text span inherit fw={600} c="var(--mantine-color-error)">
      {text}
    </Text>
  );
}
