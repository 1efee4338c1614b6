/** A system that pushes accounts, such as a CRM. Every API key belongs to one. */
export interface Source {
  readonly name: string;
  readonly label: string;
  /** How often it is expected to finish a run; null if it may push whenever it likes. */
  readonly expectEveryMs: number | null;
  /** How much later than expected a run may finish before the source is late. */
  readonly graceMs: number;
  /** Since when runs are expected; null if they are not. */
  readonly expectedSince: number | null;
  /**
   * When its last run finished; null if none has. Runs count if at least one request succeeded. An implicit run counts
   * from its last successful request on, because it has no explicit end.
   */
  readonly lastFinishedAt: number | null;
  /** Since when the service remembers which accounts it pushes, so that a run can tell which are missing; null if not. */
  readonly trackedSince: number | null;
  readonly createdAt: number;
}

export const MAX_SOURCES = 200;
export const MAX_LABEL_LENGTH = 200;
/** The allowed range of `expectEveryMs`; a grace may also be 0. */
export const EXPECTATION_MS = { min: 60_000, max: 366 * 86_400_000 } as const;

const MAX_NAME_LENGTH = 63;

export function isSourceName(name: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,62}$/.test(name);
}

/** The source of keys without a label. */
export const DEFAULT_SOURCE = 'default';

/**
 * The name of the source of a key that is not given one, from its label: accents are dropped, and everything else that
 * a name cannot contain becomes a hyphen.
 */
export function sourceNameFor(label: string): string {
  const plain = label.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const name = plain.replace(/[^a-z0-9]+/g, '-').replace(/^-/, '');
  return name.slice(0, MAX_NAME_LENGTH).replace(/-$/, '') || DEFAULT_SOURCE;
}

/** When the next run has to have finished, without and with the grace; undefined if none is expected. */
export function nextExpected(source: Source): { readonly at: number; readonly lateAt: number } | undefined {
  const { expectEveryMs, graceMs, expectedSince, lastFinishedAt } = source;
  if (expectEveryMs === null || expectedSince === null) return undefined;
  const at = Math.max(lastFinishedAt ?? 0, expectedSince) + expectEveryMs;
  return { at, lateAt: at + graceMs };
}

export function isLate(source: Source, now: number): boolean {
  const next = nextExpected(source);
  return next !== undefined && now > next.lateAt;
}
