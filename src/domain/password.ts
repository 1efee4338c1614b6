const LENGTH = { min: 12, max: 128 } as const;
const MIN_DIFFERENT = 5;

/** The form in which passwords are hashed: keyboards write the same character in different ways. */
export function canonicalPassword(text: string): string {
  return text.normalize('NFC');
}

/**
 * Why a password cannot be chosen, or `undefined`. As NIST SP 800-63B demands, any character is allowed and none is
 * required. There is no list of known passwords: length, different characters, name and e-mail address are checked.
 */
export function passwordWeakness(
  text: string,
  { email, name }: { readonly email: string; readonly name: string },
): string | undefined {
  const password = canonicalPassword(text);
  const characters = [...password];
  if (characters.length < LENGTH.min) return `must have at least ${LENGTH.min} characters`;
  if (characters.length > LENGTH.max) return `must have at most ${LENGTH.max} characters`;
  if (new Set(characters).size < MIN_DIFFERENT)
    return `must have at least ${MIN_DIFFERENT} different characters`;
  const plain = password.toLowerCase();
  if (plain === email || plain === name.toLowerCase()) return 'must not be the e-mail address or the name';
  return undefined;
}
