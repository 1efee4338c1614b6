import type { UndoConflict } from '@account-sync/client';

/** More conflicts are only counted. */
const MAX_CONFLICTS = 100;

/** The first conflicts, each once: they are sent again if a connection fails. */
export function withConflict(
  known: readonly UndoConflict[],
  conflict: UndoConflict,
): readonly UndoConflict[] {
  const isSame = ({ account_id, field }: UndoConflict) =>
    account_id === conflict.account_id && field === conflict.field;
  return known.length >= MAX_CONFLICTS || known.some(isSame) ? known : [...known, conflict];
}
