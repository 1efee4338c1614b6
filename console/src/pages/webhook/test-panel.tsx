import { Box, Button, Text } from '@mantine/core';
import { useTestEvent } from '../../api/webhooks';
import { CodeBlock } from '../../components/code-block';
import { ErrorState } from '../../components/error-state';
import { formatNumber } from '../../components/format';
import { Panel } from '../../components/panel';
import { StatusLine } from '../../components/status-line';
import { IconSend } from '../../icons/icons.js';

/** Sends a test event and shows the answer of the receiver. */
export function TestPanel({ id }: { id: string }) {
  const test = useTestEvent(id);
  const { data, error, isPending } = test;
  return (
    <Panel
      title="Test"
      actions={
        <Button
          variant="default"
          leftSection={<IconSend size={16} aria-hidden />}
          loading={isPending}
          onClick={() => test.mutate()}
        >
          Send a test event
        </Button>
      }
    >
      <Text size="sm" c="dimmed">
        Sends an event of the type webhook.test at once, also if the webhook is paused. It is not repeated.
      </Text>
      <Box role="status" mt={data || isPending ? 'sm' : 0}>
        {isPending && <Text size="sm">Waiting for the answer, for up to 15 seconds.</Text>}
        {data && (
          <StatusLine isWarning={data.error !== null}>
            {data.error === null
              ? `Taken with status ${data.status} after ${formatNumber(data.took_ms)} ms.`
              : `Not taken after ${formatNumber(data.took_ms)} ms. ${data.error}`}
          </StatusLine>
        )}
      </Box>
      {data?.answer && (
        <Box mt="sm">
          <CodeBlock text={data.answer} label="the answer" maxHeight={200} wraps />
        </Box>
      )}
      {error && (
        <Box mt="sm">
          <ErrorState error={error} />
        </Box>
      )}
    </Panel>
  );
}
