import type { AttributeType } from '../../domain/attribute-types.js';
import type { Column } from './column-plan.js';
import type { Ambiguity } from './conversion/column-values.js';
import { readingsOfType } from './conversion/readings-of-type.js';
import { AS_IS, orderOf } from './conversion/select-readings.js';
import { PROPOSED_TYPES } from './proposed-attribute.js';
import { quoted } from './shell-quote.js';

export function ambiguityProblem({ name, field }: Column, { text, meanings, isMixed }: Ambiguity): string {
  const names = meanings.map(({ reading: { name } = { name: AS_IS } }) => orderOf(name) ?? name);
  const both = meanings.map(({ value }, at) => `${JSON.stringify(value)} (${names[at]})`).join(' or ');
  const options = names.map((each) =>
    each === 'mdy' || each === 'dmy' ? `--dates ${each}` : `--convert ${quoted(`${field}=${each}`)}`,
  );
  const why = isMixed
    ? 'Some values of the column fit only the one, some only the other.'
    : 'No other value of the column decides it.';
  return `Column ${quoted(name)} can be read in two ways: ${JSON.stringify(text)} is ${both}. ${why} Add ${options.join(' or ')}`;
}

export function currencyProblem(
  { name, field }: Column,
  currencies: readonly string[],
  reading: string,
): string {
  return (
    `Column ${quoted(name)} has amounts in several currencies: ${currencies.join(', ')}. ` +
    `Add --convert ${quoted(`${field}=${reading}`)} to send the numbers without them, or --ignore ${quoted(name)}`
  );
}

export function unknownReadingProblem(
  field: string,
  reading: string,
  attribute: AttributeType | undefined,
): string {
  const given = `--convert ${quoted(`${field}=${reading}`)}`;
  const single = replacementHint(field);
  if (attribute === undefined) return `${given} needs a type, and ${field} is not declared; ${single}`;
  return `${given} names no form of the type ${attribute.type}. Use one of: ${formsOf([attribute])}; ${single}`;
}

/** For a new attribute, whose type is not known yet. */
export function unproposableReadingProblem(field: string, reading: string): string {
  const given = `--convert ${quoted(`${field}=${reading}`)}`;
  const types = PROPOSED_TYPES.map((type) => ({ type, choices: [] }));
  return `${given} names no form that the values of a new attribute can have. Use one of: ${formsOf(types)}; ${replacementHint(field)}`;
}

/** `attribute` is what the values fit instead; `undefined` if no type does, as for texts and numbers of JSON. */
export function choicesProblem({ name, field }: Column, attribute: AttributeType | undefined): string {
  if (attribute === undefined) {
    return `Column ${quoted(name)} has values that are no texts, so they cannot be choices. Leave out --type ${quoted(`${field}=choice`)}`;
  }
  return `Column ${quoted(name)} has too many different values for choices. Add --type ${quoted(`${field}=text`)} instead`;
}

function formsOf(types: readonly AttributeType[]): string {
  const names = types.flatMap(readingsOfType).map(({ name }) => name);
  return [...new Set(names), AS_IS].join(', ');
}

function replacementHint(field: string): string {
  return `single values are replaced by --convert ${quoted(`${field}=from:to`)}`;
}
