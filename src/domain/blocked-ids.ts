/** Placeholders that broken integrations send instead of an identifier, blocked for every tenant. */
export const SYSTEM_BLOCKED_IDS: readonly string[] = [
  'null',
  '(null)',
  '<null>',
  'nil',
  '<nil>',
  'undefined',
  'none',
  '(none)',
  'nan',
  'n/a',
  '#n/a',
  '#ref!',
  '#value!',
  '#name?',
  'infinity',
  '-infinity',
  '[object object]',
  '00000000-0000-0000-0000-000000000000',
  '{00000000-0000-0000-0000-000000000000}',
  'account_id',
  '{{account_id}}',
  '{account_id}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an unexpanded template is what such integrations send.
  '${account_id}',
  '%account_id%',
  '<account_id>',
];

const systemBlocked = new Set(SYSTEM_BLOCKED_IDS);

/** A tenant's patterns in maps, so that a check costs the same for any number of patterns. */
export interface BlockedIds {
  /** Identifier → pattern. */
  readonly exact: ReadonlyMap<string, string>;
  /** With the leading dot: `.example.com` → `*.example.com`. */
  readonly suffixes: ReadonlyMap<string, string>;
  readonly longestSuffix: number;
}

/** The pattern that blocks an identifier, and the list that contains it. */
export interface Block {
  readonly pattern: string;
  readonly list: 'tenant' | 'system';
}

/** A pattern is an identifier or `*.suffix`; `canonical` converts it to the form of stored identifiers. */
export function blockedIds(patterns: readonly string[], canonical: (id: string) => string): BlockedIds {
  const exact = new Map<string, string>();
  const suffixes = new Map<string, string>();
  for (const pattern of patterns) {
    if (!pattern.startsWith('*.')) exact.set(canonical(pattern), pattern);
    // Converted as a name below the suffix: a suffix alone, such as рф, is not a domain and would not be converted.
    else suffixes.set(canonical(`x${pattern.slice(1)}`).slice(1), pattern);
  }
  const longestSuffix = [...suffixes.keys()].reduce((longest, { length }) => Math.max(longest, length), 0);
  return { exact, suffixes, longestSuffix };
}

/**
 * Why a pattern in canonical form cannot be blocked, or `undefined`. A star is only allowed before the first dot:
 * elsewhere it would match a literal star, which is never intended. Such patterns from earlier versions stay valid.
 */
export function blockPatternProblem(pattern: string): string | undefined {
  return /^(?:\*\.(?!\.))?[^*]+$/.test(pattern)
    ? undefined
    : 'must be an exact id without *, or a suffix such as *.example.com';
}

/** `undefined` if nothing blocks the identifier; the longest matching suffix wins. */
export function blockOf(id: string, { exact, suffixes, longestSuffix }: BlockedIds): Block | undefined {
  if (systemBlocked.has(id)) return { pattern: id, list: 'system' };
  const pattern = exact.get(id);
  if (pattern !== undefined) return { pattern, list: 'tenant' };
  // Starts where the longest suffix can match: an id can be megabytes of dots before its length is checked.
  let dot = id.indexOf('.', id.length - longestSuffix);
  for (; dot !== -1 && suffixes.size > 0; dot = id.indexOf('.', dot + 1)) {
    const found = suffixes.get(id.slice(dot));
    if (found !== undefined) return { pattern: found, list: 'tenant' };
  }
  return undefined;
}
