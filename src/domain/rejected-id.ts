import { canonicalDomain, canonicalIdentifier, identifierText } from './identifier.js';
import type { JsonValue } from './json.js';
import { firstCharacters, isLongerThan, REPLACEMENT, storableText } from './text.js';

const MAX_LENGTH = 191;
/** More than any spelling of an account's id takes; the rest of a huge text costs nothing. */
const LOOKED_AT = 4_000;

/**
 * The account id of a record that was not stored, as it is kept: as it was sent, in a form that every database takes. It
 * is cut only where it is too long for any account, so that the deletion of its account finds it.
 */
export function rejectedId(sent: JsonValue): string | null {
  const text = (identifierText(sent) ?? '').slice(0, LOOKED_AT);
  if (text === '') return null;
  const storable = storableText(text);
  if (!isLongerThan(storable, MAX_LENGTH)) return storable;
  // Characters that stand for nothing must not be what takes the room.
  const bare = withoutReplacements(storable);
  const mayBeAccount = accountIdsOf(bare).some((id) => !isLongerThan(id, MAX_LENGTH));
  return mayBeAccount ? bare : firstCharacters(storable, MAX_LENGTH);
}

/**
 * The accounts that such an id may stand for, in the modes `any` and `domain`: the mode may have changed since. What was
 * replaced in it, a NUL for example, does not make it another account's.
 */
export function accountIdsOf(rejectedId: string): readonly string[] {
  const forms = [rejectedId, withoutReplacements(rejectedId)].map(canonicalIdentifier);
  const domains = forms.flatMap((form) => canonicalDomain(form) ?? []);
  return [...new Set([...forms, ...domains])].filter((id) => id !== '');
}

function withoutReplacements(text: string): string {
  return text.replaceAll(REPLACEMENT, '').trim();
}
