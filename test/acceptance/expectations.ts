import { expect } from 'vitest';
import { batch, type Operation, type Outcome, sync } from './operations.js';
import { type Answer, post } from './requests.js';

export type Refusals = Record<string, string[]>;

const statusAndBody = ({ status, text }: Answer) => ({ status, body: JSON.parse(text) as unknown });

export function expectSuccess({ status, text, headers }: Answer) {
  expect({ status, text }).toEqual({ status: 200, text: '{"success":true}' });
  expect(headers.get('content-type')).toMatch(/^application\/json\b/);
}

export function expectResult(answer: Answer, result: string) {
  expectSuccess(answer);
  expect(answer.headers.get('account-sync-result')).toBe(result);
}

export function expectFailure(
  answer: Answer,
  status: number,
  errors: unknown,
  errorsByAttributes: unknown = [],
) {
  expect(statusAndBody(answer)).toEqual({
    status,
    body: { success: false, errors, errors_by_attributes: errorsByAttributes },
  });
  expect(answer.headers.get('content-type')).toMatch(/^application\/json\b/);
}

export const expectEnvelope = (answer: Answer, status: number, message: string) =>
  expectFailure(answer, status, [message]);

export function expectUnauthenticated(answer: Answer) {
  expect(statusAndBody(answer)).toEqual({
    status: 401,
    body: { success: false, error: 'Unauthenticated.', status: 403 },
  });
  expect(answer.headers.get('www-authenticate')).toBe('Bearer');
}

export async function expectStored(
  operation: Operation,
  record: object | string,
  outcome: Outcome,
  key?: string,
) {
  expectResult(await sync(operation, record, key), operation.result(outcome));
}

export async function expectRefused(
  operation: Operation,
  record: object | string,
  refusals: Refusals,
  key?: string,
) {
  const messages = Object.values(refusals).flat();
  expectFailure(await sync(operation, record, key), 400, operation.errors(messages), [refusals]);
}

export async function expectBatchStored(records: object[], result: string, key?: string) {
  expectResult(await post(batch.path, JSON.stringify(records), key), result);
}

export async function expectBatchRefused(records: unknown[], refusals: Refusals[], key?: string) {
  const messages = refusals.map((refusal) => Object.values(refusal).flat());
  expectFailure(await post(batch.path, JSON.stringify(records), key), 400, messages, refusals);
}
