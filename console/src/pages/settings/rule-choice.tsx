import { Radio, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { RuleSection } from './rule-section';
import type { RuleDraft } from './use-rule-draft';

interface RuleChoiceProps<T extends string> {
  readonly title: string;
  readonly description: string;
  readonly rule: RuleDraft<T>;
  readonly options: Readonly<Record<T, { label: string; description: ReactNode; saved: string }>>;
  readonly children: ReactNode;
}

/** A rule with options. The consequences of the choice are shown below them. */
export function RuleChoice<T extends string>(props: RuleChoiceProps<T>) {
  const { title, description, rule, options, children } = props;
  return (
    <RuleSection
      title={title}
      description={description}
      error={rule.otherError}
      saved={rule.saved === undefined ? undefined : options[rule.saved].saved}
    >
      <Radio.Group
        aria-label={title}
        value={rule.chosen}
        onChange={(value) => rule.choose(value as T)}
        error={rule.fieldError}
      >
        <Stack gap="sm">
          {(Object.keys(options) as T[]).map((value) => (
            <Radio
              key={value}
              value={value}
              label={options[value].label}
              description={options[value].description}
            />
          ))}
        </Stack>
      </Radio.Group>
      {children}
    </RuleSection>
  );
}
