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

/** The value of a member of a JSON text, as people write it: texts without quotes. */
export function textOfMember(json: string, isMember: (name: string) => boolean): string | undefined {
  const record = parseJson(json);
  const [, value] = Object.entries(isObject(record) ? record : {}).find(([name]) => isMember(name)) ?? [];
  return value === undefined || typeof value === 'string' ? value : JSON.stringify(value);
}

/** The limit of the server. It also bounds the recursion below. */
const MAX_LEVELS = 32;

/** Why a value would change when it is serialised again; `undefined` if it would not. */
export function serialisationFault(value: Json, levels = MAX_LEVELS): string | undefined {
  // 1e400 is valid JSON, but parses as infinity, which is serialised as null.
  if (typeof value === 'number')
    return Number.isFinite(value) ? undefined : 'contains a number that is too large.';
  if (typeof value !== 'object' || value === null) return undefined;
  if (levels === 0) return `is nested deeper than ${MAX_LEVELS} levels.`;
  for (const member of Object.values(value)) {
    const problem = serialisationFault(member, levels - 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
