import { Paper, SimpleGrid, Tabs, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useHistoryState } from 'wouter/use-browser-location';
import { CodeBlock } from '../../components/code-block';
import { ErrorState } from '../../components/error-state';
import { PageHead } from '../../components/page-head';
import { clientCodeOf, curlOf } from './code-samples';
import { Editor } from './editor';
import { EXAMPLES } from './examples';
import { OutcomeView } from './outcome-view';
import { readInput } from './read-input';
import { ResponsePanel } from './response-panel';
import { type Outcome, sendRecords } from './send-records';

/** Editor for records: validate, send, and copy the request as code. */
export default function TryIt() {
  // The page of rejections links here with a record to try.
  const initialText = useHistoryState<{ text?: string } | null>()?.text;
  const [text, setText] = useState(initialText ?? EXAMPLES['One account']);
  const queries = useQueryClient();
  const sending = useMutation({
    mutationFn: ({ text, isDryRun }: Sending) => {
      const input = readInput(text);
      if (input === undefined || 'problem' in input) throw new Error('There are no records to send.');
      return sendRecords(input, isDryRun);
    },
    onSuccess: ({ isDryRun }) => {
      if (!isDryRun) queries.invalidateQueries();
    },
  });
  const reading = readInput(text);
  const input = reading !== undefined && !('problem' in reading) ? reading : undefined;
  const isDryRun = sending.data?.isDryRun ?? true;
  const hasResponse = sending.isSuccess || sending.isError;
  const responseState = { reading, isOutdated: hasResponse && sending.variables.text !== text };
  return (
    <>
      <PageHead
        title="Try it"
        description="Write one or more accounts, validate them without storing anything, and send them."
      />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Editor
          text={text}
          onText={setText}
          reading={reading}
          isSending={sending.isPending ? sending.variables : undefined}
          onSend={(dry) => sending.mutate({ text, isDryRun: dry })}
        />
        <Paper p="md" miw={0}>
          <Tabs defaultValue="response" keepMounted={false}>
            <Tabs.List mb="md">
              <Tabs.Tab value="response">Response</Tabs.Tab>
              <Tabs.Tab value="raw">Raw</Tabs.Tab>
              <Tabs.Tab value="curl">curl</Tabs.Tab>
              <Tabs.Tab value="code">JavaScript</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="response" aria-live="polite">
              <ResponsePanel {...responseState}>
                <LastResponse sending={sending} />
              </ResponsePanel>
            </Tabs.Panel>
            <Tabs.Panel value="raw">
              <ResponsePanel {...responseState}>
                {sending.data ? <CodeBlock text={sending.data.text} label="the response" /> : <NothingYet />}
              </ResponsePanel>
            </Tabs.Panel>
            <Tabs.Panel value="curl">
              {input && <CodeBlock text={curlOf(input, isDryRun, location.origin)} label="the command" />}
              <CodeNote isValid={input !== undefined} isDryRun={isDryRun} />
            </Tabs.Panel>
            <Tabs.Panel value="code">
              {input && (
                <CodeBlock text={clientCodeOf(input, isDryRun, location.origin)} label="the program" />
              )}
              <CodeNote isValid={input !== undefined} isDryRun={isDryRun} />
            </Tabs.Panel>
          </Tabs>
        </Paper>
      </SimpleGrid>
    </>
  );
}

interface Sending {
  readonly text: string;
  readonly isDryRun: boolean;
}

function LastResponse({ sending }: { sending: { error: Error | null; data: Outcome | undefined } }) {
  if (sending.error !== null) return <ErrorState error={sending.error} />;
  return sending.data === undefined ? <NothingYet /> : <OutcomeView outcome={sending.data} />;
}

function NothingYet() {
  return (
    <Text c="dimmed" size="sm">
      Nothing has been sent yet. “Validate” checks the records and compares them with the stored accounts,
      without storing anything.
    </Text>
  );
}

function CodeNote({ isValid, isDryRun }: { isValid: boolean; isDryRun: boolean }) {
  return (
    <Text c="dimmed" size="xs" mt="xs">
      {isValid
        ? `This ${isDryRun ? 'validates' : 'sends'} the records in the editor. Set ACCOUNT_SYNC_KEY to a key with the scope sync.`
        : 'Enter valid JSON first.'}
    </Text>
  );
}
