import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { definitionOf, type Operation, type Write } from './operations.js';
import { keyError, type ModelResponse } from './responses.js';
import type { Call, TenantModel } from './tenant-model.js';

/** A request and its response. */
export interface CompletedRequest {
  readonly operation: Write;
  readonly call: Call;
  readonly response: ModelResponse;
}

/** Returns the expected response, and applies the operation to the model. */
export function predict(
  model: TenantModel,
  operation: Operation,
  call: Call,
  actual: ModelResponse,
): ModelResponse {
  const { scope, isContract = false, syncs, headers, expect: responseTo } = definitionOf(operation);
  const rejected = keyError(model, scope, call, isContract);
  const isDryRun = operation.kind === 'import' && operation.isDryRun;
  if (rejected?.status === 403 && syncs !== undefined && !isDryRun)
    model.reject(syncs, call, { status: 403, problem: `This key lacks the scope ${scope}.` });
  const response = rejected ?? responseTo(model, operation, call, actual);
  return { ...response, headers: { ...response.headers, ...headers } };
}

export function compareResponses(operation: Operation, actual: ModelResponse, expected: ModelResponse): void {
  expect({ operation, ...actual }).toEqual({ operation, ...expected });
  // The responses of the contract are compared byte by byte.
  if (definitionOf(operation).isContract)
    expect(JSON.stringify(actual.body)).toBe(JSON.stringify(expected.body));
}

/** The models after concurrent requests: one for each order that explains all responses. */
export function possibleOutcomes(model: TenantModel, done: readonly CompletedRequest[]): TenantModel[] {
  return permutations(done).flatMap((order) => outcomeOf(model, order) ?? []);
}

/** The model after the requests in this order; `undefined` if this order would give other responses. */
function outcomeOf(model: TenantModel, order: readonly CompletedRequest[]): TenantModel | undefined {
  const outcome = model.fork();
  const matches = order.every(({ operation, call, response }) =>
    isDeepStrictEqual({ ...response }, predict(outcome, operation, call, response)),
  );
  return matches ? outcome : undefined;
}

/** Compares the responses with this order, so that a failure shows the difference. */
export function compareInOrder(model: TenantModel, order: readonly CompletedRequest[]): void {
  const outcome = model.fork();
  for (const { operation, call, response } of order)
    compareResponses(operation, response, predict(outcome, operation, call, response));
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, i) => permutations(items.toSpliced(i, 1)).map((others) => [item, ...others]));
}
