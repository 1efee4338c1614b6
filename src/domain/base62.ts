const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Random characters; `random` returns that many cryptographically random bytes. */
export function base62(random: (bytes: number) => Uint8Array, length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of random(length)) {
      // Rejection sampling: bytes from 248 = 4 · 62 would make some characters more likely than others.
      if (byte < 248 && text.length < length) text += ALPHABET[byte % ALPHABET.length];
    }
  }
  return text;
}

/** The last `length` digits of a number, lowest digit first. */
export function base62Digits(number: number, length: number): string {
  let rest = number;
  let text = '';
  while (text.length < length) {
    text += ALPHABET[rest % ALPHABET.length];
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}
