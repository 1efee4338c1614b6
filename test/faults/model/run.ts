import { isDeepStrictEqual } from 'node:util';
import { expect, vi } from 'vitest';
import { type Answer, isLive } from './answers.js';
import { compareAnswers, compareInOrder, foretell, possibleOutcomes } from './foretell.js';
import { definitionOf, type Operation, type Step, type Write } from './operations.js';
import type { Call, Change, Key, TenantModel } from './tenant-model.js';
import type { World } from './world.js';

/** The service takes up no more at once. */
const MOST_REJECTIONS = 50;

/** Does one thing after the other, and compares each answer, and in the end everything that is stored. */
export class Run {
  readonly #world: World;
  /** How often each kind of operation was sent. */
  readonly #counts: Map<string, number>;
  #requests = 0;

  constructor(world: World, counts: Map<string, number>) {
    this.#world = world;
    this.#counts = counts;
    world.begin();
  }

  async take(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      this.#world.now += 1;
      await this.#take(step);
    }
    await this.#checkAll(false);
  }

  async #take(step: Step): Promise<void> {
    if (step.kind !== 'call') this.#note(step.kind);
    if (step.kind === 'wait') {
      this.#world.now += step.minutes * 60_000;
    } else if (step.kind === 'restart') {
      await this.#world.restart();
      await this.#checkAll(true);
    } else {
      const model = await this.#world.tenant(step.tenant);
      if (step.kind === 'together') await this.#together(model, step.operations);
      else await this.#call(model, model.keys[step.by % model.keys.length] as Key, step.operation);
    }
  }

  async #call(model: TenantModel, key: Key, operation: Operation): Promise<void> {
    const call = this.#callBy(key);
    const compare = async () => {
      const actual = await this.#send(model, operation, call);
      compareAnswers(operation, actual, foretell(model, operation, call, actual));
    };
    await (isByChange(operation) ? this.#eventually(compare) : compare());
  }

  /** Requests that are sent at once have to end as they would one after the other, in some order. */
  async #together(model: TenantModel, operations: readonly Write[]): Promise<void> {
    const calls = operations.map((operation) => ({ operation, call: this.#callBy(model.keys[0] as Key) }));
    const sent = calls.map(({ operation, call }) => this.#send(model, operation, call));
    const answers = await Promise.all(sent);
    const done = calls.map((one, i) => ({ ...one, answer: answers[i] as Answer }));
    const possible = possibleOutcomes(model, done);
    if (possible.length === 0) compareInOrder(model, done);
    const reader = await this.#reader(model);
    await this.#eventually(async () => {
      const changes = await this.#changes(reader);
      const actual = possible.find((outcome) => isDeepStrictEqual(outcome.changes, changes));
      if (actual === undefined) expect(changes).toEqual(possible[0]?.changes);
      Object.assign(model, actual);
    });
    // What was refused beside a deletion may have come before it or after it.
    if (operations.some(({ kind }) => kind === 'delete')) model.areRejectionsKnown = false;
  }

  /** For what follows the changes. */
  async #eventually(check: () => Promise<void>): Promise<void> {
    const { patienceMs } = this.#world;
    await (patienceMs === 0 ? check() : vi.waitFor(check, { timeout: patienceMs, interval: 5 }));
  }

  async #changes(key: Key): Promise<Change[]> {
    const { body } = await this.#world.client(key, 'all').ask('GET', '/api/v2/changes?limit=1000');
    return (body as { data: (Change & { cursor: string })[] }).data.map(({ cursor: _, ...change }) => change);
  }

  /** `isRecorded`: whether all that was refused should be found by now. */
  async #checkAll(isRecorded: boolean): Promise<void> {
    expect([...this.#world.warnings]).toEqual([]);
    for (const model of this.#world.tenants) {
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
      await this.#world.count(model);
      await check({ kind: 'list-attributes' });
      await check({ kind: 'get-stats', isRecorded });
      if (model.areRejectionsKnown && model.refusedAt.length <= MOST_REJECTIONS)
        await check({ kind: 'list-rejections', isRecorded });
    }
  }

  async #reader(model: TenantModel): Promise<Key> {
    const { now } = this.#world;
    const known = model.keys.find((key) => key.scopes.includes('read') && isLive(key, now));
    return known ?? (await this.#world.addKey(model));
  }

  #callBy(key: Key): Call {
    this.#requests += 1;
    return { at: this.#world.now, requestId: `r${this.#requests}`, key };
  }

  #send(model: TenantModel, operation: Operation, { key, requestId, at }: Call): Promise<Answer> {
    this.#note(operation.kind);
    return definitionOf(operation).send(this.#world.client(key, requestId), operation, model, at);
  }

  #note(kind: string): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
  }
}

/** Listings by last change show it once the feed does. */
function isByChange(operation: Operation): boolean {
  if (operation.kind !== 'list-accounts') return false;
  const { sort = '', updated_since } = operation.query;
  return sort.endsWith('updated') || updated_since !== undefined;
}
