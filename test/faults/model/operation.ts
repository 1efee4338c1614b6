import type { Answer } from './answers.js';
import type { Call, Scope, TenantModel } from './tenant-model.js';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Sends requests with one key. */
export interface Client {
  ask(method: Method, url: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** All pages of a listing as one. */
  pages(url: string, limit: number): Promise<Answer>;
  /** How long a change may be kept back by a transaction that began before it. */
  readonly patienceMs: number;
}

/** How an operation is sent, and what should come of it. */
export interface Definition<Operation> {
  readonly scope: Scope;
  /** Its name among the rejections, where it stores accounts. */
  readonly syncs?: string;
  readonly isContract?: true;
  /** On each answer, whatever it is. */
  readonly headers?: Readonly<Record<string, string>>;
  send(client: Client, operation: Operation, model: TenantModel, now: number): Promise<Answer>;
  /** Changes the model. `actual` tells what nobody can foresee, such as a new key. */
  expect(model: TenantModel, operation: Operation, call: Call, actual: Answer): Answer;
}
