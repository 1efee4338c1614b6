import { Code, List, Stack, Text } from '@mantine/core';
import type { CheckSum } from '../../api/add-up-checks';
import { AccountLink } from '../../parts/account-link';

/** Some of the values that do not fit, as they are stored, and what becomes of them. */
export function UnfitValues({ sum }: { sum: CheckSum }) {
  const examples = sum.unfit_examples;
  return (
    <Stack gap={6}>
      <List listStyleType="none" size="sm" spacing={4} aria-label="Values that do not fit">
        {examples.map(({ account_id: id, value }) => (
          <List.Item key={id}>
            <Code className="breakable">{JSON.stringify(value)}</Code> in <AccountLink id={id} />
          </List.Item>
        ))}
      </List>
      {sum.unfit > examples.length && (
        <Text size="xs" c="dimmed">
          The first {examples.length} are shown.
        </Text>
      )}
      <Text size="sm" c="dimmed">
        Stored values stay as they are. A later sync with such a value is refused.
      </Text>
    </Stack>
  );
}
