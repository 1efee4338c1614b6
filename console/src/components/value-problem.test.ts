import { describe, expect, it } from 'vitest';
import { valueProblem } from './value-problem';

const invalid = (type: string) => `Account acme.example, custom_Field has invalid ${type} value.`;

describe('valueProblem', () => {
  it.each([
    [invalid('integer'), 'many', 'Enter a whole number, such as 25.'],
    [invalid('integer'), '2.5', 'Enter a whole number, such as 25.'],
    [invalid('integer'), ' 99999999999999999999', 'Enter a number of at most 15 digits.'],
    [invalid('decimal'), '12,5', 'Enter a number with a point, such as 12.5.'],
    [invalid('boolean'), 'maybe', 'Choose Yes or No.'],
    [invalid('date'), '31.5.2021', 'Enter a date, such as 2024-02-29.'],
    [invalid('datetime'), 'noon', 'Enter a date and a time in UTC, such as 2024-02-29T08:15Z.'],
    [invalid('choice'), 'lead', 'Choose one of the values.'],
    [invalid('text'), '', 'Enter a shorter text, without control characters.'],
    ['The name may not be greater than 191 characters.', '', 'Enter at most 191 characters.'],
    ["account_id and parent_account_id can't be same.", 'ACME', 'An account cannot be its own parent.'],
    ['Account acme, custom_Mrr is read-only.', '5', 'This field is read-only.'],
  ])('says what to enter: %s, for “%s”', (detail, entered, text) => {
    expect(valueProblem(detail, entered)).toBe(text);
  });

  it("has the server's sentence for what is not known", () => {
    expect(valueProblem('is too late')).toBe('Is too late.');
    expect(valueProblem(invalid('colour'))).toBe(invalid('colour'));
  });
});
