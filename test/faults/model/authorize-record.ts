import { shownId } from './rejected-record.js';
import type { Json } from './stored-value.js';
import type { Call, TenantModel } from './tenant-model.js';
import { type ValidationResult, validateRecord } from './validate-record.js';

/** Validates a record. One without other errors must not change fields that reject the values of its source. */
export function authorizeRecord(model: TenantModel, record: Json, call: Call): ValidationResult {
  const validated = validateRecord(record, model.rules);
  if (validated.errors !== undefined) return validated;
  const { reject } = model.fieldsOfOthers(validated.id, validated.patch, call);
  if (reject.length === 0) return validated;
  const message = (field: string) => `Account ${shownId(record)}, ${field} is read-only.`;
  return { errors: new Map(reject.map((field) => [field, [message(field)]])), id: validated.id };
}
