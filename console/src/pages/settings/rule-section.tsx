import { Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorState } from '../../parts/error-state';
import { SavedNote } from '../../parts/saved-note';

interface RuleSectionProps {
  readonly title: string;
  readonly description: string;
  /** What keeps it from being saved, and is about no field. */
  readonly error: Error | null;
  /** What is told once it is saved. */
  readonly saved: string | undefined;
  readonly children: ReactNode;
}

/** A rule of the tenant: what it is about, what can be chosen, and what became of the choice. */
export function RuleSection({ title, description, error, saved, children }: RuleSectionProps) {
  return (
    <Paper p="lg" component="section" aria-label={title}>
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text c="dimmed" size="sm" mb="md">
        {description}
      </Text>
      {children}
      {error && <ErrorState error={error} />}
      <SavedNote>{saved}</SavedNote>
    </Paper>
  );
}
