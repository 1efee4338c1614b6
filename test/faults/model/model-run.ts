import { isDeepStrictEqual } from 'node:util';
import { expect, vi } from 'vitest';
import type { ModelledService } from './modelled-service.js';
import { definitionOf, type Operation, type Step, type Write } from './operations.js';
import { compareInOrder, compareResponses, possibleOutcomes, predict } from './predict.js';
import { isLive, type ModelResponse } from './responses.js';
import type { Call, Change, Key, TenantModel } from './tenant-model.js';

/** The service records at most this number of rejections at a time. */
const MAX_REJECTIONS = 50;

/**
 * Model-based test: executes random steps on the service and on a simple model in memory, and compares the two.
 *
 * - Each response must equal the prediction of the model.
 * - Concurrent requests must be linearizable: some order of them must explain all responses and the change feed.
 * - At the end and after each restart, all stored data must equal that of the model.
 *
 * fast-check generates the steps and shrinks a failing run.
 */
export class ModelRun {
  readonly #service: ModelledService;
  /** Number of requests by kind of operation. */
  readonly #counts: Map<string, number>;
  #requests = 0;

  constructor(service: ModelledService, counts: Map<string, number>) {
    this.#service = service;
    this.#counts = counts;
    service.begin();
  }

  async execute(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      this.#service.now += 1;
      await this.#executeStep(step);
    }
    await this.#checkAll(false);
  }

  async #executeStep(step: Step): Promise<void> {
    if (step.kind !== 'call') this.#count(step.kind);
    if (step.kind === 'wait') {
      this.#service.now += step.minutes * 60_000;
    } else if (step.kind === 'restart') {
      await this.#service.restart();
      await this.#checkAll(true);
    } else {
      const model = await this.#service.tenant(step.tenant);
      if (step.kind === 'concurrent') await this.#runConcurrently(model, step.operations);
      else await this.#call(model, model.keys[step.by % model.keys.length] as Key, step.operation);
    }
  }

  async #call(model: TenantModel, key: Key, operation: Operation): Promise<void> {
    const call = this.#callBy(key);
    const compare = async () => {
      const actual = await this.#send(model, operation, call);
      compareResponses(operation, actual, predict(model, operation, call, actual));
    };
    await (followsFeed(operation) ? this.#eventually(compare) : compare());
  }

  /** Concurrent requests must have the same result as the same requests one after the other, in some order. */
  async #runConcurrently(model: TenantModel, operations: readonly Write[]): Promise<void> {
    // By the first two keys, which are of different sources.
    const calls = operations.map((operation, i) => ({
      operation,
      call: this.#callBy(model.keys[i % 2] as Key),
    }));
    const sent = calls.map(({ operation, call }) => this.#send(model, operation, call));
    const responses = await Promise.all(sent);
    const done = calls.map((one, i) => ({ ...one, response: responses[i] as ModelResponse }));
    const possible = possibleOutcomes(model, done);
    if (possible.length === 0) compareInOrder(model, done);
    const reader = await this.#reader(model);
    await this.#eventually(async () => {
      const changes = await this.#changes(reader);
      const actual = possible.find((outcome) => isDeepStrictEqual(outcome.changes, changes));
      if (actual === undefined) expect(changes).toEqual(possible[0]?.changes);
      Object.assign(model, actual);
    });
    // A rejection during a deletion may have been recorded before or after it.
    if (operations.some(({ kind }) => kind === 'delete')) model.areRejectionsKnown = false;
  }

  /** Repeats a check of data that follows the change feed. */
  async #eventually(check: () => Promise<void>): Promise<void> {
    const { feedDelayMs } = this.#service;
    await (feedDelayMs === 0 ? check() : vi.waitFor(check, { timeout: feedDelayMs, interval: 5 }));
  }

  async #changes(key: Key): Promise<Change[]> {
    const { body } = await this.#service.client(key, 'all').request('GET', '/api/v2/changes?limit=1000');
    return (body as { data: (Change & { cursor: string })[] }).data.map(({ cursor: _, ...change }) => change);
  }

  /** `isRecorded`: whether all rejections must be recorded by now. */
  async #checkAll(isRecorded: boolean): Promise<void> {
    expect([...this.#service.warnings]).toEqual([]);
    for (const model of this.#service.tenants) {
      const reader = await this.#reader(model);
      const check = (operation: Operation) => this.#call(model, reader, operation);
      for (const key of model.keys)
        await this.#call(model, key, { kind: 'list-accounts', query: {}, limit: 50 });
      for (const id of new Set(model.changes.map(({ account_id }) => account_id)))
        await check({ kind: 'get-history', id, limit: 50 });
      for (const fields of model.accounts.values()) {
        const parent = fields.get('parent_account_id');
        if (typeof parent === 'string') await check({ kind: 'list-children', id: parent, limit: 50 });
      }
      await check({ kind: 'follow-changes', limit: 50 });
      await this.#service.count(model);
      await check({ kind: 'list-attributes' });
      await check({ kind: 'get-stats', isRecorded });
      if (model.areRejectionsKnown && model.rejectedAt.length <= MAX_REJECTIONS)
        await check({ kind: 'list-rejections', isRecorded });
    }
  }

  async #reader(model: TenantModel): Promise<Key> {
    const { now } = this.#service;
    const known = model.keys.find((key) => key.scopes.includes('read') && isLive(key, now));
    return known ?? (await this.#service.addKey(model));
  }

  #callBy(key: Key): Call {
    this.#requests += 1;
    return { at: this.#service.now, requestId: `r${this.#requests}`, key };
  }

  #send(model: TenantModel, operation: Operation, { key, requestId, at }: Call): Promise<ModelResponse> {
    this.#count(operation.kind);
    return definitionOf(operation).send(this.#service.client(key, requestId), operation, model, at);
  }

  #count(kind: string): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
  }
}

/** Listings by last change show a change only when the feed does. */
function followsFeed(operation: Operation): boolean {
  if (operation.kind !== 'list-accounts') return false;
  const { sort = '', updated_since } = operation.query;
  return sort.endsWith('updated') || updated_since !== undefined;
}
