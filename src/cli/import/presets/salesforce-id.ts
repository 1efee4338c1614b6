/** The values 0 to 31 of the checksum, each of five bits. */
const CHECKSUM_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ012345';
const CHUNK = 5;
const LENGTH = 15;
const LONG_ID = /^[a-z\d]{15}[a-z0-5]{3}$/i;
const SHORT_ID = /^[a-z\d]{15}$/i;

/**
 * The 18-character form of a Salesforce id. Ids of 15 characters can differ only by case, and account ids are compared
 * without case. The three characters that the long form appends say which letters are upper case: one for each five
 * characters, with the first of them in the lowest bit. So they also restore an id that has lost its case, and reveal
 * most texts that only look like an id.
 */
export function caseSafeId(id: string): string | undefined {
  if (SHORT_ID.test(id)) return id + checksum(id);
  if (!LONG_ID.test(id)) return undefined;
  const suffix = id.slice(LENGTH).toUpperCase();
  const restored = restoreCase(id.slice(0, LENGTH), suffix);
  // A digit has no upper case, so a checksum that asks for one belongs to another id.
  return checksum(restored) === suffix ? restored + suffix : undefined;
}

function checksum(id: string): string {
  let suffix = '';
  for (let start = 0; start < LENGTH; start += CHUNK) {
    const bits = [...id.slice(start, start + CHUNK)].map((character, at) => Number(isUpper(character)) << at);
    suffix += CHECKSUM_DIGITS[bits.reduce((sum, bit) => sum + bit)];
  }
  return suffix;
}

function restoreCase(id: string, suffix: string): string {
  return id.replace(/./g, (character, at: number) => {
    const bits = CHECKSUM_DIGITS.indexOf(suffix.charAt(Math.floor(at / CHUNK)));
    return (bits >> (at % CHUNK)) & 1 ? character.toUpperCase() : character.toLowerCase();
  });
}

function isUpper(character: string): boolean {
  return character >= 'A' && character <= 'Z';
}
