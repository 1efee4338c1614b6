const json = (value: unknown) => JSON.stringify(value, null, 2);

/** Examples to start from. Choosing one stores nothing. */
export const EXAMPLES = {
  'One account': json({ account_id: 'acme', name: 'Acme Inc.', licenses: 25, custom_Is_Valid: true }),
  'A batch': json([
    { account_id: 'acme', name: 'Acme Inc.', licenses: 25 },
    { account_id: 'acme-berlin', name: 'Acme Berlin', parent_account_id: 'acme' },
  ]),
  'With mistakes': json([
    { account_id: 'acme', name: 'Acme Inc.', licenses: '25 seats' },
    { account_id: 'acme-berlin', parent_account_id: 'ACME-Berlin', custom_External_Created_On: '2026-02-30' },
    { name: 'Nameless' },
  ]),
} as const;
