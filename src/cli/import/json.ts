import type { Json } from '@account-sync/client';

export type { Json };
export type JsonObject = { readonly [name: string]: Json };

export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The server takes no more; and what is much deeper could not even be looked at. */
const MOST_LEVELS = 32;

/** Why a value would not arrive as it is, were it written anew. */
export function unsendable(value: Json, levels = MOST_LEVELS): string | undefined {
  // 1e400 is valid JSON that reads as infinity, and would be written as null.
  if (typeof value === 'number')
    return Number.isFinite(value) ? undefined : 'holds a number that is too large.';
  if (typeof value !== 'object' || value === null) return undefined;
  if (levels === 0) return `is nested deeper than ${MOST_LEVELS} levels.`;
  for (const member of Object.values(value)) {
    const problem = unsendable(member, levels - 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
