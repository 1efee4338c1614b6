import { Paper, SimpleGrid, Tabs, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useHistoryState } from 'wouter/use-browser-location';
import { CodeBlock } from '../../parts/code-block';
import { ErrorState } from '../../parts/error-state';
import { PageHead } from '../../parts/page-head';
import { AnswerTo } from './answer-to';
import { clientCodeOf, curlOf } from './code-samples';
import { Editor } from './editor';
import { EXAMPLES } from './examples';
import { OutcomeView } from './outcome-view';
import { readInput } from './read-input';
import { type Outcome, sendRecords } from './send-records';

/** Write records, see what would happen to them, send them, and take the request along as code. */
export default function TryIt() {
  // Another page may have sent one here with something to try.
  const brought = useHistoryState<{ text?: string } | null>()?.text;
  const [text, setText] = useState(brought ?? EXAMPLES['One account']);
  const queries = useQueryClient();
  const sending = useMutation({
    mutationFn: ({ text, isDryRun }: Sending) => {
      const input = readInput(text);
      if (input === undefined || 'problem' in input) throw new Error('There is nothing to send.');
      return sendRecords(input, isDryRun);
    },
    onSuccess: ({ isDryRun }) => {
      if (!isDryRun) queries.invalidateQueries();
    },
  });
  const reading = readInput(text);
  const input = reading !== undefined && !('problem' in reading) ? reading : undefined;
  const isDryRun = sending.data?.isDryRun ?? true;
  const isAnswered = sending.isSuccess || sending.isError;
  const answerState = { reading, isOutdated: isAnswered && sending.variables.text !== text };
  return (
    <>
      <PageHead
        title="Try it"
        description="Write one account or several, see what would happen, and only then send them."
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
          <Tabs defaultValue="answer" keepMounted={false}>
            <Tabs.List mb="md">
              <Tabs.Tab value="answer">Answer</Tabs.Tab>
              <Tabs.Tab value="raw">Raw</Tabs.Tab>
              <Tabs.Tab value="curl">curl</Tabs.Tab>
              <Tabs.Tab value="code">JavaScript</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="answer" aria-live="polite">
              <AnswerTo {...answerState}>
                <Answer sending={sending} />
              </AnswerTo>
            </Tabs.Panel>
            <Tabs.Panel value="raw">
              <AnswerTo {...answerState}>
                {sending.data ? <CodeBlock text={sending.data.text} label="the answer" /> : <NothingYet />}
              </AnswerTo>
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

function Answer({ sending }: { sending: { error: Error | null; data: Outcome | undefined } }) {
  if (sending.error !== null) return <ErrorState error={sending.error} />;
  return sending.data === undefined ? <NothingYet /> : <OutcomeView outcome={sending.data} />;
}

function NothingYet() {
  return (
    <Text c="dimmed" size="sm">
      Nothing has been sent yet. “Validate” checks everything and compares it with what is stored, and stores
      nothing.
    </Text>
  );
}

function CodeNote({ isValid, isDryRun }: { isValid: boolean; isDryRun: boolean }) {
  return (
    <Text c="dimmed" size="xs" mt="xs">
      {isValid
        ? `${isDryRun ? 'Validates' : 'Sends'} what is in the editor. Put a key with the scope sync into ACCOUNT_SYNC_KEY.`
        : 'Write valid JSON first.'}
    </Text>
  );
}
