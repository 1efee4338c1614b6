import type { AttributeErrors, Validation } from './validate-account.js';

/** The contract's body for a record with problems: all of them, as a list and by attribute. */
export function rejectedAccountBody(errors: AttributeErrors): string {
  return rejectionBody(flat(errors), [Object.fromEntries(errors)]);
}

/** The same for a batch: one entry per record, in the order sent; empty for valid records. */
export function rejectedBatchBody(validations: readonly Pick<Validation, 'errors'>[]): string {
  const byRecord = validations.map(({ errors = NO_ERRORS }) => errors);
  return rejectionBody(
    byRecord.map(flat),
    byRecord.map((errors) => Object.fromEntries(errors)),
  );
}

const NO_ERRORS: AttributeErrors = new Map();

function flat(errors: AttributeErrors): string[] {
  return [...errors.values()].flat();
}

function rejectionBody(errors: readonly unknown[], byAttributes: readonly object[]): string {
  return JSON.stringify({ success: false, errors, errors_by_attributes: byAttributes });
}
