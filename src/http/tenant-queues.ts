/** What waits, of one tenant after the other: so whoever brings a lot waits for himself. */
export class TenantQueues<Item> {
  readonly #queues = new Map<number, Item[]>();

  get isEmpty(): boolean {
    return this.#queues.size === 0;
  }

  lengthOf(tenantId: number): number {
    return this.#queues.get(tenantId)?.length ?? 0;
  }

  push(tenantId: number, item: Item): void {
    const queue = this.#queues.get(tenantId);
    if (queue === undefined) this.#queues.set(tenantId, [item]);
    else queue.push(item);
  }

  /** Of the tenant whose turn it is. */
  shift(): Item | undefined {
    for (const [tenantId, queue] of this.#queues) {
      const item = queue.shift();
      this.#queues.delete(tenantId);
      if (queue.length > 0) this.#queues.set(tenantId, queue);
      return item;
    }
    return undefined;
  }

  drop(tenantId: number, item: Item): void {
    const others = this.#queues.get(tenantId)?.filter((other) => other !== item) ?? [];
    if (others.length > 0) this.#queues.set(tenantId, others);
    else this.#queues.delete(tenantId);
  }
}
