import { expect } from 'vitest';
import { batch, type Operation, type Outcome, sync } from './operations.js';
import { type HttpResponse, post } from './requests.js';

export type ErrorsByAttribute = Record<string, string[]>;

const statusAndBody = ({ status, text }: HttpResponse) => ({ status, body: JSON.parse(text) as unknown });

export function expectSuccess({ status, text, headers }: HttpResponse) {
  expect({ status, text }).toEqual({ status: 200, text: '{"success":true}' });
  expect(headers.get('content-type')).toMatch(/^application\/json\b/);
}

export function expectResult(response: HttpResponse, result: string) {
  expectSuccess(response);
  expect(response.headers.get('account-sync-result')).toBe(result);
}

export function expectFailure(
  response: HttpResponse,
  status: number,
  errors: unknown,
  errorsByAttributes: unknown = [],
) {
  expect(statusAndBody(response)).toEqual({
    status,
    body: { success: false, errors, errors_by_attributes: errorsByAttributes },
  });
  expect(response.headers.get('content-type')).toMatch(/^application\/json\b/);
}

export const expectEnvelope = (response: HttpResponse, status: number, message: string) =>
  expectFailure(response, status, [message]);

export function expectUnauthenticated(response: HttpResponse) {
  expect(statusAndBody(response)).toEqual({
    status: 401,
    body: { success: false, error: 'Unauthenticated.', status: 403 },
  });
  expect(response.headers.get('www-authenticate')).toBe('Bearer');
}

export async function expectStored(
  operation: Operation,
  record: object | string,
  outcome: Outcome,
  key?: string,
) {
  expectResult(await sync(operation, record, key), operation.result(outcome));
}

export async function expectRejected(
  operation: Operation,
  record: object | string,
  errors: ErrorsByAttribute,
  key?: string,
) {
  const messages = Object.values(errors).flat();
  expectFailure(await sync(operation, record, key), 400, operation.errors(messages), [errors]);
}

export async function expectBatchStored(records: object[], result: string, key?: string) {
  expectResult(await post(batch.path, JSON.stringify(records), key), result);
}

export async function expectBatchRejected(records: unknown[], errors: ErrorsByAttribute[], key?: string) {
  const messages = errors.map((entry) => Object.values(entry).flat());
  expectFailure(await post(batch.path, JSON.stringify(records), key), 400, messages, errors);
}
