/** A queue per tenant, served in round-robin order: a tenant with much work delays its own work only. */
export class RoundRobinQueue<Item> {
  readonly #queues = new Map<number, Item[]>();

  lengthOf(tenantId: number): number {
    return this.#queues.get(tenantId)?.length ?? 0;
  }

  push(tenantId: number, item: Item): void {
    const queue = this.#queues.get(tenantId);
    if (queue === undefined) this.#queues.set(tenantId, [item]);
    else queue.push(item);
  }

  /** The next item of the tenant whose turn it is, of those that can be served. */
  shift(canServe: (tenantId: number) => boolean = () => true): Item | undefined {
    for (const [tenantId, queue] of this.#queues) {
      if (!canServe(tenantId)) continue;
      const item = queue.shift();
      this.#queues.delete(tenantId);
      if (queue.length > 0) this.#queues.set(tenantId, queue);
      return item;
    }
    return undefined;
  }
}
