import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { type Answer, keyRefusal } from './answers.js';
import { definitionOf, type Operation, type Write } from './operations.js';
import type { Call, TenantModel } from './tenant-model.js';

/** A request, and its answer. */
export interface Done {
  readonly operation: Write;
  readonly call: Call;
  readonly answer: Answer;
}

/** What the answer should be. Changes the model. */
export function foretell(model: TenantModel, operation: Operation, call: Call, actual: Answer): Answer {
  const { scope, isContract = false, syncs, headers, expect: answerTo } = definitionOf(operation);
  const refused = keyRefusal(model, scope, call, isContract);
  const isDryRun = operation.kind === 'import' && operation.isDryRun;
  if (refused?.status === 403 && syncs !== undefined && !isDryRun)
    model.refuse(syncs, call, { status: 403, problem: `This key lacks the scope ${scope}.` });
  const answer = refused ?? answerTo(model, operation, call, actual);
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

export function compareAnswers(operation: Operation, actual: Answer, expected: Answer): void {
  expect({ operation, ...actual }).toEqual({ operation, ...expected });
  // Of the contract every byte counts.
  if (definitionOf(operation).isContract)
    expect(JSON.stringify(actual.body)).toBe(JSON.stringify(expected.body));
}

/** Of requests that were sent at once: the model after each order in which they may have been done. */
export function possibleOutcomes(model: TenantModel, done: readonly Done[]): TenantModel[] {
  return permutations(done).flatMap((order) => outcomeOf(model, order) ?? []);
}

/** The model after these requests in this order; undefined where they would have been answered otherwise. */
function outcomeOf(model: TenantModel, order: readonly Done[]): TenantModel | undefined {
  const outcome = model.fork();
  const isSo = order.every(({ operation, call, answer }) =>
    isDeepStrictEqual({ ...answer }, foretell(outcome, operation, call, answer)),
  );
  return isSo ? outcome : undefined;
}

/** Fails, and shows where it differs. */
export function compareInOrder(model: TenantModel, order: readonly Done[]): void {
  const outcome = model.fork();
  for (const { operation, call, answer } of order)
    compareAnswers(operation, answer, foretell(outcome, operation, call, answer));
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, i) => permutations(items.toSpliced(i, 1)).map((others) => [item, ...others]));
}
