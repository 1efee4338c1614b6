import { Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorState } from '../../components/error-state';
import { SavedNote } from '../../components/saved-note';

interface RuleSectionProps {
  readonly title: string;
  readonly description: string;
  /** An error that is not about a field. */
  readonly error: Error | null;
  /** Confirmation after saving. */
  readonly saved: string | undefined;
  readonly children: ReactNode;
}

/** A rule of the tenant: description, options, and the result of saving. */
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
