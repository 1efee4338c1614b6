import type { JsonObject } from '../../domain/json.js';
import { arrOf, DAY_MS, dateOf, timeOf } from './account-fields.js';
import type { Random } from './random.js';
import { HEALTHS, TIERS } from './schema.js';
import { NOTES, OWNERS } from './words.js';

export const SYSTEMS = ['crm', 'billing', 'product'] as const;
/** The systems that send accounts, each with a key of its own. */
export type System = (typeof SYSTEMS)[number];

/** What a system has to say of an account at a moment; never what is stored already. */
export function changeBy(system: System, account: JsonObject, at: number, random: Random): JsonObject {
  return { crm: crmChange, billing: billingChange, product: productChange }[system](account, at, random);
}

function crmChange(account: JsonObject, at: number, random: Random): JsonObject {
  const lot = random.next();
  if (lot < 0.1) return { name: renamed(String(account.name)) };
  if (lot < 0.35) return { custom_Owner: other(OWNERS, account.custom_Owner, random) };
  if (lot < 0.65) return { custom_Health: other(HEALTHS, account.custom_Health, random) };
  if (lot < 0.75) return { custom_Is_Reference: account.custom_Is_Reference !== true };
  if (lot < 0.85) return { custom_CSM_Notes: other(NOTES, account.custom_CSM_Notes, random) };
  return { custom_Renewal_On: laterRenewal(account, at, random) };
}

/** Licences grow; now and then a customer changes tier, and with it the price. */
function billingChange(account: JsonObject, at: number, random: Random): JsonObject {
  const tier = String(account.custom_Tier);
  const licenses = Number(account.licenses);
  if (random.isChance(0.2)) {
    const next = other(TIERS.slice(1), tier, random);
    const renewal = laterRenewal(account, at, random);
    return { custom_Tier: next, custom_ARR: arrOf(next, licenses), custom_Renewal_On: renewal };
  }
  const more = licenses + random.between(1, Math.ceil(licenses / 10) + 1);
  return { licenses: more, custom_ARR: arrOf(tier, more) };
}

function productChange(account: JsonObject, at: number, random: Random): JsonObject {
  const login = { custom_Last_Login_At: timeOf(at - random.between(1, 50) * 1_000) };
  if (random.isChance(0.7)) return login;
  const tickets = Number(account.custom_Open_Tickets ?? 0);
  return { ...login, custom_Open_Tickets: tickets > 4 ? random.between(0, 3) : tickets + 1 };
}

function laterRenewal({ custom_Renewal_On }: JsonObject, at: number, random: Random): string {
  const current = custom_Renewal_On === undefined ? at : Date.parse(String(custom_Renewal_On));
  return dateOf(current + random.between(14, 120) * DAY_MS);
}

function renamed(name: string): string {
  return name.endsWith(' Ltd') ? name.slice(0, -' Ltd'.length) : `${name} Ltd`;
}

function other(list: readonly string[], value: unknown, random: Random): string {
  return random.pick(list.filter((one) => one !== value));
}
