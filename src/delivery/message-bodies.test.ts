import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../store/webhooks/webhook-deliveries.js';
import type { PageEvent } from './event-pages.js';
import { MessageBodies } from './message-bodies.js';

const AT = Date.UTC(2027, 1, 1);

function pageOf(count: number, { at = AT, first = 512 } = {}): PageEvent[] {
  const page = Buffer.from(Array.from({ length: count }, (_, i) => `{"n":${i}}`).join(','));
  const length = '{"n":0}'.length;
  return Array.from({ length: count }, (_, i) => ({
    ...{ type: 'account.created', source: null, fields: [], accountId: `a-${i}`, at },
    position: { commitOrder: 0, seq: first + i },
    json: { page, start: i * (length + 1), end: i * (length + 1) + length },
  }));
}

const endpoint = (given: Partial<Endpoint> = {}) => ({ id: 'wh_1', generation: 0, ...given }) as Endpoint;
const idOf = (events: readonly PageEvent[], given?: Partial<Endpoint>) =>
  new MessageBodies().messageOf(endpoint(given), events).id;

describe('the id of a message', () => {
  it('is the same whenever the same events are sent again', () => {
    const id = idOf(pageOf(3));
    expect(id).toMatch(/^msg_[\w-]{27}$/);
    expect(idOf(pageOf(3))).toBe(id);
    const bodies = new MessageBodies();
    const events = pageOf(3);
    expect([1, 2].map(() => bodies.messageOf(endpoint(), events).id)).toEqual([id, id]);
  });

  it.each<[string, readonly PageEvent[], Partial<Endpoint>?]>([
    ['fewer events', pageOf(2)],
    ['more events', pageOf(4)],
    ['other positions', pageOf(3, { first: 768 })],
    ['other times, as in a database that was copied back', pageOf(3, { at: AT + 1 })],
    ['another webhook', pageOf(3), { id: 'wh_2' }],
    ['a replay', pageOf(3), { generation: 1 }],
  ])('is another one for %s', (_what, events, given) => {
    expect(idOf(events, given)).not.toBe(idOf(pageOf(3)));
  });
});

it('a message has the JSON of its events, also if they are not next to each other', () => {
  const [a, b, c] = pageOf(3) as [PageEvent, PageEvent, PageEvent];
  const [d] = pageOf(1, { first: 768 }) as [PageEvent];
  const bodies = new MessageBodies();
  const read = (events: readonly PageEvent[]) =>
    JSON.parse(bodies.messageOf(endpoint(), events).body.toString());
  const head = { type: 'events', timestamp: '2027-02-01T00:00:00.000Z' };
  expect(read([a, b, c])).toEqual({ ...head, data: [{ n: 0 }, { n: 1 }, { n: 2 }] });
  expect(read([a, c, d])).toEqual({ ...head, data: [{ n: 0 }, { n: 2 }, { n: 0 }] });
  expect(read([a])).toEqual({ ...head, data: [{ n: 0 }] });
});
