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

export interface BlockedIds {
  readonly exact: ReadonlySet<string>;
  /** With the leading dot: `.example.com` stands for the pattern `*.example.com`. */
  readonly suffixes: readonly string[];
}

/** A pattern is an identifier or `*.suffix`; `canonical` gives it the form of the identifiers it is compared with. */
export function blockedIds(patterns: readonly string[], canonical: (id: string) => string): BlockedIds {
  const isSuffix = (pattern: string) => pattern.startsWith('*.');
  return {
    exact: new Set(patterns.filter((pattern) => !isSuffix(pattern)).map(canonical)),
    // Read as a name below the suffix: a suffix alone, such as рф, is no domain and would keep its spelling.
    suffixes: patterns.filter(isSuffix).map((pattern) => canonical(`x${pattern.slice(1)}`).slice(1)),
  };
}

/** Why a pattern in canonical form cannot be blocked, or `undefined`. */
export function blockPatternProblem(pattern: string): string | undefined {
  return pattern === '' || pattern === '*.' ? 'must be an id, or a suffix such as *.example.com' : undefined;
}

export function isBlocked(id: string, blocked: BlockedIds): boolean {
  return (
    systemBlocked.has(id) || blocked.exact.has(id) || blocked.suffixes.some((suffix) => id.endsWith(suffix))
  );
}
