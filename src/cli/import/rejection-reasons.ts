import type { FailedResult } from '@account-sync/client';
import { copyOf } from './conversion/text-memo.js';
import type { ImportItem } from './items.js';

/** Beyond this number of different reasons, further ones are counted together. */
const MAX_REASONS = 1_000;
const OTHERS = 'Other reasons.';

const MAX_SAMPLES = 3;
/** Longer values are cut. */
const MAX_SAMPLE_LENGTH = 200;

/** A rejected value as the file has it. */
export interface RejectedValue {
  readonly line: number;
  readonly account_id: string | null;
  readonly value: string;
}

/** A reason for rejections, with its count and the first rejected record. */
export interface RejectionReason {
  readonly message: string;
  count: number;
  readonly line: number;
  readonly account_id: string | null;
  /** `null` if it is about the whole row. */
  readonly field: string | null;
  /** Different values that were rejected for this reason. */
  readonly samples: RejectedValue[];
}

/** A message, and the field that it is about. */
export interface FieldMessage {
  readonly field: string | null;
  readonly message: string;
}

/** The value of a field as the file has it; `undefined` if it has none. */
export type ReadOriginal = (item: ImportItem, field: string) => string | undefined;

/** Counts reasons; the same message about different accounts counts as one reason. */
export class RejectionReasons {
  readonly #reasons: Map<string, RejectionReason>;

  constructor(reasons: readonly RejectionReason[] = []) {
    // The progress file of an older version has neither fields nor samples.
    const whole = reasons.map((reason) => ({ ...{ field: null, samples: [] }, ...reason }));
    this.#reasons = new Map(whole.map((reason) => [reason.message, reason]));
  }

  add(
    item: ImportItem,
    accountId: string | null,
    messages: readonly FieldMessage[],
    original: ReadOriginal,
  ): void {
    const { line } = item;
    for (const { field, message: sent } of messages) {
      const general = generalised(sent, accountId);
      const isNew = !this.#reasons.has(general);
      const message = isNew && this.#reasons.size >= MAX_REASONS ? OTHERS : general;
      const reason = this.#reasons.get(message) ?? {
        message,
        count: 0,
        line,
        account_id: accountId,
        field,
        samples: [],
      };
      reason.count += 1;
      this.#reasons.set(message, reason);
      if (field === null || reason.samples.length >= MAX_SAMPLES) continue;
      const value = original(item, field)?.slice(0, MAX_SAMPLE_LENGTH);
      if (value === undefined || reason.samples.some((sample) => sample.value === value)) continue;
      reason.samples.push({ line, account_id: accountId, value: copyOf(value) });
    }
  }

  /** The most frequent reason first. */
  list(): RejectionReason[] {
    return [...this.#reasons.values()].sort((a, b) => b.count - a.count);
  }
}

export function messagesOf({ errors, problem }: FailedResult): FieldMessage[] {
  if (problem !== undefined) return [{ field: null, message: problem }];
  return Object.entries(errors ?? {}).flatMap(([field, messages]) =>
    messages.map((message) => ({ field, message })),
  );
}

/** The message without the account id and the position in the record. */
function generalised(message: string, accountId: string | null): string {
  const prefix = `Account ${accountId ?? ''},`;
  const general = message.startsWith(prefix) ? `Account …,${message.slice(prefix.length)}` : message;
  return general.replace(/ at line \d+, column \d+/, '');
}
