import type { Account } from '@account-sync/client';
import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useAttributes } from '../../api/attributes';
import { AccountLink } from '../../components/account-link';
import { QueryView } from '../../components/query-view';
import { SkeletonLines } from '../../components/skeleton-lines';
import { CollapsibleText } from './collapsible-text';
import { FieldGroup, FieldLine } from './field-group';
import { type GroupedFields, groupFields, type ShownField } from './group-fields';
import { TypedValue } from './typed-value';

export function AccountFields({ account }: { account: Account }) {
  return (
    <QueryView query={useAttributes()} loading={<SkeletonLines lines={8} />}>
      {(attributes) => <Groups account={account} {...groupFields(account, attributes)} />}
    </QueryView>
  );
}

type GroupsProps = { account: Account } & GroupedFields;

function Groups({ account, groups, undeclared, withoutValue }: GroupsProps) {
  const { account_id, parent_account_id, name } = account;
  const hasTimes = groups.some(({ fields }) =>
    fields.some(({ attribute }) => attribute?.type === 'datetime'),
  );
  const lines = (fields: readonly ShownField[]) =>
    fields.map(({ name, value, attribute }) => (
      <FieldLine key={name} name={name} kind={attribute?.type} hasHistory>
        <TypedValue value={value} attribute={attribute} />
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
      {groups.map(({ title, fields }) => (
        <FieldGroup key={fields[0]?.name} title={title}>
          {lines(fields)}
        </FieldGroup>
      ))}
      {undeclared.length > 0 && (
        <FieldGroup
          title="Undeclared"
          note={
            <>
              Other systems send these fields, but no attribute declares them. Their values have no type and
              are stored unchecked. Declare them under{' '}
              <Anchor component={Link} href="/attributes" inherit underline="always">
                Attributes
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
            <CollapsibleText
              text={`Declared attributes without a value: ${withoutValue.map(({ label }) => label).join(', ')}.`}
            />
          </div>
        )}
        {hasTimes && <Text inherit>{`${zoneText(ZONE)} Dates have no time zone.`}</Text>}
      </Stack>
    </Stack>
  );
}

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

function zoneText(zone: string): string {
  return zone === 'UTC'
    ? 'Times are shown in UTC.'
    : `Times are shown in your time zone (${zone}) and in UTC.`;
}
