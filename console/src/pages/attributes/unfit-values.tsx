import { Code, List, Stack, Text } from '@mantine/core';
import type { CheckTotals } from '../../api/sum-checks';
import { AccountLink } from '../../components/account-link';

/** Some of the stored values that do not fit the type, and what happens to them. */
export function UnfitValues({ totals }: { totals: CheckTotals }) {
  const examples = totals.unfit_examples;
  return (
    <Stack gap={6}>
      <List listStyleType="none" size="sm" spacing={4} aria-label="Values that do not fit">
        {examples.map(({ account_id: id, value }) => (
          <List.Item key={id}>
            <Code className="breakable">{JSON.stringify(value)}</Code> in <AccountLink id={id} />
          </List.Item>
        ))}
      </List>
      {totals.unfit > examples.length && (
        <Text size="xs" c="dimmed">
          The first {examples.length} are shown.
        </Text>
      )}
      <Text size="sm" c="dimmed">
        Stored values do not change. New records with such a value are rejected.
      </Text>
    </Stack>
  );
}
