import { Radio, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { ConfirmChoice } from './confirm-choice';
import { RuleSection } from './rule-section';
import { type DaysSetting, useDaysDraft } from './use-days-draft';

interface DaysRuleProps extends DaysSetting {
  readonly title: string;
  readonly description: string;
  /** Initial number of days if none is set. */
  readonly suggested: number;
  readonly none: { readonly label: string; readonly description: string };
  readonly some: { readonly label: string; readonly description: string };
  readonly saved: (days: number | null) => string;
  /** Describes the consequences of a choice before it is saved. */
  readonly ask: (days: number | null) => { readonly action: string; readonly text: ReactNode };
}

/** A rule for the number of days that data is kept. */
export function DaysRule(props: DaysRuleProps) {
  const { title, description, current, suggested, none, some, saved, ask } = props;
  const rule = useDaysDraft(props);
  const question = rule.chosen === undefined ? undefined : ask(rule.chosen);
  return (
    <RuleSection
      title={title}
      description={description}
      error={rule.otherError}
      saved={rule.saved === undefined ? undefined : saved(rule.saved)}
    >
      <Radio.Group
        aria-label={title}
        value={rule.text === null ? 'none' : 'some'}
        onChange={(value) => rule.setText(value === 'none' ? null : String(current ?? suggested))}
      >
        <Stack gap="sm">
          <Radio value="none" {...none} />
          <Radio value="some" {...some} />
        </Stack>
      </Radio.Group>
      {rule.text !== null && (
        <TextInput
          label="Days"
          inputMode="numeric"
          mt="sm"
          maw={280}
          value={rule.text}
          onChange={(event) => rule.setText(event.currentTarget.value)}
          error={rule.fieldError}
        />
      )}
      {question && (
        <ConfirmChoice {...rule.question} action={question.action}>
          {question.text}
        </ConfirmChoice>
      )}
    </RuleSection>
  );
}
