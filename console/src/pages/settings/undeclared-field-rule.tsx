import { Anchor, Skeleton, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useAttributes } from '../../api/attributes';
import type { Settings } from '../../api/settings';
import { plural } from '../../parts/format';
import { ConfirmChoice } from './confirm-choice';
import { RuleChoice } from './rule-choice';
import { useRuleDraft } from './use-rule-draft';

const OPTIONS = {
  keep: {
    label: 'Keep them',
    description:
      'They are stored as they were sent, with any value, and shown as undeclared. Nothing is lost.',
    saved: 'Saved: undeclared fields are kept from now on.',
  },
  reject: {
    label: 'Reject the record',
    description: (
      <>
        A record with such a field is refused, so that a misspelt name is noticed: “Account acme, licences is
        not a known field. Did you mean licenses?”
      </>
    ),
    saved: 'Saved: records with undeclared fields are refused from now on. Stored values stay.',
  },
};

export function UndeclaredFieldRule({ current }: { current: Settings['undeclared_fields'] }) {
  const rule = useRuleDraft('undeclared_fields', current);
  return (
    <RuleChoice
      title="Undeclared fields"
      description="What happens to fields that no attribute declares."
      rule={rule}
      options={OPTIONS}
    >
      <InUse />
      {rule.draft === 'reject' && (
        <ConfirmChoice {...rule.question} action="Reject undeclared fields">
          Whoever sends a field that is not declared will be refused from then on. Values that are stored
          stay.
        </ConfirmChoice>
      )}
      {rule.draft === 'keep' && (
        <ConfirmChoice {...rule.question} action="Keep undeclared fields">
          Records with fields that nobody declared will be stored with all of them, and misspelt names are no
          longer noticed.
        </ConfirmChoice>
      )}
    </RuleChoice>
  );
}

/** More would not be read. */
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
        'No undeclared field is in use now.'
      ) : (
        <>
          {plural(fields.length, 'undeclared field is', 'undeclared fields are')} in use now:{' '}
          {names.join(', ')}
          {more}.{' '}
          <Anchor component={Link} href="/attributes" inherit underline="always">
            Declare {fields.length === 1 ? 'it' : 'them'}
          </Anchor>
        </>
      )}
    </Text>
  );
}
