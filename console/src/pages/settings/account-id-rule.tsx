import { Code } from '@mantine/core';
import type { Settings } from '../../api/settings';
import { ConfirmChoice } from './confirm-choice';
import { DomainSwitch } from './domain-switch';
import { RuleChoice } from './rule-choice';
import { useRuleDraft } from './use-rule-draft';

const OPTIONS = {
  any: {
    label: 'Any id',
    description: 'Any text of up to 191 characters, for example the account number in your CRM.',
    saved: 'Saved. Any id is accepted from now on.',
  },
  domain: {
    label: 'Domain names only',
    description:
      'A name such as example.com. Records with other ids are rejected: “account_id must be a valid domain name.”',
    saved: 'Saved. Only domain names are accepted from now on. Stored accounts stay.',
  },
};

export function AccountIdRule({ current }: { current: Settings['account_ids'] }) {
  const rule = useRuleDraft('account_ids', current);
  return (
    <RuleChoice title="Account ids" description="Which ids accounts can have." rule={rule} options={OPTIONS}>
      {rule.draft === 'domain' && <DomainSwitch {...rule.question} />}
      {rule.draft === 'any' && (
        <ConfirmChoice {...rule.question} action="Accept any id">
          Ids that are not domain names will be accepted, too. International domain names are no longer
          converted to ASCII: <Code>bücher.de</Code> and <Code>xn--bcher-kva.de</Code> will be two accounts.
          Stored accounts do not change.
        </ConfirmChoice>
      )}
    </RuleChoice>
  );
}
