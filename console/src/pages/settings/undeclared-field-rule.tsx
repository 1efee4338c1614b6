import { Anchor, Skeleton, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useAttributes } from '../../api/attributes';
import type { Settings } from '../../api/settings';
import { plural } from '../../components/format';
import { ConfirmChoice } from './confirm-choice';
import { RuleChoice } from './rule-choice';
import { useRuleDraft } from './use-rule-draft';

const OPTIONS = {
  keep: {
    label: 'Keep them',
    description:
      'Undeclared fields are stored with any value, without a check, and are marked as undeclared.',
    saved: 'Saved. Undeclared fields are stored from now on.',
  },
  reject: {
    label: 'Reject the record',
    description: (
      <>
        A record with an undeclared field is rejected, so that spelling mistakes are noticed: “Account acme,
        licences is not a known field. Did you mean licenses?”
      </>
    ),
    saved: 'Saved. Records with undeclared fields are rejected from now on. Stored values stay.',
  },
};

export function UndeclaredFieldRule({ current }: { current: Settings['undeclared_fields'] }) {
  const rule = useRuleDraft('undeclared_fields', current);
  return (
    <RuleChoice
      title="Undeclared fields"
      description="What happens to fields that are not declared as attributes."
      rule={rule}
      options={OPTIONS}
    >
      <InUse />
      {rule.draft === 'reject' && (
        <ConfirmChoice {...rule.question} action="Reject undeclared fields">
          Records with a field that is not declared will be rejected. Stored values stay.
        </ConfirmChoice>
      )}
      {rule.draft === 'keep' && (
        <ConfirmChoice {...rule.question} action="Keep undeclared fields">
          Undeclared fields will be stored. Spelling mistakes in field names will no longer cause a rejection.
        </ConfirmChoice>
      )}
    </RuleChoice>
  );
}

/** More names would make the sentence hard to read. */
const MAX_NAMES = 5;

function InUse() {
  const { data, isError } = useAttributes();
  if (data === undefined) return isError ? null : <Skeleton height={20} mt="md" />;
  const fields = data.undeclared;
  const names = fields
    .slice(0, MAX_NAMES)
    .map(({ name, accounts }) => `${name} (${plural(accounts, 'account')})`);
  const more = fields.length > MAX_NAMES ? ` and ${fields.length - MAX_NAMES} more` : '';
  return (
    <Text size="sm" mt="md" className="breakable">
      {fields.length === 0 ? (
        'No undeclared fields are in use.'
      ) : (
        <>
          {plural(fields.length, 'undeclared field is', 'undeclared fields are')} in use: {names.join(', ')}
          {more}.{' '}
          <Anchor component={Link} href="/attributes" inherit underline="always">
            Declare {fields.length === 1 ? 'it' : 'them'}
          </Anchor>
        </>
      )}
    </Text>
  );
}
