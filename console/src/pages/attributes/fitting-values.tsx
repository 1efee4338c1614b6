import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { CheckRun } from '../../api/attribute-check';
import { plural } from '../../parts/format';
import type { Draft } from './draft';
import { Examples } from './examples';
import { FitReport } from './fit-report';

interface FittingValuesProps {
  readonly name: string;
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  readonly check: CheckRun;
  readonly total: number | undefined;
}

/** What is stored already, and how it fits what is being declared. */
export function FittingValues({ name, draft, onDraft, check, total }: FittingValuesProps) {
  const { sum } = check;
  return (
    <Paper p="md" bg="var(--mantine-color-default)" component="section" aria-labelledby="fitting">
      <Stack gap="sm">
        <Title order={3} size="h6" id="fitting">
          Values that are stored already
        </Title>
        <FitReport check={check} total={total} />
        {(sum === undefined || sum.examples.length > 0) && (
          <div>
            <Text size="xs" c="dimmed" mb={2}>
              Examples
            </Text>
            <Examples name={name} sum={sum} />
          </div>
        )}
        {sum?.isWhole === true && sum.distinct !== null && (
          <ChoiceProposal draft={draft} onDraft={onDraft} stored={sum.distinct} values={sum.values} />
        )}
      </Stack>
    </Paper>
  );
}

interface ChoiceProposalProps {
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  readonly stored: readonly string[];
  readonly values: number;
}

/** Few texts that come again and again are likely to be all there are. */
function ChoiceProposal({ draft, onDraft, stored, values }: ChoiceProposalProps) {
  const isChoice = draft.type === 'choice';
  const missing = stored.filter((text) => text !== '' && !(isChoice && draft.choices.includes(text)));
  const isLikely = isChoice || (draft.type === 'text' && stored.length * 2 <= values);
  if (!isLikely || missing.length === 0) return null;
  const choose = () =>
    onDraft({ ...draft, type: 'choice', choices: [...new Set([...draft.choices, ...missing])] });
  return (
    <Group gap="sm" justify="space-between">
      <Text size="sm" className="breakable" flex={1} miw={200}>
        {isChoice
          ? `Stored, but no choice: ${missing.join(', ')}.`
          : `Only ${plural(stored.length, 'different value')}: ${missing.join(', ')}. A choice would refuse all others.`}
      </Text>
      <Button size="xs" variant="light" onClick={choose}>
        {isChoice ? 'Add to the choices' : 'Make it a choice'}
      </Button>
    </Group>
  );
}
