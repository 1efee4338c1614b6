import type { FastifyReply, FastifyRequest } from 'fastify';
import type { JsonValue } from '../../domain/json.js';
import type { AttributeErrors, Validation } from '../../domain/validate-account.js';
import { JSON_TYPE, parseJson } from '../body/parse-json.js';

export interface Body {
  readonly value: JsonValue | undefined;
  readonly bytes: number;
}

export function readBody(request: FastifyRequest): Body {
  const bytes = request.body as Buffer | undefined;
  return bytes === undefined
    ? { value: undefined, bytes: 0 }
    : { value: parseJson(bytes), bytes: bytes.length };
}

/** No bytes, white space, `null`, `{}` and `[]` all count as no data. */
export function isEmpty(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** The contract fixes the bytes of its responses, so additional information goes into headers. */
const SUCCESS = '{"success":true}';
const RESULT = 'account-sync-result';

export function sendStored(reply: FastifyReply, result: string): FastifyReply {
  return reply.header(RESULT, result).type(JSON_TYPE).send(SUCCESS);
}

export function sendRejectedAccount(reply: FastifyReply, errors: AttributeErrors): FastifyReply {
  return sendRejection(reply, flat(errors), [Object.fromEntries(errors)]);
}

/** One entry per record, in the order of the request; empty for valid records. */
export function sendRejectedBatch(reply: FastifyReply, validations: readonly Validation[]): FastifyReply {
  const byRecord = validations.map(({ errors = NO_ERRORS }) => errors);
  return sendRejection(
    reply,
    byRecord.map(flat),
    byRecord.map((errors) => Object.fromEntries(errors)),
  );
}

const NO_ERRORS: AttributeErrors = new Map();

function flat(errors: AttributeErrors): string[] {
  return [...errors.values()].flat();
}

function sendRejection(
  reply: FastifyReply,
  errors: readonly unknown[],
  byAttributes: readonly object[],
): FastifyReply {
  const body = { success: false, errors, errors_by_attributes: byAttributes };
  return reply.code(400).type(JSON_TYPE).send(JSON.stringify(body));
}
