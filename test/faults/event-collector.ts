import type { WebhookEvent } from '@account-sync/client';
import { Webhook } from 'standardwebhooks';
import { BEGINNING, comparePositions, type Position } from '../../dist/store/schema/position.js';
import { readPosition, writePosition } from '../../dist/wire/change-body.js';
import type { ReceivedMessage } from '../support/webhook-receiver.js';

/**
 * The events that one webhook has taken. Each message is checked when it arrives:
 * - It is signed.
 * - If its id is known, it is the same message again, byte by byte.
 * - Else all of its events come after those of every earlier message, and the message before it was taken.
 */
export class EventCollector {
  readonly problems: string[] = [];
  /** Events of messages that were taken, as `describeEvent` describes them. Repeated messages count once. */
  readonly events: string[] = [];
  messages = 0;
  /** Messages that arrived before. */
  repeated = 0;
  /** The last event of all messages. */
  last: Position | undefined;
  readonly name: string;
  readonly #bodies = new Map<string, string>();
  readonly #taken = new Set<string>();
  /** The id of the newest message. */
  #newest: string | undefined;
  #signature: Webhook | undefined;

  constructor(name: string) {
    this.name = name;
  }

  /** Call before the first message. */
  set secret(secret: string) {
    this.#signature = new Webhook(secret);
  }

  /** Call for each message, whatever the answer to it will be. */
  receive({ id, headers, body, events }: ReceivedMessage): void {
    this.messages += 1;
    try {
      this.#signature?.verify(body, headers as Record<string, string>, { jsonParse: false });
    } catch (error) {
      this.#report(`${id}: ${error}`);
    }
    const known = this.#bodies.get(id);
    if (known === undefined) this.#receiveNew(id, body, events);
    else {
      this.repeated += 1;
      if (known !== body) this.#report(`${id} has another body: ${describeDifference(known, body)}`);
    }
  }

  /** Call for a message that is answered with success. */
  take({ id, events }: ReceivedMessage): void {
    if (this.#taken.has(id)) return;
    this.#taken.add(id);
    this.events.push(...events.map(({ cursor, type, data }) => describeEvent(cursor, type, data)));
  }

  #receiveNew(id: string, body: string, events: readonly WebhookEvent[]): void {
    if (this.#newest !== undefined && !this.#taken.has(this.#newest)) {
      this.#report(`${id} came before ${this.#newest} was taken`);
    }
    this.#bodies.set(id, body);
    this.#newest = id;
    const late = events.filter(({ cursor }) => !this.#isLater(cursor));
    if (late.length === 0) return;
    const of = `${late.length} of ${events.length} events, the first with ${late[0]?.cursor},`;
    this.#report(`${id}: ${of} came after ${writePosition(this.last ?? BEGINNING)}`);
  }

  /** Whether an event comes after all events before it. */
  #isLater(cursor: string | null): boolean {
    const position = readPosition(cursor ?? '');
    if (position === undefined || comparePositions(position, this.last ?? BEGINNING) <= 0) return false;
    this.last = position;
    return true;
  }

  #report(problem: string): void {
    this.problems.push(`${this.name}, message ${this.messages}: ${problem}`);
  }
}

/** Tells an event of the feed from all others. */
export function describeEvent(cursor: string | null, type: string, data: object): string {
  const of = 'account_id' in data && 'revision' in data ? `${data.account_id} ${data.revision}` : '';
  return `${cursor} ${type} ${of}`;
}

/** The first characters that differ, with some before them. */
function describeDifference(one: string, other: string): string {
  let at = 0;
  while (one[at] === other[at]) at += 1;
  const [before, after] = [at - 100, at + 100].map((place) => Math.max(place, 0));
  return `${one.slice(before, after)} became ${other.slice(before, after)}`;
}
