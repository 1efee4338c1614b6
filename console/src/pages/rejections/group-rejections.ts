import type { Rejection } from '../../api/rejections';
import { senderId } from '../../components/sender-id';

/** Rejections for the same reason. */
export interface RejectionGroup {
  /** Stable across refetches. */
  readonly key: string;
  /** Null if the whole request was rejected. */
  readonly attribute: string | null;
  /** Without the parts that differ from record to record. */
  readonly message: string;
  /** Newest first. */
  readonly rejections: readonly Rejection[];
  /** How many keys and people have sent them. */
  readonly senders: number;
  readonly accounts: number;
}

/** Largest first. A record with several errors is in several groups. */
export function groupRejections(rejections: readonly Rejection[]): RejectionGroup[] {
  const groups = new Map<string, { attribute: string | null; message: string; rejections: Rejection[] }>();
  for (const rejection of rejections) {
    for (const [attribute, text] of messagesOf(rejection)) {
      const message = kindOf(text, rejection.account_id);
      const key = `${attribute ?? ''}:${message}`;
      const group = groups.get(key) ?? { attribute, message, rejections: [] };
      group.rejections.push(rejection);
      groups.set(key, group);
    }
  }
  return [...groups]
    .map(([key, group]) => ({
      key,
      ...group,
      senders: countOf(group.rejections, senderId),
      accounts: countOf(group.rejections, ({ account_id }) => account_id),
    }))
    .sort((a, b) => b.rejections.length - a.rejections.length || a.key.localeCompare(b.key));
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

function countOf(rejections: readonly Rejection[], value: (rejection: Rejection) => string | null): number {
  return new Set(rejections.map(value).filter((one) => one !== null && one !== '')).size;
}
