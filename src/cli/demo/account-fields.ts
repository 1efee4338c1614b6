import type { Company } from './companies.js';
import type { Random } from './random.js';
import type { AccountState } from './refusals.js';
import { HEALTHS } from './schema.js';
import { NOTES, OWNERS } from './words.js';

export const DAY_MS = 86_400_000;

/** By tier: how often, how many licences, and what one of them costs a year. */
const DEALS = [
  { tier: 'Trial', upTo: 0.12, licenses: [1, 10], price: 0 },
  { tier: 'Starter', upTo: 0.52, licenses: [3, 40], price: 190 },
  { tier: 'Business', upTo: 0.86, licenses: [30, 400], price: 165 },
  { tier: 'Enterprise', upTo: 1, licenses: [300, 6_000], price: 140 },
] as const;

/** Seats as people type them into a form: most are numbers. */
const ODD_SEATS = ['12 seats', 'n/a', 'ten', '~50'];

/** What the first import says of a company at a moment. */
export function firstRecord(company: Company, at: number, random: Random): AccountState {
  const lot = random.next();
  const deal = DEALS.find(({ upTo }) => lot < upTo) ?? DEALS[0];
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

export function arrOf(tier: string, licenses: number): number {
  const price = DEALS.find((deal) => deal.tier === tier)?.price ?? 0;
  return Math.round(licenses * price * 1.19 * 100) / 100;
}

export function dateOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

export function timeOf(at: number): string {
  return new Date(at).toISOString();
}
