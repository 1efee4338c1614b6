import type { Rejection } from '../../api/rejections';

/** Refusals for the same reason. */
export interface RefusalGroup {
  /** The same whenever it is asked for. */
  readonly key: string;
  /** Null where the request was refused as a whole. */
  readonly attribute: string | null;
  /** Without what differs from record to record. */
  readonly message: string;
  /** Newest first. */
  readonly refusals: readonly Rejection[];
  readonly keys: number;
  readonly accounts: number;
}

/** The largest first. A record that is wrong in several ways is in several groups. */
export function groupRefusals(refusals: readonly Rejection[]): RefusalGroup[] {
  const groups = new Map<string, { attribute: string | null; message: string; refusals: Rejection[] }>();
  for (const refusal of refusals) {
    for (const [attribute, text] of messagesOf(refusal)) {
      const message = kindOf(text, refusal.account_id);
      const key = `${attribute ?? ''}:${message}`;
      const group = groups.get(key) ?? { attribute, message, refusals: [] };
      group.refusals.push(refusal);
      groups.set(key, group);
    }
  }
  return [...groups]
    .map(([key, group]) => ({
      key,
      ...group,
      keys: countOf(group.refusals, ({ key_id }) => key_id),
      accounts: countOf(group.refusals, ({ account_id }) => account_id),
    }))
    .sort((a, b) => b.refusals.length - a.refusals.length || a.key.localeCompare(b.key));
}

export function messagesOf({ errors, problem }: Rejection): [attribute: string | null, message: string][] {
  const ofAttributes = Object.entries(errors ?? {}).flatMap(([attribute, messages]) =>
    messages.map((message): [string, string] => [attribute, message]),
  );
  return problem === null ? ofAttributes : [...ofAttributes, [null, problem]];
}

/** `Account acme, licenses has invalid integer value.` as `licenses has invalid integer value`. */
export function kindOf(message: string, accountId: string | null): string {
  const prefix = `Account ${accountId ?? ''}, `;
  return (message.startsWith(prefix) ? message.slice(prefix.length) : message)
    .replace(/(is not valid JSON): unexpected .*$/s, '$1')
    .replace(/in \d+ seconds/, 'in … seconds')
    .replace(/\.$/, '');
}

function countOf(refusals: readonly Rejection[], value: (refusal: Rejection) => string | null): number {
  return new Set(refusals.map(value).filter((one) => one !== null && one !== '')).size;
}
