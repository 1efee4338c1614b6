import Type, { type Static } from 'typebox';
import type { AccountPatch } from '../../../domain/account.js';
import { isJsonObject, type JsonObject } from '../../../domain/json.js';
import type { TenantRules } from '../../../domain/tenant.js';
import { type AttributeErrors, validateAccount } from '../../../domain/validate-account.js';
import { Json } from '../../../wire/schemas.js';
import { invalidRequest, type PointedProblem } from '../../errors.js';
import { escapePointer } from '../../replies/problem-details.js';

/** Values are not checked by the schema: the rules of the tenant have messages of their own. */
export const EditSchema = Type.Object(
  {
    name: Type.Optional(Type.Unknown({ description: 'The new name; null clears it.' })),
    parent_account_id: Type.Optional(Type.Unknown({ description: 'The new parent; null clears it.' })),
    fields: Type.Optional(
      Type.Record(Type.String(), Json, { description: 'New values of other fields; null clears one.' }),
    ),
    archived: Type.Optional(
      Type.Boolean({ description: 'True archives the account, false restores it. Default: neither.' }),
    ),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    examples: [{ name: 'Acme Inc.', fields: { licenses: 30, custom_Tier: null } }],
  },
);

export type AccountEdit = Static<typeof EditSchema>;

/** What an edit depends on. */
export interface EditTerms {
  readonly rules: TenantRules;
  /** The source of the sender. */
  readonly source: string;
  /** The account is edited only at this revision; undefined for any. */
  readonly revision?: number | undefined;
}

/** Fields of an account that are not among `fields`. */
const OWN_PROPERTIES: readonly string[] = ['account_id', 'name', 'parent_account_id'];
const CANNOT_CHANGE = 'cannot be changed';

/** What a patch without values counts towards the write queue. */
export const BYTES_PER_EDIT = 200;

/** The values of an edit as a pushed record would have them. */
export function valuesOf({ fields, archived: _, ...own }: AccountEdit): JsonObject {
  return { ...(fields as JsonObject), ...(own as JsonObject) };
}

/** Checks the edit of one account as if its values were pushed, and returns the patch or what is wrong with it. */
export function checkEdit(
  accountId: string,
  change: AccountEdit,
  { rules, source, revision }: EditTerms,
): { readonly patch: AccountPatch } | { readonly errors: AttributeErrors } {
  const edit = {
    ...(revision !== undefined && { revision }),
    ...(change.archived !== undefined && { archive: change.archived }),
  };
  const values = valuesOf(change);
  // An account whose id is not allowed any more can still be archived.
  if (Object.keys(values).length === 0) return { patch: { accountId, fields: {}, edit } };
  const { patch, errors } = validateAccount({ ...values, account_id: accountId }, rules, source);
  return patch === undefined ? { errors } : { patch: { ...patch, edit } };
}

/** Throws if fields of an edit, whose values are at `pointer`, are not where they belong. Before the schema is checked. */
export function rejectMisplaced(edit: unknown, pointer: string): void {
  if (!isJsonObject(edit)) return;
  const fields = isJsonObject(edit.fields) ? edit.fields : {};
  const inner = OWN_PROPERTIES.filter((name) => Object.hasOwn(fields, name)).map((name) => ({
    pointer: `${pointer}/fields/${name}`,
    detail: name === 'account_id' ? CANNOT_CHANGE : `must be beside fields: ${pointer}/${name}`,
  }));
  const outer = Object.keys(edit)
    .filter((name) => !Object.hasOwn(EditSchema.properties, name))
    .map((name) => ({
      pointer: `${pointer}/${escapePointer(name)}`,
      detail:
        name === 'account_id'
          ? CANNOT_CHANGE
          : `is not known here; fields of accounts are in ${pointer}/fields`,
    }));
  const problems = [...outer, ...inner];
  if (problems.length > 0) throw invalidRequest(problems);
}

/** Counts towards the write queue for one account; about the size of the head of a request, and the values. */
export function bytesOf(edit: AccountEdit): number {
  return BYTES_PER_EDIT + JSON.stringify(edit).length;
}

/** The messages about an edit, whose values are at `pointer`. Those about the id of the account are at `idPointer`. */
export function pointedErrors(errors: AttributeErrors, pointer: string, idPointer: string): PointedProblem[] {
  return [...errors].flatMap(([name, messages]) => {
    const own = OWN_PROPERTIES.includes(name) ? name : `fields/${escapePointer(name)}`;
    const at = name === 'account_id' ? idPointer : `${pointer}/${own}`;
    return messages.map((detail) => ({ pointer: at, detail }));
  });
}
