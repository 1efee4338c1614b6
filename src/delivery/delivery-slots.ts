interface Load {
  /** Deliveries that have begun. */
  messages: number;
  /** Those of them whose events are being read. */
  reading: number;
  /** Of the bodies of the others. */
  bytes: number;
}

const MIB = 1024 * 1024;

/** An event may be as large as a request. No delivery begins while one of these is reached. */
const MOST: Load = { messages: 128, reading: 4, bytes: 128 * MIB };
/** So that the endpoints of a tenant that are slow or down delay no other tenant. */
const MOST_OF_TENANT: Load = { messages: 16, reading: 1, bytes: 16 * MIB };

/** The place of one delivery. */
export interface DeliverySlot {
  /** Call when the events are read: the next delivery may begin. */
  hold(bytes: number): void;
  release(): void;
}

/** Limits the deliveries at a time and the memory that they need: of all tenants together, and of each one. */
export class DeliverySlots {
  readonly #all: Load = { messages: 0, reading: 0, bytes: 0 };
  /** Only of tenants that have deliveries. */
  readonly #ofTenants = new Map<number, Load>();

  get isEmpty(): boolean {
    return this.#all.messages === 0;
  }

  get hasRoom(): boolean {
    return isBelow(this.#all, MOST);
  }

  hasRoomFor(tenantId: number): boolean {
    const load = this.#ofTenants.get(tenantId);
    return load === undefined || isBelow(load, MOST_OF_TENANT);
  }

  take(tenantId: number): DeliverySlot {
    const ofTenant = this.#ofTenants.get(tenantId) ?? { messages: 0, reading: 0, bytes: 0 };
    this.#ofTenants.set(tenantId, ofTenant);
    let taken: Load = { messages: 0, reading: 0, bytes: 0 };
    const set = (now: Load) => {
      for (const load of [this.#all, ofTenant]) {
        load.messages += now.messages - taken.messages;
        load.reading += now.reading - taken.reading;
        load.bytes += now.bytes - taken.bytes;
      }
      taken = now;
    };
    set({ messages: 1, reading: 1, bytes: 0 });
    return {
      hold: (bytes) => set({ messages: 1, reading: 0, bytes }),
      release: () => {
        set({ messages: 0, reading: 0, bytes: 0 });
        if (ofTenant.messages === 0) this.#ofTenants.delete(tenantId);
      },
    };
  }
}

function isBelow(load: Load, most: Load): boolean {
  return load.messages < most.messages && load.reading < most.reading && load.bytes < most.bytes;
}
