import type { JsonObject } from '../../domain/json.js';
import { type Company, NOTES, OWNERS } from './companies.js';
import type { Random } from './random.js';
import { HEALTHS, TIERS } from './schema.js';
import type { AccountState } from './step.js';

export const DAY_MS = 86_400_000;

/** For each tier: its cumulative share, the range of licences, and the yearly price of a licence. */
const DEALS = [
  { tier: 'Trial', upTo: 0.12, licenses: [1, 10], price: 0 },
  { tier: 'Starter', upTo: 0.52, licenses: [3, 40], price: 190 },
  { tier: 'Business', upTo: 0.86, licenses: [30, 400], price: 165 },
  { tier: 'Enterprise', upTo: 1, licenses: [300, 6_000], price: 140 },
] as const;

/** Seats as free text from a form: most are numbers, these are not. */
const ODD_SEATS = ['12 seats', 'n/a', 'ten', '~50'];

/** The record of a company in the first import. */
export function firstRecord(company: Company, at: number, random: Random): AccountState {
  const roll = random.next();
  const deal = DEALS.find(({ upTo }) => roll < upTo) ?? DEALS[0];
  const licenses = random.between(deal.licenses[0], deal.licenses[1]);
  const { id, name, parent, industry, region } = company;
  return {
    account_id: id,
    ...(parent !== undefined && { parent_account_id: parent }),
    name,
    licenses,
    custom_Demo_Data: true,
    custom_Tier: deal.tier,
    custom_ARR: arrOf(deal.tier, licenses),
    custom_Health: random.isChance(0.7) ? 'good' : random.pick(HEALTHS),
    custom_Owner: random.pickEarly(OWNERS),
    custom_Region: region,
    custom_Industry: industry,
    custom_External_Created_On: dateOf(at - random.between(30, 2_500) * DAY_MS),
    ...(deal.tier !== 'Trial' && { custom_Renewal_On: dateOf(at + random.between(10, 400) * DAY_MS) }),
    ...(random.isChance(0.8) && {
      custom_Last_Login_At: timeOf(at - random.between(1, 40 * 24) * 3_600_000),
    }),
    ...(random.isChance(0.5) && { custom_Open_Tickets: random.between(0, 9) }),
    ...(random.isChance(0.1) && { custom_Is_Reference: random.isChance(0.8) }),
    ...(random.isChance(0.4) && { custom_Legacy_Id: `L-${random.between(10_000, 99_999)}` }),
    ...(random.isChance(0.3) && { custom_Seats: random.isChance(0.03) ? random.pick(ODD_SEATS) : licenses }),
    ...(random.isChance(0.05) && { custom_CSM_Notes: random.pick(NOTES) }),
  };
}

function arrOf(tier: string, licenses: number): number {
  const price = DEALS.find((deal) => deal.tier === tier)?.price ?? 0;
  return Math.round(licenses * price * 1.19 * 100) / 100;
}

function dateOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

export function timeOf(at: number): string {
  return new Date(at).toISOString();
}

export const SYSTEMS = ['crm', 'billing', 'product'] as const;
/** The systems that send accounts, each with its own key. */
export type System = (typeof SYSTEMS)[number];

/** The fields of an account that a system changes at a time; always different from the stored values. */
export function changeBy(system: System, account: JsonObject, at: number, random: Random): JsonObject {
  return { crm: crmChange, billing: billingChange, product: productChange }[system](account, at, random);
}

function crmChange(account: JsonObject, at: number, random: Random): JsonObject {
  const roll = random.next();
  if (roll < 0.1) return { name: renamed(String(account.name)) };
  if (roll < 0.35) return { custom_Owner: other(OWNERS, account.custom_Owner, random) };
  if (roll < 0.65) return { custom_Health: other(HEALTHS, account.custom_Health, random) };
  if (roll < 0.75) return { custom_Is_Reference: account.custom_Is_Reference !== true };
  if (roll < 0.85) return { custom_CSM_Notes: other(NOTES, account.custom_CSM_Notes, random) };
  return { custom_Renewal_On: laterRenewal(account, at, random) };
}

/** The licences grow; in 20 % of the cases the customer changes tier and price instead. */
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
  return random.pick(list.filter((item) => item !== value));
}
