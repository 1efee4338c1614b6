import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { CheckSum } from '../../api/add-up-checks';
import type { CheckRun } from '../../api/attribute-check';
import { plural } from '../../parts/format';
import type { Draft } from './draft';
import { Examples } from './examples';
import { FitReport } from './fit-report';
import { isLikelyChoice } from './propose-type';

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
        {sum?.isWhole === true && <ChoiceProposal draft={draft} onDraft={onDraft} sum={sum} />}
      </Stack>
    </Paper>
  );
}

interface ChoiceProposalProps {
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  readonly sum: CheckSum;
}

function ChoiceProposal({ draft, onDraft, sum }: ChoiceProposalProps) {
  const stored = sum.distinct ?? [];
  const isChoice = draft.type === 'choice';
  const missing = stored.filter((text) => text !== '' && !(isChoice && draft.choices.includes(text)));
  const isOffered = isChoice || (draft.type === 'text' && isLikelyChoice(sum));
  if (!isOffered || missing.length === 0) return null;
  const choose = () =>
    onDraft({ ...draft, type: 'choice', choices: [...new Set([...draft.choices, ...missing])] });
  return (
    <Group gap="sm" justify="space-between">
      <Text size="sm" className="breakable" flex={1} miw={200}>
        {isChoice
          ? `Stored, but no choice: ${missing.join(', ')}.`
          : `Only ${plural(stored.length, sum.fits.text === sum.values ? 'different value' : 'different text')}: ${missing.join(', ')}. A choice would refuse all others.`}
      </Text>
      <Button size="xs" variant="light" onClick={choose}>
        {isChoice ? 'Add to the choices' : 'Make it a choice'}
      </Button>
    </Group>
  );
}
