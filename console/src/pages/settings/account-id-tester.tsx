import { Box, Code, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { type AccountIdTest, useAccountIdTest } from '../../api/blocked-ids';
import { ErrorState } from '../../components/error-state';
import { IconCircleCheck, IconForbid2 } from '../../icons/icons.js';

/** Tests while typing whether an id would be accepted. */
export function AccountIdTester() {
  const [id, setId] = useState('');
  const [debounced] = useDebouncedValue(id, 250);
  const { data, error, isPlaceholderData, refetch } = useAccountIdTest(debounced);
  const isOutdated = id !== debounced || isPlaceholderData;
  return (
    <Paper p="lg" component="section" aria-label="Test an id" style={{ alignSelf: 'start' }}>
      <Title order={2} size="h4">
        Test an id
      </Title>
      <Text c="dimmed" size="sm" mb="md">
        Checks an id against all rules: blocked ids, length and allowed form. Nothing is stored.
      </Text>
      <TextInput
        label="Account id"
        placeholder="Shop.Example.com"
        value={id}
        maxLength={1000}
        onChange={(event) => setId(event.currentTarget.value)}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
      <Box mih={110} mt="md" role="status" aria-busy={isOutdated} style={{ opacity: isOutdated ? 0.6 : 1 }}>
        {id === '' ? (
          <Text c="dimmed" size="sm">
            Enter an id to see whether it would be accepted.
          </Text>
        ) : error ? (
          <ErrorState error={error} retry={refetch} />
        ) : (
          data && <Verdict test={data} />
        )}
      </Box>
    </Paper>
  );
}

function Verdict({ test }: { test: AccountIdTest }) {
  const Icon = test.is_accepted ? IconCircleCheck : IconForbid2;
  const colour = test.is_accepted ? 'var(--mantine-color-teal-7)' : 'var(--mantine-color-error)';
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Icon size={22} aria-hidden color={colour} />
        <Text fw={600}>{test.is_accepted ? 'This id would be accepted' : 'This id would be rejected'}</Text>
      </Group>
      {test.messages.map((message) => (
        <Code key={message} className="breakable">
          {message}
        </Code>
      ))}
      {test.blocked_by !== null && (
        <Text size="sm" className="breakable">
          Blocked by <Code>{test.blocked_by.pattern}</Code>
          {test.blocked_by.list === 'tenant' ? ', one of your patterns.' : ', which is on the system list.'}
        </Text>
      )}
      {test.account_id !== '' && (
        <Text size="sm" className="breakable">
          {test.is_accepted ? 'Stored as' : 'Compared as'} <Code>{test.account_id}</Code>
        </Text>
      )}
    </Stack>
  );
}
