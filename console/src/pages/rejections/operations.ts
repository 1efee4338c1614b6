/** Operations that reject records, with their labels. */
export const OPERATIONS: Readonly<Record<string, string>> = {
  'upsert-account': 'Single account',
  'upsert-batch': 'Batch',
  'import-accounts': 'Import',
};
