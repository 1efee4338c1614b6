import type { AttributeType } from '../../domain/attribute-types.js';
import { readingsOfType } from './conversion/readings-of-type.js';
import type { ImportPlan } from './import-plan.js';
import type { RejectionReason } from './rejection-reasons.js';
import { quoted } from './shell-quote.js';

/** What is accepted instead of a rejected value, and what to add to the command. */
export interface RejectionAdvice {
  readonly accepted: string | null;
  readonly add: string | null;
}

export const NO_ADVICE: RejectionAdvice = { accepted: null, add: null };
const MAX_CHOICES = 10;
/** Longer values are cut in the report, and too long to type. */
const MAX_REPLACED_LENGTH = 60;

/** The forms that an import understands, shortest first. */
const FORMS = {
  integer: 'a whole number: 12, -3, 1,000',
  decimal: 'a number: 12.5, -3, 1,000.50',
  boolean: 'true or false, 1 or 0, yes or no',
  date: 'a day: 2015-01-31, 1/31/2015, 31.01.2015, 31 Jan 2015',
  datetime: 'a time: 2015-01-31T15:45:00Z, 2015-01-31 15:45, 1/31/2015 3:45 PM',
  text: 'a text of at most 65,535 characters',
  choice: '',
};

export function adviceFor(
  { field, message, samples }: RejectionReason,
  { rows, known, conversions }: Pick<ImportPlan, 'rows' | 'known' | 'conversions'>,
): RejectionAdvice {
  const column = rows.columns.find((each) => each.field !== undefined && each.field === field);
  if (field === null || column === undefined || field === 'account_id') return NO_ADVICE;
  const ignore = `--ignore ${quoted(column.name)} to leave the column out`;
  if (message.endsWith(' is read-only.')) return { accepted: null, add: ignore };
  if (message.includes(' is not a known field.')) {
    return {
      accepted: null,
      add: `--declare to declare ${field} with a key of the scope admin, or ${ignore}`,
    };
  }
  const attribute = known.find(field)?.attribute ?? conversions.get(field)?.proposal;
  if (attribute === undefined || !message.endsWith(` has invalid ${attribute.type} value.`)) return NO_ADVICE;
  const values = samples.map(({ value }) => value);
  const conversion = conversionFor(field, attribute, values);
  return {
    accepted: acceptedForms(attribute),
    add: conversion === undefined ? ignore : `${conversion}, or ${ignore}`,
  };
}

function acceptedForms({ type, choices }: AttributeType): string {
  if (type !== 'choice') return FORMS[type];
  const more = choices.length - MAX_CHOICES;
  return `one of ${choices.slice(0, MAX_CHOICES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** A form that the values have and that only the user can choose, or else a replacement of the first short value. */
function conversionFor(
  field: string,
  attribute: AttributeType,
  values: readonly string[],
): string | undefined {
  const fitting = readingsOfType(attribute).find(({ read }) =>
    values.every((value) => read(value.trim()) !== undefined),
  );
  if (fitting !== undefined && values.length > 0) {
    return `--convert ${quoted(`${field}=${fitting.name}`)} (${fitting.label})`;
  }
  const replaced = values.find((value) => value.length <= MAX_REPLACED_LENGTH)?.trim();
  if (replaced === undefined) return undefined;
  return `--convert ${quoted(`${field}=${replaced}:…`)} with the value to send instead`;
}
