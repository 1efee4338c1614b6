import type { Account, AccountEdit, Json } from '@account-sync/client';
import {
  type Control,
  controlFor,
  type EnteredField,
  isOwnProperty,
  valueOfText,
} from '../../../components/value-control';

/** The unsaved changes of an account. */
export interface AccountDraft {
  /** The account that the changes are based on. It is replaced only when the person has seen what has changed. */
  readonly base: Account;
  /** What was entered, by field; only what differs from the text of the stored value. */
  readonly texts: ReadonlyMap<string, string>;
  /** The previous values of changed fields whose stored value has changed meanwhile, too. */
  readonly previous: ReadonlyMap<string, Json>;
}

export function newDraft(base: Account): AccountDraft {
  return { base, texts: new Map(), previous: new Map() };
}

/** Null if there is none. */
export function storedValue(account: Account, name: string): Json {
  if (isOwnProperty(name)) return account[name];
  return Object.hasOwn(account.fields, name) ? (account.fields[name] ?? null) : null;
}

/** The pickers of browsers show nothing for other texts, and begin with the year 1. */
const DAY = /^(?!0000)\d{4}-\d\d-\d\d$/;
const TIME = /^(?!0000)(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::00(?:\.000)?|(:\d\d)(?:\.000)?|(:\d\d\.\d{3}))Z$/;

/** How a field is entered. A value that was stored before the type was declared may not match the type. */
export function controlOf(field: EnteredField, stored: Json): Control {
  const control = controlFor(field);
  const fits = (form: RegExp) => stored === null || (typeof stored === 'string' && form.test(stored));
  if (control === 'date') return fits(DAY) ? control : 'line';
  if (control === 'datetime-local') return fits(TIME) ? control : 'line';
  return control;
}

/** A stored value as it is shown in its input. Times stay in UTC. */
export function storedText(field: EnteredField, stored: Json): string {
  if (stored === null) return '';
  if (typeof stored !== 'string') return JSON.stringify(stored);
  // As short as browsers write it.
  return controlOf(field, stored) === 'datetime-local' ? stored.replace(TIME, '$1$2$3') : stored;
}

export function textOf({ base, texts }: AccountDraft, field: EnteredField): string {
  return texts.get(field.name) ?? storedText(field, storedValue(base, field.name));
}

/** Without a text, the field has its stored value again. */
export function withText(draft: AccountDraft, field: EnteredField, text: string | undefined): AccountDraft {
  const texts = new Map(draft.texts);
  if (text === undefined || text === storedText(field, storedValue(draft.base, field.name)))
    texts.delete(field.name);
  else texts.set(field.name, text);
  return { ...draft, texts };
}

/** The value to send. */
export function enteredValue({ base, texts }: AccountDraft, field: EnteredField): Json {
  const stored = storedValue(base, field.name);
  const text = texts.get(field.name);
  return text === undefined ? stored : valueOfText(field, controlOf(field, stored), text);
}

export function isChanged(draft: AccountDraft, field: EnteredField): boolean {
  return !isSame(enteredValue(draft, field), storedValue(draft.base, field.name));
}

/** Whether others have changed it, too, since it was entered. */
export function isOvertaken(draft: AccountDraft, field: EnteredField): boolean {
  return draft.previous.has(field.name) && isChanged(draft, field);
}

export function changedFields<F extends EnteredField>(draft: AccountDraft, fields: readonly F[]): F[] {
  return fields.filter((field) => isChanged(draft, field));
}

/** Only what was changed. */
export function editOf(draft: AccountDraft, fields: readonly EnteredField[]): AccountEdit {
  const entries = changedFields(draft, fields).map(
    (field) => [field.name, enteredValue(draft, field)] as const,
  );
  const others = entries.filter(([name]) => !isOwnProperty(name));
  return {
    ...Object.fromEntries(entries.filter(([name]) => isOwnProperty(name))),
    ...(others.length > 0 && { fields: Object.fromEntries(others) }),
  };
}

/** Changed fields whose stored value has changed to another one meanwhile. */
export function changedByBoth<F extends EnteredField>(
  draft: AccountDraft,
  current: Account,
  fields: readonly F[],
): F[] {
  return changedFields(draft, fields).filter((field) => {
    const now = storedValue(current, field.name);
    const isOvertaken = !isSame(now, storedValue(draft.base, field.name));
    return isOvertaken && storedText(field, now) !== textOf(draft, field);
  });
}

/** The same changes to the account as it is now. */
export function rebase(draft: AccountDraft, current: Account, fields: readonly EnteredField[]): AccountDraft {
  const changed = changedFields(draft, fields);
  const seen = changed.filter(({ name }) => draft.previous.has(name));
  const both = changedByBoth(draft, current, fields);
  return {
    base: current,
    texts: changed.reduce((next, field) => withText(next, field, textOf(draft, field)), newDraft(current))
      .texts,
    previous: new Map([
      ...seen.map(({ name }) => [name, draft.previous.get(name) ?? null] as const),
      ...both.map(({ name }) => [name, storedValue(draft.base, name)] as const),
    ]),
  };
}

function isSame(a: Json, b: Json): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
