import type { Account } from '@account-sync/client';
import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useAttributes } from '../../api/attributes';
import { AccountLink } from '../../parts/account-link';
import { LinesLoading } from '../../parts/lines-loading';
import { QueryView } from '../../parts/query-view';
import { FieldGroup, FieldLine } from './field-group';
import { FoldedText } from './folded-text';
import { groupFields } from './group-fields';
import { TypedValue } from './typed-value';

export function AccountFields({ account }: { account: Account }) {
  return (
    <QueryView query={useAttributes()} loading={<LinesLoading lines={8} />}>
      {({ data }) => <Groups account={account} {...groupFields(account, data)} />}
    </QueryView>
  );
}

type GroupsProps = { account: Account } & ReturnType<typeof groupFields>;

function Groups({ account, standard, custom, undeclared, withoutValue }: GroupsProps) {
  const { account_id, parent_account_id, name } = account;
  const hasTimes = [...standard, ...custom].some(({ type }) => type === 'datetime');
  const lines = (fields: typeof standard) =>
    fields.map(({ name, value, type }) => (
      <FieldLine key={name} name={name} kind={type} hasHistory>
        <TypedValue value={value} type={type} />
      </FieldLine>
    ));
  return (
    <Stack gap="lg" maw={920}>
      <FieldGroup title="Identity">
        <FieldLine name="account_id">{account_id}</FieldLine>
        <FieldLine name="parent_account_id" hasHistory>
          {parent_account_id === null ? <TypedValue value={null} /> : <AccountLink id={parent_account_id} />}
        </FieldLine>
        <FieldLine name="name" hasHistory>
          <TypedValue value={name} />
        </FieldLine>
      </FieldGroup>
      {standard.length > 0 && <FieldGroup title="Standard">{lines(standard)}</FieldGroup>}
      {custom.length > 0 && <FieldGroup title="Custom">{lines(custom)}</FieldGroup>}
      {undeclared.length > 0 && (
        <FieldGroup
          title="Undeclared"
          note={
            <>
              Systems send these, but nobody has declared them, so they have no type and are kept as they
              came. See{' '}
              <Anchor component={Link} href="/attributes" inherit underline="always">
                attributes
              </Anchor>
              .
            </>
          }
        >
          {lines(undeclared)}
        </FieldGroup>
      )}
      <Stack gap={4} fz="sm" c="dimmed">
        {withoutValue.length > 0 && (
          <div>
            <FoldedText text={`Declared, but without a value here: ${withoutValue.join(', ')}.`} />
          </div>
        )}
        {hasTimes && (
          <Text inherit>{`Times are in your zone, ${ZONE}, and in UTC. Dates have no zone.`}</Text>
        )}
      </Stack>
    </Stack>
  );
}

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
