import type { Account } from '@account-sync/client';
import { Checkbox } from '@mantine/core';
import type { SelectionState } from './use-selection';

interface SelectAccountProps {
  readonly account: Account;
  readonly selection: SelectionState;
}

export function SelectAccount({ account, selection }: SelectAccountProps) {
  return (
    <Checkbox
      className="select-account"
      aria-label={`Select ${account.name ?? account.account_id}`}
      checked={selection.has(account)}
      onChange={({ currentTarget, nativeEvent }) =>
        selection.toggle(account, currentTarget.checked, isShiftClick(nativeEvent))
      }
    />
  );
}

/** React takes the change of a checkbox from its click. */
function isShiftClick(event: Event): boolean {
  return event instanceof MouseEvent && event.shiftKey;
}

interface SelectShownProps {
  readonly selection: SelectionState;
  readonly disabled: boolean;
  /** Shown beside the checkbox. */
  readonly label?: string;
}

/** Selects all accounts on the page. */
export function SelectShown({ selection: { share, toggleShown }, disabled, label }: SelectShownProps) {
  return (
    <Checkbox
      className="select-shown"
      {...(label === undefined ? { 'aria-label': 'Select the accounts on this page' } : { label })}
      checked={share === 'all'}
      indeterminate={share === 'some'}
      disabled={disabled}
      onChange={() => toggleShown(share !== 'all')}
    />
  );
}
