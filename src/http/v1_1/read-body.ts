import type { FastifyRequest } from 'fastify';
import type { JsonValue } from '../../domain/json.js';
import { parseJsonBody } from '../json-body.js';

export interface Body {
  readonly value: JsonValue | undefined;
  readonly bytes: number;
}

export function readBody(request: FastifyRequest): Body {
  const bytes = request.body as Buffer | undefined;
  return bytes === undefined
    ? { value: undefined, bytes: 0 }
    : { value: parseJsonBody(bytes), bytes: bytes.length };
}

/** No bytes, white space, `null`, `{}` and `[]` all say nothing. */
export function isEmpty(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
