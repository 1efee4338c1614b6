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

/** A tenant's patterns, each beside the form that identifiers are compared with. */
export interface BlockedIds {
  /** Identifier → pattern. */
  readonly exact: ReadonlyMap<string, string>;
  /** With the leading dot: `.example.com` stands for the pattern `*.example.com`. */
  readonly suffixes: readonly { readonly suffix: string; readonly pattern: string }[];
}

/** What blocks an identifier, and whose list has it. */
export interface Block {
  readonly pattern: string;
  readonly list: 'tenant' | 'system';
}

/** A pattern is an identifier or `*.suffix`; `canonical` gives it the form of the identifiers it is compared with. */
export function blockedIds(patterns: readonly string[], canonical: (id: string) => string): BlockedIds {
  const isSuffix = (pattern: string) => pattern.startsWith('*.');
  return {
    exact: new Map(
      patterns.filter((pattern) => !isSuffix(pattern)).map((pattern) => [canonical(pattern), pattern]),
    ),
    // Read as a name below the suffix: a suffix alone, such as рф, is no domain and would keep its spelling.
    suffixes: patterns
      .filter(isSuffix)
      .map((pattern) => ({ suffix: canonical(`x${pattern.slice(1)}`).slice(1), pattern })),
  };
}

/** Why a pattern in canonical form cannot be blocked, or `undefined`. */
export function blockPatternProblem(pattern: string): string | undefined {
  return pattern === '' || pattern === '*.' ? 'must be an id, or a suffix such as *.example.com' : undefined;
}

/** `undefined` where nothing blocks the identifier. */
export function blockOf(id: string, { exact, suffixes }: BlockedIds): Block | undefined {
  if (systemBlocked.has(id)) return { pattern: id, list: 'system' };
  const pattern = exact.get(id) ?? suffixes.find(({ suffix }) => id.endsWith(suffix))?.pattern;
  return pattern === undefined ? undefined : { pattern, list: 'tenant' };
}
