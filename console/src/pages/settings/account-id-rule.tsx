import { Code } from '@mantine/core';
import type { Settings } from '../../api/settings';
import { ConfirmChoice } from './confirm-choice';
import { DomainSwitch } from './domain-switch';
import { RuleChoice } from './rule-choice';
import { useRuleDraft } from './use-rule-draft';

const OPTIONS = {
  any: {
    label: 'Any id',
    description: 'Any text of up to 191 characters, such as the number that your CRM gives an account.',
    saved: 'Saved: any id is accepted from now on.',
  },
  domain: {
    label: 'Domain names only',
    description: 'A name such as example.com. Others are refused: “account_id must be a valid domain name.”',
    saved: 'Saved: only domain names are accepted from now on. Stored accounts stay.',
  },
};

export function AccountIdRule({ current }: { current: Settings['account_ids'] }) {
  const rule = useRuleDraft('account_ids', current);
  return (
    <RuleChoice
      title="Account ids"
      description="What the id of an account may be."
      rule={rule}
      options={OPTIONS}
    >
      {rule.draft === 'domain' && <DomainSwitch {...rule.question} />}
      {rule.draft === 'any' && (
        <ConfirmChoice {...rule.question} action="Accept any id">
          Ids that are no domain names will be accepted, too. International names are no longer brought into
          their ASCII form: <Code>bücher.de</Code> and <Code>xn--bcher-kva.de</Code> will be two accounts.
          Stored accounts stay as they are.
        </ConfirmChoice>
      )}
    </RuleChoice>
  );
}
