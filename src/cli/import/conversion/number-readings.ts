import type { Reading } from './reading.js';

/** Far longer than any number that is written for people. */
const MAX_LENGTH = 64;

/** A number with sign and currency. Accountants write negative amounts in parentheses. */
const AMOUNT =
  /^(?<open>\()?(?<sign>[+-])?\s?(?<before>\p{Sc}|[A-Z]{3})?\s?(?<inner>[+-])?(?<digits>[\d.,].*?)\s?(?<after>\p{Sc}|[A-Z]{3})?(?<close>\))?$/u;

const CURRENCY_CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

interface NumberForm {
  readonly name: string;
  readonly label: string;
  readonly pattern: RegExp;
  /** The character between thousands. */
  readonly groups: RegExp;
}

const FORMS: readonly NumberForm[] = [
  {
    name: '1,000.00',
    label: 'commas between thousands',
    pattern: /^(?:[1-9]\d{0,2}(?:,\d{3})+|\d+)(?:\.\d*)?$/,
    groups: /,/g,
  },
  {
    name: '1.000,00',
    label: 'decimal comma',
    pattern: /^(?:[1-9]\d{0,2}(?:\.\d{3})+|\d+)(?:,\d*)?$/,
    groups: /\./g,
  },
  {
    name: '1 000,00',
    label: 'blanks between thousands',
    pattern: /^[1-9]\d{0,2}(?:[ '’\u00a0\u2009\u202f]\d{3})+(?:[.,]\d*)?$/,
    groups: /[ '’\u00a0\u2009\u202f]/g,
  },
];

export function numberReadings(type: 'integer' | 'decimal'): readonly Reading[] {
  const fits = type === 'integer' ? Number.isSafeInteger : Number.isFinite;
  return FORMS.map(({ name, label, pattern, groups }) => ({
    name,
    label,
    read: (text) => {
      const amount = amountOf(text);
      if (amount === undefined || !pattern.test(amount.digits)) return undefined;
      const digits = amount.digits.replace(groups, '');
      // 1,000 seats are a thousand, not one with three decimals.
      if (type === 'integer' && /,\d{3}$/.test(digits)) return undefined;
      const number = Number(digits.replace(',', '.'));
      // Adding 0 turns -0 into 0.
      return fits(number) ? (amount.isNegative ? -number : number) + 0 : undefined;
    },
  }));
}

/** The currency that a number is written with, as `$` or `EUR`; `undefined` if it has none. */
export function currencyOf(text: string): string | undefined {
  return amountOf(text)?.currency;
}

function amountOf(
  text: string,
):
  | { readonly digits: string; readonly isNegative: boolean; readonly currency: string | undefined }
  | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const { open, sign, before, inner, digits, after, close } = AMOUNT.exec(text)?.groups ?? {};
  if (digits === undefined || (open === undefined) !== (close === undefined)) return undefined;
  // (-5) and --5 could mean 5.
  if ([open, sign, inner].filter((each) => each !== undefined).length > 1) return undefined;
  const currency = before ?? after;
  if (before !== undefined && after !== undefined) return undefined;
  if (currency !== undefined && /^[A-Z]/.test(currency) && !CURRENCY_CODES.has(currency)) return undefined;
  return { digits, isNegative: open !== undefined || sign === '-' || inner === '-', currency };
}
