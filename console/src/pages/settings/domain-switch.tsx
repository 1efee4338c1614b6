import { Group, List, Loader, Text } from '@mantine/core';
import { useAccountIdCheck } from '../../api/settings';
import { AccountLink } from '../../parts/account-link';
import { ErrorState } from '../../parts/error-state';
import { formatNumber, plural } from '../../parts/format';
import { ConfirmChoice, type Question } from './confirm-choice';

/** Before only domains are accepted: which of the stored ids are none. */
export function DomainSwitch(question: Question) {
  const check = useAccountIdCheck();
  return (
    <ConfirmChoice {...question} action="Switch to domain names" mustWait={!check.isComplete}>
      {check.error && <ErrorState error={check.error} retry={check.retry} />}
      {!check.isComplete && !check.error && (
        <Group gap="sm">
          <Loader size="xs" aria-hidden />
          <span className="numbers">
            Looking at stored ids: {formatNumber(check.lookedAt)} so far, {formatNumber(check.unfit)} of them
            are no domain names.
          </span>
        </Group>
      )}
      {check.isComplete && <Finding {...check} />}
    </ConfirmChoice>
  );
}

interface FindingProps {
  readonly lookedAt: number;
  readonly unfit: number;
  readonly examples: readonly string[];
}

function Finding({ lookedAt, unfit, examples }: FindingProps) {
  if (lookedAt === 0) return 'No accounts are stored yet, so nothing changes for any of them.';
  if (unfit === 0)
    return `All ${formatNumber(lookedAt)} stored ids are domain names: nothing changes for them.`;
  return (
    <>
      <Text size="sm" fw={600}>
        {formatNumber(unfit)} of {plural(lookedAt, 'stored id')}{' '}
        {unfit === 1 ? 'is no domain name' : 'are no domain names'}
        {unfit > examples.length ? ', for example' : ''}
      </Text>
      <List size="sm" my={6} withPadding>
        {examples.map((id) => (
          <List.Item key={id}>
            <AccountLink id={id} />
          </List.Item>
        ))}
      </List>
      {unfit === 1 ? 'This account stays' : 'These accounts stay'} stored and can be read. But from then on,
      records that are sent for {unfit === 1 ? 'it' : 'them'} will be refused.
    </>
  );
}
