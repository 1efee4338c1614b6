/** Characters are code points: 191 emoji count as 191, though each takes two UTF-16 units. */
export function isLongerThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  if (text.length > 2 * limit) return true;
  return characterCount(text) > limit;
}

export function characterCount(text: string): number {
  let points = 0;
  for (const _ of text) points += 1;
  return points;
}

export function firstCharacters(text: string, limit: number): string {
  if (!isLongerThan(text, limit)) return text;
  // A character takes at most two UTF-16 units, so the rest of a huge text is not split.
  return [...text.slice(0, 2 * limit)].slice(0, limit).join('');
}

/** Databases cannot store a NUL or half a surrogate pair unchanged. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Replaces characters that databases cannot store. */
export const REPLACEMENT = '\uFFFD';

export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', REPLACEMENT);
}

/** A readable number: 12,345. */
export function grouped(number: number): string {
  return number.toLocaleString('en-US');
}
