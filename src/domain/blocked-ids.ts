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

/** A tenant's patterns, by the form that identifiers are compared with: a look-up each, however many there are. */
export interface BlockedIds {
  /** Identifier → pattern. */
  readonly exact: ReadonlyMap<string, string>;
  /** With the leading dot: `.example.com` → `*.example.com`. */
  readonly suffixes: ReadonlyMap<string, string>;
  readonly longestSuffix: number;
}

/** What blocks an identifier, and whose list has it. */
export interface Block {
  readonly pattern: string;
  readonly list: 'tenant' | 'system';
}

/** A pattern is an identifier or `*.suffix`; `canonical` gives it the form of the identifiers it is compared with. */
export function blockedIds(patterns: readonly string[], canonical: (id: string) => string): BlockedIds {
  const exact = new Map<string, string>();
  const suffixes = new Map<string, string>();
  for (const pattern of patterns) {
    if (!pattern.startsWith('*.')) exact.set(canonical(pattern), pattern);
    // Read as a name below the suffix: a suffix alone, such as рф, is no domain and would keep its spelling.
    else suffixes.set(canonical(`x${pattern.slice(1)}`).slice(1), pattern);
  }
  const longestSuffix = [...suffixes.keys()].reduce((longest, { length }) => Math.max(longest, length), 0);
  return { exact, suffixes, longestSuffix };
}

/**
 * Why a pattern in canonical form cannot be blocked, or `undefined`. A star elsewhere than before the first dot would
 * stand for itself, which is never what is meant. Earlier versions let such patterns in; they stay as they are.
 */
export function blockPatternProblem(pattern: string): string | undefined {
  return /^(?:\*\.(?!\.))?[^*]+$/.test(pattern)
    ? undefined
    : 'must be an exact id without *, or a suffix such as *.example.com';
}

/** `undefined` where nothing blocks the identifier; of several suffixes the longest is named. */
export function blockOf(id: string, { exact, suffixes, longestSuffix }: BlockedIds): Block | undefined {
  if (systemBlocked.has(id)) return { pattern: id, list: 'system' };
  const pattern = exact.get(id);
  if (pattern !== undefined) return { pattern, list: 'tenant' };
  // Not from the beginning: an id may be megabytes of dots before it is refused for its length.
  let dot = id.indexOf('.', id.length - longestSuffix);
  for (; dot !== -1 && suffixes.size > 0; dot = id.indexOf('.', dot + 1)) {
    const found = suffixes.get(id.slice(dot));
    if (found !== undefined) return { pattern: found, list: 'tenant' };
  }
  return undefined;
}
