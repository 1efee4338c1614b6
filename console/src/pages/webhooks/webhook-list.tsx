import type { Webhook } from '@account-sync/client';
import { Box, Group, Paper, Stack, Table } from '@mantine/core';
import { Fact } from '../../components/fact';
import { useIsNarrow } from '../../components/use-is-narrow';
import { LastDelivery, NextAttempt, StateBadge, StateNote, WebhookName } from './webhook-parts';

interface WebhookListProps {
  readonly webhooks: readonly Webhook[];
}

/** A table, or cards on narrow screens. */
export function WebhookList(props: WebhookListProps) {
  return useIsNarrow() ? <WebhookCards {...props} /> : <WebhookTable {...props} />;
}

function WebhookTable({ webhooks }: WebhookListProps) {
  return (
    <Paper p="md">
      <Table verticalSpacing="sm" aria-label="Webhooks">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="40%">Webhook</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>Last delivered</Table.Th>
            <Table.Th>Next attempt</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {webhooks.map((webhook) => (
            <Table.Tr key={webhook.id}>
              <Table.Th scope="row" fw="normal">
                <WebhookName webhook={webhook} />
              </Table.Th>
              <Table.Td>
                <StateBadge webhook={webhook} />
                <StateNote webhook={webhook} />
              </Table.Td>
              <Table.Td>
                <LastDelivery webhook={webhook} />
              </Table.Td>
              <Table.Td>
                <NextAttempt webhook={webhook} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

function WebhookCards({ webhooks }: WebhookListProps) {
  return (
    <Stack component="ul" gap="xs" m={0} p={0} aria-label="Webhooks">
      {webhooks.map((webhook) => (
        <Paper key={webhook.id} component="li" p="md" style={{ listStyle: 'none' }}>
          <Group justify="space-between" align="flex-start" wrap="nowrap">
            <Box miw={0}>
              <WebhookName webhook={webhook} />
            </Box>
            <StateBadge webhook={webhook} />
          </Group>
          <StateNote webhook={webhook} />
          <Group grow align="flex-start" mt="sm">
            <Fact name="Last delivered">
              <LastDelivery webhook={webhook} />
            </Fact>
            <Fact name="Next attempt">
              <NextAttempt webhook={webhook} />
            </Fact>
          </Group>
        </Paper>
      ))}
    </Stack>
  );
}
