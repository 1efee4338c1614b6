/** What refuses records, in plain words. */
export const OPERATIONS: Readonly<Record<string, string>> = {
  'upsert-account': 'Single account',
  'upsert-batch': 'Batch',
  'import-accounts': 'Import',
};
