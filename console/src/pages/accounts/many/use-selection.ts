import type { Account } from '@account-sync/client';
import { useState } from 'react';
import { type AccountFilter, parametersOf } from '../../../api/account-list';
import { isSelected, NOTHING, rowsBetween, type Selection, shareOf, toggled } from './selection';

export interface SelectionState {
  readonly selection: Selection;
  readonly has: (account: Account) => boolean;
  /** With `isRange`, also the accounts between it and the one that was toggled before. */
  readonly toggle: (account: Account, isOn: boolean, isRange: boolean) => void;
  /** Of the shown accounts. */
  readonly share: ReturnType<typeof shareOf>;
  readonly toggleShown: (isOn: boolean) => void;
  readonly selectMatching: (count: Count) => void;
  readonly clear: () => void;
}

interface Count {
  readonly accounts: number;
  readonly is_exact: boolean;
}

/** The selected accounts, also those on other pages. Other filters begin without a selection. */
export function useSelection(filter: AccountFilter, shown: readonly Account[]): SelectionState {
  const key = JSON.stringify(filter);
  const [state, setState] = useState({ key, selection: NOTHING });
  if (state.key !== key) setState({ key, selection: NOTHING });
  const [last, setLast] = useState<string>();
  const { selection } = state;
  const select = (next: Selection) => setState({ key, selection: next });
  return {
    selection,
    has: (account) => isSelected(selection, account),
    toggle: ({ account_id: id }, isOn, isRange) => {
      select(toggled(selection, rowsBetween(shown, isRange ? last : id, id), isOn, shown));
      setLast(id);
    },
    share: shareOf(selection, shown),
    toggleShown: (isOn) => select(toggled(selection, shown, isOn, shown)),
    selectMatching: ({ accounts, is_exact: isExact }) =>
      select({ matching: { filters: parametersOf(filter, Date.now()), accounts, isExact } }),
    clear: () => select(NOTHING),
  };
}
