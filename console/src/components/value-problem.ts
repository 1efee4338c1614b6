import { sentenceOf } from '../api/sentence-of';

/** What to enter, by the type that the server names. */
const BY_TYPE: Readonly<Record<string, string>> = {
  text: 'Enter a shorter text, without control characters.',
  integer: 'Enter a whole number, such as 25.',
  decimal: 'Enter a number with a point, such as 12.5.',
  boolean: 'Choose Yes or No.',
  date: 'Enter a date, such as 2024-02-29.',
  datetime: 'Enter a date and a time in UTC, such as 2024-02-29T08:15Z.',
  choice: 'Choose one of the values.',
};

/**
 * What is wrong with an entered value, without names that people do not see. `detail` is the server's message. These
 * messages are an interface that callers compare, so they do not change. An unknown one is shown as it is.
 */
export function valueProblem(detail: string, entered = ''): string {
  const type = / has invalid (\w+) value\.$/.exec(detail)?.[1];
  if (type === 'integer' && /^[+-]?\d+$/.test(entered.trim())) return 'Enter a number of at most 15 digits.';
  const longest = / may not be greater than (\d+) characters\.$/.exec(detail)?.[1];
  if (longest !== undefined) return `Enter at most ${longest} characters.`;
  if (detail.toLowerCase() === "account_id and parent_account_id can't be same.") return OWN_PARENT;
  if (detail.endsWith(' is read-only.')) return 'This field is read-only.';
  return (type !== undefined && BY_TYPE[type]) || sentenceOf(detail);
}

const OWN_PARENT = 'An account cannot be its own parent.';
