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

export interface Tally {
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

/** Why: messages by attribute, or one about the whole record. */
export function failedLine(index: number, accountId: string | null, why: AttributeErrors | string): string {
  const reason = typeof why === 'string' ? { problem: why } : { errors: Object.fromEntries(why) };
  return line({ index, account_id: accountId, status: 'failed', ...reason });
}

export function summaryLine(tally: Tally, { dryRun, isComplete, problem }: Ending): string {
  const { created, updated, unchanged, failed } = tally;
  const records = created + updated + unchanged + failed;
  const counts = { records, created, updated, unchanged, failed };
  return line({ summary: { ...counts, dry_run: dryRun, is_complete: isComplete, problem } });
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

const MAX_ID_LENGTH = 191;

/** A record to store, or the line that says why it is not. */
export type Entry =
  | { readonly index: number; readonly patch: AccountPatch; readonly line?: never }
  | { readonly line: string; readonly patch?: never };

export interface RecordExaminerParts {
  readonly request: FastifyRequest;
  readonly isArray: boolean;
  readonly maxBytes: number;
  readonly rejections: RejectionLog;
}

/** Counts the records of an import, and judges each by itself. */
export class RecordExaminer {
  readonly #parts: RecordExaminerParts;

  constructor(parts: RecordExaminerParts) {
    this.#parts = parts;
  }

  /** Throws a `HttpError` where it is unknown what would be the next record. */
  examine(piece: Piece): Entry {
    const { request, isArray, maxBytes } = this.#parts;
    let record: JsonValue;
    try {
      if (piece === TOO_LARGE) throw httpError('record_too_large', maxBytes);
      new JsonLimits(maxBytes, 'record').push(piece);
      record = parseJson(piece, 'record') ?? null;
    } catch (error) {
      const isEnd = isArray && (piece === TOO_LARGE || isInvalidJson(error));
      if (!(error instanceof HttpError) || isEnd) throw error;
      this.note(error);
      return { line: failedLine(this.#count(), null, error.message) };
    }
    const { patch, errors } = validateAccount(record, principalOf(request).tenant.rules);
    if (patch !== undefined) return { index: this.#count(), patch };
    if (!request.isDryRun) {
      this.#parts.rejections.note(request, { status: 400, place: request.records, errors, record });
    }
    return { line: failedLine(this.#count(), sentId(record), errors) };
  }

  /** What is wrong at the place of the next record. */
  note({ status, message }: HttpError): void {
    const { request, rejections } = this.#parts;
    if (!request.isDryRun) rejections.note(request, { status, place: request.records, problem: message });
  }

  /** The index of a record that is now done with. */
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
