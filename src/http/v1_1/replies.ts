import type { FastifyReply } from 'fastify';
import type { AttributeErrors, Validation } from '../../domain/validate-account.js';
import { JSON_TYPE } from '../json-body.js';

/** Answers of the contract, whose bytes are fixed: whatever is added travels in headers. */
const SUCCESS = '{"success":true}';
const RESULT = 'account-sync-result';

export function stored(reply: FastifyReply, result: string): FastifyReply {
  return reply.header(RESULT, result).type(JSON_TYPE).send(SUCCESS);
}

export function refusedAccount(reply: FastifyReply, errors: AttributeErrors): FastifyReply {
  return refused(reply, flat(errors), [Object.fromEntries(errors)]);
}

/** An entry for every record, in the order of the request: empty for those that were fine. */
export function refusedBatch(reply: FastifyReply, validations: readonly Validation[]): FastifyReply {
  const byRecord = validations.map(({ errors = NO_ERRORS }) => errors);
  return refused(
    reply,
    byRecord.map(flat),
    byRecord.map((errors) => Object.fromEntries(errors)),
  );
}

const NO_ERRORS: AttributeErrors = new Map();

function flat(errors: AttributeErrors): string[] {
  return [...errors.values()].flat();
}

function refused(
  reply: FastifyReply,
  errors: readonly unknown[],
  byAttributes: readonly object[],
): FastifyReply {
  const body = { success: false, errors, errors_by_attributes: byAttributes };
  return reply.code(400).type(JSON_TYPE).send(JSON.stringify(body));
}
