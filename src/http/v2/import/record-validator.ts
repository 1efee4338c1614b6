import type { FastifyRequest } from 'fastify';
import type { AccountPatch } from '../../../domain/account.js';
import { identifierText } from '../../../domain/identifier.js';
import { isJsonObject, type JsonValue } from '../../../domain/json.js';
import { firstCharacters } from '../../../domain/text.js';
import { type AttributeErrors, validateAccount } from '../../../domain/validate-account.js';
import { type Piece, TOO_LARGE } from '../../../formats/record-splitter.js';
import type { RecordResult } from '../../../store/requests.js';
import { principalOf } from '../../auth/authenticate.js';
import { JsonLimits } from '../../body/json-limits.js';
import { parseJson } from '../../body/parse-json.js';
import { HttpError, httpError } from '../../errors.js';
import type { RejectionLog } from '../../replies/rejection-log.js';

export interface ImportCounts {
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
}

export interface Ending {
  readonly dryRun: boolean;
  readonly isComplete: boolean;
  readonly problem: string | null;
}

export function storedLine(index: number, accountId: string, { outcome, changed }: RecordResult): string {
  return line({ index, account_id: accountId, status: outcome, changed });
}

/** `why` holds messages by attribute, or one message about the whole record. */
export function failedLine(index: number, accountId: string | null, why: AttributeErrors | string): string {
  const reason = typeof why === 'string' ? { problem: why } : { errors: Object.fromEntries(why) };
  return line({ index, account_id: accountId, status: 'failed', ...reason });
}

export function summaryLine(counts: ImportCounts, { dryRun, isComplete, problem }: Ending): string {
  const { created, updated, unchanged, failed } = counts;
  const records = created + updated + unchanged + failed;
  return line({
    summary: {
      records,
      created,
      updated,
      unchanged,
      failed,
      dry_run: dryRun,
      is_complete: isComplete,
      problem,
    },
  });
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

const MAX_ID_LENGTH = 191;

/** A record to store, or the result line of a rejected one. */
export type Entry =
  | { readonly index: number; readonly patch: AccountPatch; readonly line?: never }
  | { readonly line: string; readonly patch?: never };

export interface RecordValidatorParts {
  readonly request: FastifyRequest;
  readonly isArray: boolean;
  readonly maxBytes: number;
  readonly rejections: RejectionLog;
}

/** Validates and counts the records of an import, each independently of the others. */
export class RecordValidator {
  readonly #parts: RecordValidatorParts;

  constructor(parts: RecordValidatorParts) {
    this.#parts = parts;
  }

  /** Throws an `HttpError` if the input is so broken that the start of the next record is unknown. */
  validate(piece: Piece): Entry {
    const { request, isArray, maxBytes } = this.#parts;
    let record: JsonValue;
    try {
      if (piece === TOO_LARGE) throw httpError('record_too_large', maxBytes);
      new JsonLimits(maxBytes, 'record').push(piece);
      record = parseJson(piece, 'record') ?? null;
    } catch (error) {
      const isEnd = isArray && (piece === TOO_LARGE || isInvalidJson(error));
      if (!(error instanceof HttpError) || isEnd) throw error;
      this.recordRejection(error);
      return { line: failedLine(this.#count(), null, error.message) };
    }
    const { patch, errors } = validateAccount(record, principalOf(request).tenant.rules);
    if (patch !== undefined) return { index: this.#count(), patch };
    if (!request.isDryRun) {
      this.#parts.rejections.add(request, { status: 400, place: request.records, errors, record });
    }
    return { line: failedLine(this.#count(), sentId(record), errors) };
  }

  /** Records an error at the index of the next record. */
  recordRejection({ status, message }: HttpError): void {
    const { request, rejections } = this.#parts;
    if (!request.isDryRun) rejections.add(request, { status, place: request.records, problem: message });
  }

  /** Returns the index of the current record, and advances to the next. */
  #count(): number {
    const index = this.#parts.request.records;
    this.#parts.request.records += 1;
    return index;
  }
}

function sentId(record: JsonValue): string | null {
  const id = isJsonObject(record) ? identifierText(record.account_id) : undefined;
  return id === undefined || id === '' ? null : firstCharacters(id, MAX_ID_LENGTH);
}

function isInvalidJson(error: unknown): boolean {
  return error instanceof HttpError && error.code === 'invalid_json';
}
