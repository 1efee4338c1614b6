import type { ManyRejection } from '@account-sync/client';

/** More are only counted. */
const MAX_LISTED = 20;
const MAX_NAMED = 3;
/** More reasons are only counted together. */
const MAX_REASONS = 10;

/** The server's words for a field of another source, too. */
const READ_ONLY = / is read-only\.$/;
const OR_OWNED = ' cannot be changed: another source owns it, or it is read-only.';

/** Accounts that are rejected for the same reason. */
export interface RejectionReason {
  readonly text: string;
  readonly accounts: number;
  /** Ids of the first of them. */
  readonly first: readonly string[];
}

export interface RejectedAccounts {
  /** The first of all. */
  readonly listed: readonly { readonly id: string; readonly text: string }[];
  readonly reasons: readonly RejectionReason[];
  /** Accounts that are rejected for still other reasons. */
  readonly others: number;
}

export const NO_REJECTIONS: RejectedAccounts = { listed: [], reasons: [], others: 0 };

/** What a rejection of many accounts shows: the first accounts, and how many there are by reason. */
export function withRejection(known: RejectedAccounts, rejection: ManyRejection): RejectedAccounts {
  const { account_id: id } = rejection;
  const text = textOf(rejection);
  const listed = known.listed.length < MAX_LISTED ? [...known.listed, { id, text }] : known.listed;
  const isKnown = known.reasons.some((reason) => reason.text === text);
  if (!isKnown && known.reasons.length === MAX_REASONS) return { ...known, listed, others: known.others + 1 };
  const reasons = isKnown
    ? known.reasons.map((reason) => (reason.text === text ? withAccount(reason, id) : reason))
    : [...known.reasons, { text, accounts: 1, first: [id] }];
  return { ...known, listed, reasons };
}

function withAccount({ text, accounts, first }: RejectionReason, id: string): RejectionReason {
  return { text, accounts: accounts + 1, first: first.length < MAX_NAMED ? [...first, id] : first };
}

function textOf({ account_id: id, reason, errors }: ManyRejection): string {
  if (reason === 'changed') return 'The account was changed by others at the same moment.';
  if (reason === 'not_found') return 'The account does not exist any more.';
  // The accounts of a reason are listed beside it.
  const texts = Object.values(errors)
    .flat()
    .map((text) => text.replace(`Account ${id}, `, '').replace(READ_ONLY, OR_OWNED));
  return texts.join(' ');
}
