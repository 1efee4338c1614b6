import { Group, List, Loader, Text } from '@mantine/core';
import { useAccountIdCheck } from '../../api/settings';
import { AccountLink } from '../../components/account-link';
import { ErrorState } from '../../components/error-state';
import { formatNumber, plural } from '../../components/format';
import { ConfirmChoice, type Question } from './confirm-choice';

/** Confirmation of the rule “domain names only”. Checks first which stored ids violate it. */
export function DomainSwitch(question: Question) {
  const check = useAccountIdCheck();
  return (
    <ConfirmChoice {...question} action="Switch to domain names" mustWait={!check.isComplete}>
      {check.error && <ErrorState error={check.error} retry={check.retry} />}
      {!check.isComplete && !check.error && (
        <Group gap="sm">
          <Loader size="xs" aria-hidden />
          <span className="numbers">
            Checking stored ids: {formatNumber(check.checked)} so far, {formatNumber(check.unfit)} of them are
            not domain names.
          </span>
        </Group>
      )}
      {check.isComplete && <Finding {...check} />}
    </ConfirmChoice>
  );
}

interface FindingProps {
  readonly checked: number;
  readonly unfit: number;
  readonly examples: readonly string[];
}

function Finding({ checked, unfit, examples }: FindingProps) {
  if (checked === 0) return 'No accounts are stored yet, so no account is affected.';
  if (unfit === 0)
    return `All ${formatNumber(checked)} stored ids are domain names, so no account is affected.`;
  return (
    <>
      <Text size="sm" fw={600}>
        {formatNumber(unfit)} of {plural(checked, 'stored id')}{' '}
        {unfit === 1 ? 'is not a domain name' : 'are not domain names'}
        {unfit > examples.length ? ', for example:' : ':'}
      </Text>
      <List size="sm" my={6} withPadding>
        {examples.map((id) => (
          <List.Item key={id}>
            <AccountLink id={id} />
          </List.Item>
        ))}
      </List>
      {unfit === 1 ? 'This account stays' : 'These accounts stay'} stored and can be read, but new records for{' '}
      {unfit === 1 ? 'it' : 'them'} will be rejected.
    </>
  );
}
