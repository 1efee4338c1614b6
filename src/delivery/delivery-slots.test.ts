import { describe, expect, it } from 'vitest';
import { DeliverySlots } from './delivery-slots.js';

const MIB = 1024 * 1024;

/** Deliveries of a tenant whose events are read. */
function begin(slots: DeliverySlots, tenantId: number, count: number, bytes = 1) {
  return Array.from({ length: count }, () => {
    const slot = slots.take(tenantId);
    slot.hold(bytes);
    return slot;
  });
}

describe('places for deliveries', () => {
  it('are 16 for a tenant, and 128 for all', () => {
    const slots = new DeliverySlots();
    const [first] = begin(slots, 1, 16);
    expect([slots.hasRoomFor(1), slots.hasRoomFor(2), slots.hasRoom]).toEqual([false, true, true]);
    first?.release();
    expect(slots.hasRoomFor(1)).toBe(true);
    begin(slots, 1, 1);
    for (let tenant = 2; tenant <= 8; tenant += 1) begin(slots, tenant, 16);
    expect(slots.hasRoom).toBe(false);
  });

  it('are one for a tenant while events are read, and four for all', () => {
    const slots = new DeliverySlots();
    const slot = slots.take(1);
    expect([slots.hasRoomFor(1), slots.hasRoomFor(2)]).toEqual([false, true]);
    slot.hold(1);
    expect(slots.hasRoomFor(1)).toBe(true);
    const reading = [1, 2, 3, 4].map((tenant) => slots.take(tenant));
    expect(slots.hasRoom).toBe(false);
    reading[0]?.release();
    expect(slots.hasRoom).toBe(true);
  });

  it('are few for large messages: 16 MiB for a tenant, 128 MiB for all, and one more', () => {
    const slots = new DeliverySlots();
    const [first, second] = begin(slots, 1, 2, 10 * MIB);
    expect([slots.hasRoomFor(1), slots.hasRoomFor(2)]).toEqual([false, true]);
    first?.release();
    expect(slots.hasRoomFor(1)).toBe(true);
    second?.release();
    for (let tenant = 1; tenant <= 12; tenant += 1) begin(slots, tenant, 1, 10 * MIB);
    expect(slots.hasRoom).toBe(true);
    begin(slots, 13, 1, 20 * MIB);
    expect(slots.hasRoom).toBe(false);
  });

  it('are all free after the last release', () => {
    const slots = new DeliverySlots();
    const all = [...begin(slots, 1, 3, MIB), ...begin(slots, 2, 2), slots.take(3)];
    expect(slots.isEmpty).toBe(false);
    for (const slot of all) slot.release();
    expect([slots.isEmpty, slots.hasRoom, slots.hasRoomFor(1)]).toEqual([true, true, true]);
  });
});
