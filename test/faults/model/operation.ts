import type { ModelResponse } from './responses.js';
import type { Call, Scope, TenantModel } from './tenant-model.js';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Sends requests with one key. */
export interface Client {
  request(
    method: Method,
    url: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<ModelResponse>;
  /** All pages of a listing as one. */
  pages(url: string, limit: number): Promise<ModelResponse>;
  /** The run of a request that has changed something; undefined if there is none. */
  runOf(requestId: string): Promise<string | undefined>;
  /** How long an older transaction may delay a change in the feed. */
  readonly feedDelayMs: number;
}

/** How to send an operation, and its expected response. */
export interface Definition<Operation> {
  readonly scope: Scope;
  /** Its name in the list of rejections, if it stores accounts. */
  readonly syncs?: string;
  readonly isContract?: true;
  /** Headers of every response, also of errors. */
  readonly headers?: Readonly<Record<string, string>>;
  send(client: Client, operation: Operation, model: TenantModel, now: number): Promise<ModelResponse>;
  /** Applies the operation to the model. `actual` has values that cannot be predicted, such as a new key. */
  expect(model: TenantModel, operation: Operation, call: Call, actual: ModelResponse): ModelResponse;
}
