import type { Account } from '@account-sync/client';
import { Select, Stack } from '@mantine/core';
import { useHistory } from '../../api/account';
import { useAttributes, useFields } from '../../api/attributes';
import { useQueryParameters } from '../../components/use-url';
import { HistoryList } from './history-list';

/** Changes of the account, newest first, optionally of one field only. */
export function History({ account }: { account: Account }) {
  const [parameters, change] = useQueryParameters();
  const field = parameters.get('field') ?? undefined;
  const names = useFieldNames(account, field);
  const find = useFields();
  const history = useHistory(account.account_id, field, account.revision);
  return (
    <Stack maw={920}>
      <Select
        label="Field"
        data={[
          { value: '', label: 'All fields' },
          ...names.map((name) => ({ value: name, label: find(name).label })),
        ]}
        renderOption={({ option: { value, label } }) => <span title={find(value).title}>{label}</span>}
        value={field ?? ''}
        onChange={(name) => change({ field: name || undefined })}
        allowDeselect={false}
        searchable
        nothingFoundMessage="No matching field"
        maw={340}
      />
      <HistoryList history={history} field={field} />
    </Stack>
  );
}

function useFieldNames(account: Account, field: string | undefined): string[] {
  const attributes = useAttributes().data?.data ?? [];
  const names = [
    'name',
    'parent_account_id',
    ...attributes.map(({ name }) => name),
    ...Object.keys(account.fields).sort(),
    ...(field === undefined ? [] : [field]),
  ];
  return [...new Set(names)];
}
