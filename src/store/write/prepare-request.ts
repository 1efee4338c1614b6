import type { AccountPatch } from '../../domain/account.js';
import { isJsonObject, type JsonValue } from '../../domain/json.js';
import { describeRejected, type RejectedRecord } from '../../domain/rejected-record.js';
import { rejectedAccountBody, rejectedBatchBody } from '../../domain/rejection-body.js';
import type { TenantRules } from '../../domain/tenant.js';
import {
  type AttributeErrors,
  ownershipErrors,
  type Validation,
  validateAccount,
} from '../../domain/validate-account.js';
import { checkJsonLimits } from '../../formats/json-limits.js';
import { JsonProblem, type JsonProblems } from '../../formats/json-problem.js';
import { parseJson } from '../../formats/parse-json.js';
import type { RefusedPatch } from '../requests.js';

/** What can be wrong with a whole request, and what a message about it names; `http/errors.ts` has the messages. */
export interface RequestProblems extends JsonProblems {
  readonly no_data: [];
  readonly invalid_data: [];
  readonly too_many_records: [limit: number];
  readonly too_many_messages: [];
  readonly too_many_bodies: [];
}

export type RequestProblem = {
  readonly [Code in keyof RequestProblems]: { readonly code: Code; readonly args: RequestProblems[Code] };
}[keyof RequestProblems];

/** Records that break the rules of their tenant. */
export interface RejectedRecords {
  /** The body of the response, as the contract fixes it. */
  readonly body: string;
  /** The first rejected records. */
  readonly rejected: readonly RejectedRecord[];
  /** How many records are rejected. */
  readonly count: number;
}

export interface RejectedRequest {
  readonly rejection: RejectedRecords;
  readonly records: number;
}

/** What becomes of a request before anything is stored. `records` is the number of its records, as far as it is known. */
export type Prepared =
  | {
      /** None if it is rejected. */
      readonly patches: readonly AccountPatch[];
      readonly rejected?: RejectedRequest;
      /** The accounts that its records name, also if it is rejected. */
      accountIds(): string[];
    }
  | RejectedWhole;

export interface RejectedWhole {
  readonly problem: RequestProblem;
  readonly records: number;
}

export interface RequestLimits {
  readonly maxBodyBytes: number;
  readonly maxBatch: number;
}

export const DEFAULT_REQUEST_LIMITS: RequestLimits = { maxBodyBytes: 10 * 1024 * 1024, maxBatch: 5_000 };

/** More rejected records of one request are only counted. */
export const MAX_REJECTED = 50;
/** Enough for an error in every field of a large batch; without a limit a response could have gigabytes. */
const MAX_MESSAGE_LENGTH = 16 * 1024 * 1024;

export interface PrepareOptions {
  readonly rules: TenantRules;
  /** The source of the request. */
  readonly source: string;
  readonly limits: RequestLimits;
}

/** Reads a body and checks its records against the rules of the tenant. */
export function prepareRequest(
  kind: 'account' | 'batch',
  body: Buffer,
  { rules, source, limits }: PrepareOptions,
): Prepared {
  try {
    checkJsonLimits(body, limits.maxBodyBytes);
    const value = body.length === 0 ? undefined : parseJson(body);
    const validate = (record: JsonValue) => validateAccount(record, rules, source);
    return kind === 'account'
      ? prepareAccount(value, validate)
      : prepareBatch(value, validate, limits.maxBatch);
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error;
    return { problem: { code: error.code, args: error.args } as RequestProblem, records: 0 };
  }
}

type Validate = (record: JsonValue) => Validation;

function prepareAccount(value: JsonValue | undefined, validate: Validate): Prepared {
  if (isEmpty(value)) return problem('no_data');
  if (!isJsonObject(value)) return problem('invalid_data');
  const validation = validate(value);
  const { patch, errors } = validation;
  const accountIds = () => namedAccounts([validation]);
  if (patch !== undefined) return { patches: [patch], accountIds };
  return { patches: [], rejected: rejectAccount(value, errors), accountIds };
}

function prepareBatch(value: JsonValue | undefined, validate: Validate, maxBatch: number): Prepared {
  if (!Array.isArray(value) || value.length === 0) return problem('invalid_data');
  const records = value.length;
  if (records > maxBatch) return { ...problem('too_many_records', maxBatch), records };
  const validations: Validation[] = [];
  const limit = new MessageLimit();
  for (const record of value) {
    const validation = validate(record);
    if (!limit.allows(validation.errors)) return { ...problem('too_many_messages'), records };
    validations.push(validation);
  }
  const patches = validations.flatMap(({ patch }) => patch ?? []);
  const accountIds = () => namedAccounts(validations);
  if (patches.length === records) return { patches, accountIds };
  return { patches: [], rejected: { rejection: reject(value, validations), records }, accountIds };
}

function namedAccounts(validations: readonly Validation[]): string[] {
  return validations.flatMap(({ patch, accountId }) => patch?.accountId ?? accountId ?? []);
}

/** The rejection of a request whose records are valid, but would change fields of other sources. */
export function rejectOwned(
  kind: 'account' | 'batch',
  body: Buffer,
  refused: readonly RefusedPatch[],
): RejectedRequest | RejectedWhole {
  const value = parseJson(body) as JsonValue;
  const fieldsOf = new Map(refused.map(({ index, fields }) => [index, fields]));
  const errorsOf = (record: JsonValue, index: number) => ownershipErrors(record, fieldsOf.get(index) ?? []);
  if (kind === 'account') return rejectAccount(value, errorsOf(value, 0));
  const records = value as JsonValue[];
  const limit = new MessageLimit();
  const validations: Pick<Validation, 'errors'>[] = [];
  for (const [index, record] of records.entries()) {
    const errors = fieldsOf.has(index) ? errorsOf(record, index) : undefined;
    if (!limit.allows(errors)) return { ...problem('too_many_messages'), records: records.length };
    validations.push(errors === undefined ? {} : { errors });
  }
  return { rejection: reject(records, validations), records: records.length };
}

function rejectAccount(record: JsonValue, errors: AttributeErrors): RejectedRequest {
  const rejected = [describeRejected(null, errors, record)];
  return { rejection: { body: rejectedAccountBody(errors), rejected, count: 1 }, records: 1 };
}

/** Bounds the length of all messages of a response. */
class MessageLimit {
  #length = 0;

  allows(errors: AttributeErrors | undefined): boolean {
    for (const messages of errors?.values() ?? [])
      for (const message of messages) this.#length += message.length;
    return this.#length <= MAX_MESSAGE_LENGTH;
  }
}

function reject(
  records: readonly JsonValue[],
  validations: readonly Pick<Validation, 'errors'>[],
): RejectedRecords {
  const rejected: RejectedRecord[] = [];
  let count = 0;
  for (const [place, { errors }] of validations.entries()) {
    if (errors === undefined) continue;
    count += 1;
    if (count <= MAX_REJECTED) rejected.push(describeRejected(place, errors, records[place] ?? null));
  }
  return { body: rejectedBatchBody(validations), rejected, count };
}

/** No bytes, white space, `null`, `{}` and `[]` all count as no data. */
function isEmpty(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function problem<Code extends keyof RequestProblems>(code: Code, ...args: RequestProblems[Code]) {
  return { problem: { code, args } as RequestProblem, records: 0 };
}
