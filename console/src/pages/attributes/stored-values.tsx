import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { CheckRun } from '../../api/attribute-check';
import type { CheckTotals } from '../../api/sum-checks';
import { plural } from '../../components/format';
import type { Draft } from './draft';
import { Examples } from './examples';
import { FitReport } from './fit-report';
import { isLikelyChoice } from './propose-type';

interface StoredValuesProps {
  readonly name: string;
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  readonly check: CheckRun;
  readonly total: number | undefined;
}

/** Shows whether the stored values match the declaration that is being edited. */
export function StoredValues({ name, draft, onDraft, check, total }: StoredValuesProps) {
  const { totals } = check;
  return (
    <Paper p="md" bg="var(--mantine-color-default)" component="section" aria-labelledby="stored-values">
      <Stack gap="sm">
        <Title order={3} size="h6" id="stored-values">
          Stored values
        </Title>
        <FitReport check={check} total={total} />
        {(totals === undefined || totals.examples.length > 0) && (
          <div>
            <Text size="xs" c="dimmed" mb={2}>
              Examples
            </Text>
            <Examples name={name} totals={totals} />
          </div>
        )}
        {totals?.isComplete === true && <ChoiceProposal draft={draft} onDraft={onDraft} totals={totals} />}
      </Stack>
    </Paper>
  );
}

interface ChoiceProposalProps {
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  readonly totals: CheckTotals;
}

function ChoiceProposal({ draft, onDraft, totals }: ChoiceProposalProps) {
  const stored = totals.distinct ?? [];
  const isChoice = draft.type === 'choice';
  const missing = stored.filter((text) => text !== '' && !(isChoice && draft.choices.includes(text)));
  const isOffered = isChoice || (draft.type === 'text' && isLikelyChoice(totals));
  if (!isOffered || missing.length === 0) return null;
  const applyChoices = () =>
    onDraft({ ...draft, type: 'choice', choices: [...new Set([...draft.choices, ...missing])] });
  return (
    <Group gap="sm" justify="space-between">
      <Text size="sm" className="breakable" flex={1} miw={200}>
        {isChoice
          ? `Stored values that are not choices: ${missing.join(', ')}.`
          : `Only ${plural(stored.length, totals.fits.text === totals.values ? 'different value' : 'different text')}: ${missing.join(', ')}. An attribute of type choice rejects all other values.`}
      </Text>
      <Button size="xs" variant="light" onClick={applyChoices}>
        {isChoice ? 'Add to the choices' : 'Use type choice'}
      </Button>
    </Group>
  );
}
