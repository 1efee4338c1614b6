export const missingId = 'account_id does not exist.';
export const notADomain = 'account_id must be a valid domain name.';
export const blocked = 'account_id blocked by system.';
export const ownParent = "account_id and parent_account_id can't be same.";

export const tooLong = (field: string) => `The ${field} may not be greater than 191 characters.`;

export const notAString = (field: string) => `The ${field} must be a string.`;

export const readOnly = (id: string, field: string) => `Account ${id}, ${field} is read-only.`;

export const unknownField = (id: string, field: string) => `Account ${id}, ${field} is not a known field.`;

export const invalid = (id: string, field: string, type: string) =>
  `Account ${id}, ${field} has invalid ${type} value.`;
