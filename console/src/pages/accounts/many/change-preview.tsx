import type { ManySummary } from '@account-sync/client';
import { List, Stack, Text, Title } from '@mantine/core';
import type { ChangeMany } from '../../../api/change-many';
import type { RejectedAccounts } from '../../../api/rejected-accounts';
import { AccountLink } from '../../../components/account-link';
import { Caution } from '../../../components/caution';
import { Counts } from '../../../components/counts';
import { formatNumber, plural } from '../../../components/format';
import { ACTIONS, type Action } from './actions';
import { changedBy } from './changed-by';
import { Examples } from './examples';

interface ChangePreviewProps {
  readonly change: ChangeMany;
  readonly action: Action;
  readonly summary: ManySummary;
}

/** What would become of the selected accounts. */
export function ChangePreview({ change, action, summary }: ChangePreviewProps) {
  const { matched, unchanged, rejected, kept } = summary;
  const changed = changedBy(summary);
  const { count, done, meaning } = ACTIONS[action];
  return (
    <>
      {action === 'delete' && changed > 0 ? (
        <Caution title="This cannot be undone">
          The accounts and all values in their histories are deleted permanently. Child accounts stay; their
          parent is then missing. If a system sends one of the ids again, a new account is created.
        </Caution>
      ) : (
        <Text size="sm">
          {matched === 0
            ? 'No account matches any more.'
            : changed === 0
              ? 'This changes no account.'
              : `Nothing is stored yet. ${meaning ?? 'This is what becomes of the selected accounts:'}`}
        </Text>
      )}
      <Counts
        counts={[
          { label: count, value: changed },
          ...(action === 'delete' ? [] : [{ label: 'Stay as they are', value: unchanged }]),
          { label: `Cannot be ${done}`, value: rejected },
        ]}
      />
      {kept > 0 && <Kept kept={kept} />}
      <Reasons rejected={change.rejected} done={done} />
      <Examples action={action} examples={change.examples} total={changed} />
    </>
  );
}

export function Kept({ kept }: { kept: number }) {
  return (
    <Text size="sm" c="dimmed">
      {plural(kept, 'value')} {kept === 1 ? 'stays' : 'stay'} as {kept === 1 ? 'it is' : 'they are'}, because
      another source owns the field.
    </Text>
  );
}

interface ReasonsProps {
  readonly rejected: RejectedAccounts;
  /** What they cannot be, such as “archived”. */
  readonly done: string;
}

function Reasons({ rejected: { reasons, others }, done }: ReasonsProps) {
  if (reasons.length === 0) return null;
  return (
    <Stack gap={4}>
      <Title order={3} size="h5">
        Why some cannot be {done}
      </Title>
      <List size="sm" spacing={4} className="breakable">
        {reasons.map(({ text, accounts, first }) => (
          <List.Item key={text}>
            {text}{' '}
            <Text span inherit c="dimmed">
              {plural(accounts, 'account')}:{' '}
            </Text>
            {first.map((id, i) => (
              <span key={id}>
                {i > 0 && ', '}
                <AccountLink id={id} underline="always" />
              </span>
            ))}
            {accounts > first.length && ` and ${formatNumber(accounts - first.length)} more`}
          </List.Item>
        ))}
        {others > 0 && <List.Item>Other reasons: {plural(others, 'account')}</List.Item>}
      </List>
    </Stack>
  );
}
